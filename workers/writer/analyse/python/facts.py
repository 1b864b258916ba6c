"""What is known of Python code without running it, as data.

Invariant: expressions are kept as source text; lines count from 1; all is in the order
of the source.
"""

from enum import StrEnum

import msgspec


class World(StrEnum):
    """What a function asks of the world around it."""

    CLOCK = "clock"
    RANDOM = "random"
    ENV = "env"
    FILES = "files"
    NETWORK = "network"
    PROCESS = "process"


class _Fact(msgspec.Struct, frozen=True, kw_only=True):
    line: int = 0


class Touch(_Fact, frozen=True, kw_only=True):
    """A call or a read that leaves the program."""

    world: World
    what: str


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """`kind`: positional_only, positional, var_positional, keyword_only, var_keyword."""

    name: str
    kind: str = "positional"
    annotation: str = ""
    default: str | None = None

    @property
    def required(self) -> bool:
        return self.default is None and not self.kind.startswith("var_")


class Guard(msgspec.Struct, frozen=True, kw_only=True):
    """A condition that stands before something, and whether it has to hold or to fail."""

    test: str
    holds: bool


class Raised(_Fact, frozen=True, kw_only=True):
    """`caught` is the error whose handler raises this one; `settled`: only parameters decide."""

    error: str
    message: str = ""
    guards: tuple[Guard, ...] = ()
    caught: str = ""
    settled: bool = False


class Compared(_Fact, frozen=True, kw_only=True):
    """A comparison with a constant, turned so that the constant is on the right."""

    subject: str
    op: str
    constant: str


class Used(_Fact, frozen=True, kw_only=True):
    """A text, key, index, modulus or precision that the code uses on a subject."""

    subject: str
    how: str
    what: str


class Example(_Fact, frozen=True, kw_only=True):
    """One prompt of a doctest; `want` is what is printed, `error` the last line of a traceback."""

    source: str
    want: str = ""
    error: str = ""


class Documented(_Fact, frozen=True, kw_only=True):
    """An error that a docstring names, and when it comes."""

    error: str
    when: str


class Function(_Fact, frozen=True, kw_only=True):
    """`kind`: function, method, static, class, property."""

    name: str
    qualname: str
    kind: str = "function"
    end_line: int = 0
    parameters: tuple[Parameter, ...] = ()
    returns: str = ""
    decorators: tuple[str, ...] = ()
    is_async: bool = False
    is_generator: bool = False
    docstring: str = ""
    examples: tuple[Example, ...] = ()
    documented: tuple[Documented, ...] = ()
    raised: tuple[Raised, ...] = ()
    compared: tuple[Compared, ...] = ()
    used: tuple[Used, ...] = ()
    texts: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    """Names of what is called, with aliases of imports resolved."""
    touches: tuple[Touch, ...] = ()
    globals_changed: tuple[str, ...] = ()
    arguments_changed: tuple[str, ...] = ()
    returns_a_value: bool = False

    @property
    def is_public(self) -> bool:
        """Dunders count as public; a part of the name that is private makes all of it so."""
        return not any(
            part.startswith("_") and not (part.startswith("__") and part.endswith("__"))
            for part in self.qualname.split(".")
        )


class Field(_Fact, frozen=True, kw_only=True):
    name: str
    annotation: str = ""
    default: str | None = None


class Class(_Fact, frozen=True, kw_only=True):
    """`kind`: class, dataclass, enum, named_tuple, typed_dict, model, protocol, exception."""

    name: str
    kind: str = "class"
    end_line: int = 0
    bases: tuple[str, ...] = ()
    decorators: tuple[str, ...] = ()
    docstring: str = ""
    examples: tuple[Example, ...] = ()
    fields: tuple[Field, ...] = ()
    members: tuple[Field, ...] = ()
    """Of an enum: its members with their values."""
    methods: tuple[Function, ...] = ()
    frozen: bool = False

    def method(self, name: str) -> Function | None:
        return next((method for method in self.methods if method.name == name), None)


class Import(_Fact, frozen=True, kw_only=True):
    """`from {module} import {name} as {alias}`; `name` is empty for a plain import."""

    module: str
    name: str = ""
    alias: str = ""
    level: int = 0


class Trouble(_Fact, frozen=True, kw_only=True):
    """Why a text gave no facts."""

    why: str


class Module(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    path: str
    trouble: Trouble | None = None
    docstring: str = ""
    examples: tuple[Example, ...] = ()
    imports: tuple[Import, ...] = ()
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    constants: tuple[Field, ...] = ()
    exports: tuple[str, ...] | None = None
    """What `__all__` says, if it is a plain list."""
    at_import: tuple[Touch, ...] = ()
    """What importing the module asks of the world."""
    called_at_import: tuple[str, ...] = ()

    def callables(self) -> tuple[Function, ...]:
        """Functions and methods."""
        return (*self.functions, *(method for cls in self.classes for method in cls.methods))

    def find(self, qualname: str) -> Function | None:
        return next((found for found in self.callables() if found.qualname == qualname), None)

    def find_class(self, name: str) -> Class | None:
        return next((cls for cls in self.classes if cls.name == name), None)
