"""Python, parsed by `ast` and read as data: names, imports, texts, modules.

Nothing is imported or evaluated. What is too deep for the parser is a note like any other mistake.
"""

import ast
import warnings
from collections.abc import Iterator
from typing import NamedTuple

from coordinator.planning.code.model import DEEPEST, LONGEST, Project

STEPS = 100_000
"""How often values of one file are followed: lists that hold each other twice end here."""

_KEEPS = frozenset(("format_suffix_patterns", "list", "tuple"))


class PyModule:
    """One file: its assignments, definitions and imports in any scope, by name.

    Factories (`def create_app()`) make and wire their parts inside of a function, hence any scope.
    """

    def __init__(self, file: str, tree: ast.Module, package: str) -> None:
        self.file = file
        self.tree = tree
        self.package = package
        self.values: dict[str, ast.expr] = {}
        self.functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
        self.classes: dict[str, ast.ClassDef] = {}
        self.imports: dict[str, tuple[str, str]] = {}
        self.steps = STEPS
        self.nodes = list(ast.walk(tree))
        for node in self.nodes:
            self._read(node)

    def _read(self, node: ast.AST) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self.functions.setdefault(node.name, node)
        elif isinstance(node, ast.ClassDef):
            self.classes.setdefault(node.name, node)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            self._import(node)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                self._assign(target, node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._assign(node.target, node.value)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                self.imports[alias.asname or alias.name.partition(".")[0]] = (
                    (alias.name, "") if alias.asname else (alias.name.partition(".")[0], "")
                )
        else:
            source = self._absolute(node)
            for alias in node.names:
                self.imports[alias.asname or alias.name] = (source, alias.name)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        """The first value of a name counts, but for one that is only there to be replaced."""
        name = last_name(target)
        if name and (name not in self.values or isinstance(self.values[name], ast.Constant)):
            self.values[name] = value

    def _absolute(self, node: ast.ImportFrom) -> str:
        """The dotted name that a relative import means."""
        if not node.level:
            return node.module or ""
        parts = self.package.split(".") if self.package else []
        parts = parts[: len(parts) - node.level + 1]
        return ".".join([*parts, *([node.module] if node.module else [])])

    def tired(self, depth: int) -> bool:
        """Whether values were followed too deep or too often."""
        self.steps -= 1
        return depth > DEEPEST or self.steps < 0

    def text(self, node: ast.AST | None, depth: int = 0) -> str | None:
        """The text that an expression comes to, or None where a program would have to run."""
        if node is None or self.tired(depth):
            return None
        if isinstance(node, ast.Constant):
            return (
                node.value if isinstance(node.value, str) and len(node.value) <= LONGEST else None
            )
        if isinstance(node, ast.Name):
            return self.text(self.values.get(node.id), depth + 1)
        if isinstance(node, ast.JoinedStr):
            return self._joined([self._part(part, depth) for part in node.values])
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self._joined([self.text(node.left, depth + 1), self.text(node.right, depth + 1)])
        return None

    def _part(self, node: ast.expr, depth: int) -> str | None:
        inner = node.value if isinstance(node, ast.FormattedValue) else node
        return self.text(inner, depth + 1)

    @staticmethod
    def _joined(parts: list[str | None]) -> str | None:
        told = "".join(part for part in parts if part is not None)
        return None if None in parts or len(told) > LONGEST else told


class Item(NamedTuple):
    """An element of a list, and the module whose names it uses."""

    module: PyModule
    node: ast.expr


class PyReader:
    """Finds and parses the modules of a project, each once."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._modules: dict[str, PyModule | None] = {}
        self._tops = list(self._top_folders())

    def _top_folders(self) -> Iterator[str]:
        """Where dotted names begin: the root, `src`, and wherever `manage.py` stands."""
        yield self.project.root
        yield self.project.below("src")
        for name in self.project.names:
            folder, _, file = name.rpartition("/")
            if file == "manage.py" and folder not in {self.project.root, self.project.below("src")}:
                yield folder

    def parse(self, file: str) -> PyModule | None:
        """The module in a file, or None with a note."""
        if file not in self._modules:
            self._modules[file] = self._parsed(file)
        return self._modules[file]

    def _parsed(self, file: str) -> PyModule | None:
        text = self.project.text(file)
        if text is None:
            return None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the project's own escapes, not ours
                return PyModule(file, ast.parse(text), self._package(file))
        except SyntaxError as error:
            self.project.ledger.note(file, error.lineno or 0, f"does not parse: {error.msg}")
        except ValueError:
            self.project.ledger.note(file, 0, "does not parse: it holds null bytes")
        except (RecursionError, MemoryError):
            self.project.ledger.note(file, 0, "does not parse: it is nested too deeply")
        return None

    def _package(self, file: str) -> str:
        tops = [top for top in self._tops if not top or file.startswith(f"{top}/")]
        top = max(tops, key=len, default="")
        inside = file.removeprefix(f"{top}/") if top else file
        return ".".join(inside.split("/")[:-1])

    def file_of(self, dotted: str) -> str | None:
        """The file of the project that a dotted name means."""
        path = dotted.replace(".", "/")
        for top in self._tops:
            base = f"{top}/{path}" if top else path
            for name in (f"{base}.py", f"{base}/__init__.py"):
                if name in self.project.known:
                    return name
        return None

    def module(self, dotted: str) -> PyModule | None:
        file = self.file_of(dotted) if dotted else None
        return self.parse(file) if file else None

    def place_of(
        self, module: PyModule, node: ast.AST, depth: int = 0
    ) -> tuple[PyModule, str] | None:
        """The module and the name in it that an expression means: `bp`, `users.router`."""
        if depth > DEEPEST:
            return None
        if isinstance(node, ast.Attribute):
            own = isinstance(node.value, ast.Name) and node.value.id == "self"
            owner = module if own else self._module_of(module, node.value)
            return self._named(owner, node.attr, depth) if owner is not None else None
        return self._named(module, node.id, depth) if isinstance(node, ast.Name) else None

    def _named(self, module: PyModule, name: str, depth: int) -> tuple[PyModule, str] | None:
        # A name that is imported in one branch is often set to None in the other.
        value = module.values.get(name)
        is_there = value is not None and not (
            isinstance(value, ast.Constant) and name in module.imports
        )
        if is_there or name in module.functions or name in module.classes:
            return module, name
        source, wanted = module.imports.get(name, ("", ""))
        other = self.module(source) if wanted and depth <= DEEPEST else None
        return self._named(other, wanted, depth + 1) if other is not None else None

    def items(self, module: PyModule, node: ast.AST, depth: int = 0) -> Iterator[Item]:
        """The elements of a list that is written down, through names, imports, sums, unpacking."""
        if module.tired(depth):
            return
        if isinstance(node, ast.List | ast.Tuple):
            for one in node.elts:
                if isinstance(one, ast.Starred):
                    yield from self.items(module, one.value, depth + 1)
                else:
                    yield Item(module, one)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            yield from self.items(module, node.left, depth + 1)
            yield from self.items(module, node.right, depth + 1)
        elif isinstance(node, ast.Name | ast.Attribute):
            place = self.place_of(module, node, depth)
            if place is not None and place[1] in place[0].values:
                yield from self.items(place[0], place[0].values[place[1]], depth + 1)
        elif isinstance(node, ast.Call) and called(node) == "i18n_patterns":
            yield Item(module, node)
        elif isinstance(node, ast.Call) and called(node) in _KEEPS and node.args:
            yield from self.items(module, node.args[0], depth + 1)

    def _module_of(self, module: PyModule, node: ast.AST) -> PyModule | None:
        """The module that a name or dotted name means."""
        dotted = _dotted(node)
        if dotted is None:
            return None
        first, _, rest = dotted.partition(".")
        source, wanted = module.imports.get(first, ("", ""))
        if not source and not wanted:
            return None
        return self.module(".".join(part for part in (source, wanted, rest) if part))


def _dotted(node: ast.AST) -> str | None:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else None


def called(node: ast.AST) -> str:
    """The last name of what is called: `as_view` of `X.as_view()`; empty for no call."""
    if not isinstance(node, ast.Call):
        return ""
    return last_name(node.func)


def last_name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((word.value for word in call.keywords if word.arg == name), None)


def argument(call: ast.Call, at: int, name: str) -> ast.expr | None:
    """An argument by its place or its name."""
    if len(call.args) > at and not isinstance(call.args[at], ast.Starred):
        return call.args[at]
    return keyword(call, name)
