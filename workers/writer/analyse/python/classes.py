"""The facts of one class: what kind it is, its fields, its members, its methods.

Invariant: fields are those of the class itself; what is inherited is left to who has the bases.
"""

import ast

from workers.writer.analyse.python.docs import docstring, examples
from workers.writer.analyse.python.effects import Aliases, resolved
from workers.writer.analyse.python.facts import Class, Field
from workers.writer.analyse.python.functions import read_function
from workers.writer.analyse.python.nodes import Callable_, dotted, said

_BASES = {
    "Enum": "enum", "IntEnum": "enum", "StrEnum": "enum", "Flag": "enum", "IntFlag": "enum",
    "NamedTuple": "named_tuple", "TypedDict": "typed_dict", "Protocol": "protocol",
    "BaseModel": "model", "BaseSettings": "model", "Struct": "model", "SQLModel": "model",
    "Exception": "exception", "BaseException": "exception",
}  # fmt: skip
_DECORATORS = {
    "dataclass": "dataclass", "dataclasses.dataclass": "dataclass",
    "pydantic.dataclasses.dataclass": "dataclass", "attr.s": "dataclass",
    "attrs.define": "dataclass",
    "attr.define": "dataclass", "attrs.frozen": "dataclass", "attr.attrs": "dataclass",
}  # fmt: skip


def read_class(node: ast.ClassDef, known: Aliases, module_names: frozenset[str]) -> Class:
    text, first = docstring(node)
    kind = _kind(node, known)
    fields, members = _fields(node, kind)
    return Class(
        name=node.name,
        kind=kind,
        line=node.lineno,
        end_line=node.end_lineno or node.lineno,
        bases=tuple(resolved(dotted(base), known) or said(base) for base in node.bases),
        decorators=tuple(said(decorator) for decorator in node.decorator_list),
        docstring=text,
        examples=examples(text, first),
        fields=fields,
        members=members,
        methods=tuple(
            read_function(method, known, module_names, node.name)
            for method in node.body
            if isinstance(method, Callable_)
        ),
        frozen=_frozen(node),
    )


def _kind(node: ast.ClassDef, known: Aliases) -> str:
    for decorator in node.decorator_list:
        name = resolved(dotted(decorator).removesuffix("()"), known)
        if name in _DECORATORS:
            return _DECORATORS[name]
    for base in node.bases:
        name = dotted(base.value if isinstance(base, ast.Subscript) else base).rsplit(".", 1)[-1]
        if name in _BASES:
            return _BASES[name]
        if name.endswith(("Error", "Exception", "Warning")):
            return "exception"
    return "class"


def _fields(node: ast.ClassDef, kind: str) -> tuple[tuple[Field, ...], tuple[Field, ...]]:
    """Annotated names, and of an enum those with a value."""
    fields, members = [], []
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            if not said(statement.annotation).startswith(("ClassVar", "typing.ClassVar")):
                fields.append(_field(statement.target.id, statement))
        elif isinstance(statement, ast.Assign) and kind == "enum":
            members += [
                Field(name=target.id, default=said(statement.value), line=statement.lineno)
                for target in statement.targets
                if isinstance(target, ast.Name) and not target.id.startswith("_")
            ]
    return tuple(fields), tuple(members)


def _field(name: str, statement: ast.AnnAssign) -> Field:
    return Field(
        name=name,
        annotation=said(statement.annotation),
        default=said(statement.value) if statement.value is not None else None,
        line=statement.lineno,
    )


def _frozen(node: ast.ClassDef) -> bool:
    decorated = any(
        "frozen=True" in said(one) or "frozen" in dotted(one) for one in node.decorator_list
    )
    return decorated or any(said(word) == "frozen=True" for word in node.keywords)
