"""The facts of one source text.

Invariant: never raises for any text. Functions inside of functions are left out: no test can reach
them. Definitions under `if` and `try` of the module count, since one of them is there.
"""

import ast
import warnings
from collections.abc import Iterator

from workers.writer.analyse.python.classes import read_class
from workers.writer.analyse.python.docs import docstring, examples
from workers.writer.analyse.python.effects import Aliases, aliases, resolved, touch
from workers.writer.analyse.python.facts import Field, Import, Module, Touch, Trouble
from workers.writer.analyse.python.functions import read_function
from workers.writer.analyse.python.nodes import Callable_, dotted, own, said


def read_module(text: str, name: str, path: str = "") -> Module:
    """The facts of a text; `name` is how the module is imported."""
    try:
        tree = _parsed(text)
    except SyntaxError as error:
        trouble = Trouble(why=error.msg, line=error.lineno or 0)
    except (ValueError, RecursionError, MemoryError) as error:
        trouble = Trouble(why=str(error) or "nested too deeply")
    else:
        return _module(tree, name, path)
    return Module(name=name, path=path, trouble=trouble)


def _parsed(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the warnings of a stranger's code are not ours
        return ast.parse(text)


def _module(tree: ast.Module, name: str, path: str) -> Module:
    imports = tuple(_imports(tree, name, path))
    known = aliases(imports)
    constants = tuple(_constants(tree))
    names = frozenset(constant.name for constant in constants)
    top = list(_definitions(tree.body))
    text, first = docstring(tree)
    touches, calls = _at_import(tree, known)
    return Module(
        name=name,
        path=path,
        docstring=text,
        examples=examples(text, first),
        imports=imports,
        functions=tuple(
            read_function(node, known, names) for node in top if isinstance(node, Callable_)
        ),
        classes=tuple(
            read_class(node, known, names) for node in top if isinstance(node, ast.ClassDef)
        ),
        constants=constants,
        exports=_exports(tree),
        at_import=touches,
        called_at_import=calls,
    )


def _definitions(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Functions and classes; of several with one name the last."""
    found: dict[str, ast.stmt] = {}
    stack = list(reversed(body))
    while stack:
        statement = stack.pop()
        if isinstance(statement, Callable_ | ast.ClassDef):
            found[statement.name] = statement
        elif isinstance(statement, ast.If) and not _is_main(statement):
            stack += reversed([*statement.body, *statement.orelse])
        elif isinstance(statement, ast.Try):
            handlers = [inner for handler in statement.handlers for inner in handler.body]
            stack += reversed([*statement.body, *handlers, *statement.orelse])
    yield from sorted(found.values(), key=lambda node: node.lineno)


def _imports(tree: ast.Module, name: str, path: str) -> Iterator[Import]:
    """All imports, those inside of functions too; relative ones are made absolute."""
    is_package = path.endswith("__init__.py")
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for part in node.names:
                yield Import(module=part.name, alias=part.asname or "", line=node.lineno)
        elif isinstance(node, ast.ImportFrom):
            module = _absolute(node, name, is_package)
            for part in node.names:
                yield Import(
                    module=module,
                    name=part.name,
                    alias=part.asname or "",
                    level=0 if module else node.level,
                    line=node.lineno,
                )


def _absolute(node: ast.ImportFrom, name: str, is_package: bool) -> str:
    if not node.level:
        return node.module or ""
    parts = name.split(".")
    kept = len(parts) - node.level + is_package
    if kept < 0 or not name:
        return ""
    return ".".join([*parts[:kept], *([node.module] if node.module else [])])


def _constants(tree: ast.Module) -> Iterator[Field]:
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target, value = statement.targets[0], statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            target, value = statement.target, statement.value
        else:
            continue
        if isinstance(target, ast.Name):
            yield Field(name=target.id, default=said(value), line=statement.lineno)


def _exports(tree: ast.Module) -> tuple[str, ...] | None:
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and said(statement.targets[0]) == "__all__":
            try:
                names = ast.literal_eval(statement.value)
            except (ValueError, TypeError, SyntaxError, RecursionError):
                return None
            return tuple(map(str, names)) if isinstance(names, list | tuple) else None
    return None


def _at_import(tree: ast.Module, known: Aliases) -> tuple[tuple[Touch, ...], tuple[str, ...]]:
    """What an import touches, and the functions that it calls for their effect alone."""
    kept = [node for node in tree.body if not (isinstance(node, ast.If) and _is_main(node))]
    touches: list[Touch] = []
    calls: dict[str, None] = {}
    for node, parent in own(ast.Module(body=kept, type_ignores=[])):
        made = touch(node, known, parent)
        touches += [made] if made is not None else []
        if isinstance(node, ast.Call) and isinstance(parent, ast.Expr):
            calls[resolved(dotted(node.func), known)] = None
    return tuple(touches), tuple(calls)


def _is_main(node: ast.If) -> bool:
    return "__name__" in said(node.test) and "__main__" in said(node.test)
