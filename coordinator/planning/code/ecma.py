"""JavaScript and TypeScript, parsed and read as data: top-level names, imports, exports, literals.

Parsed by tree-sitter, which neither runs anything nor recurses; a file with a mistake in it is
noted with its line, and what stands around the mistake is still read. Leaves out what a name or an
expression stands for, which is `values`'.
"""

from collections.abc import Iterator
from functools import cache

import tree_sitter_typescript
from tree_sitter import Language, Node, Parser

from coordinator.planning.code.model import LONGEST, Project

SUFFIXES = (".ts", ".tsx", ".js", ".jsx", ".mts", ".mjs", ".cts", ".cjs")


class Module:
    """One file: its top-level names, what it imports and what it exports."""

    def __init__(self, name: str, root: Node) -> None:
        self.name = name
        self.root = root
        self.bindings: dict[str, Node] = {}
        self.imports: dict[str, tuple[str, str]] = {}
        self.exports: dict[str, str] = {}
        self.passed_on: dict[str, tuple[str, str]] = {}
        self.all_from: list[str] = []
        self.default: Node | None = None
        for node in root.named_children:
            _read_statement(self, node)


@cache
def _parser(typed: bool) -> Parser:
    if typed:
        return Parser(Language(tree_sitter_typescript.language_typescript()))
    return Parser(Language(tree_sitter_typescript.language_tsx()))


def parse(project: Project, name: str) -> Module | None:
    """The module in a file, or None with a note."""
    text = project.text(name)
    if text is None:
        return None
    # `.ts` has casts in pointed brackets where the others have elements.
    root = tree_of(text, typed=name.endswith((".ts", ".mts", ".cts")))
    if root.has_error:
        line = _first_mistake(root)
        project.ledger.note(name, line, "does not parse; what stands around it was read")
    return Module(name, root)


def tree_of(text: str, *, typed: bool) -> Node:
    """The root of a parsed text, whole or with mistakes in it."""
    return _parser(typed).parse(text.encode()).root_node


def _first_mistake(node: Node) -> int:
    while not (node.is_error or node.is_missing):
        found = next(
            (child for child in node.children if child.has_error or child.is_missing), None
        )
        if found is None:
            break
        node = found
    return node.start_point[0] + 1


def said(node: Node | None) -> str:
    """The source text of a node."""
    return (node.text or b"").decode(errors="replace") if node is not None else ""


def every(root: Node, *kinds: str, into: bool = True) -> Iterator[Node]:
    """The nodes of some kinds in document order; without `into`, not those inside of another."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type in kinds:
            yield node
            if not into:
                continue
        waiting.extend(reversed(node.named_children))


def literal(node: Node | None) -> str | None:
    """The text of a string that is written out."""
    if node is None or node.type not in {"string", "template_string"}:
        return None
    if any(child.type == "template_substitution" for child in node.named_children):
        return None
    if node.end_byte - node.start_byte > LONGEST:
        return None
    return _unescaped("".join(said(child) for child in node.named_children))


def _unescaped(text: str) -> str:
    return text.replace("\\\\", "\\").replace("\\'", "'").replace('\\"', '"').replace("\\/", "/")


def callee(call: Node) -> str:
    """`a.b` of the call `a.b()`."""
    return said(call.child_by_field_name("function"))[:200]


def arguments(call: Node) -> list[Node]:
    given = call.child_by_field_name("arguments")
    return [] if given is None else [n for n in given.named_children if n.type != "comment"]


def imported(node: Node) -> str | None:
    """The file that an `import("…")` somewhere in an expression names."""
    for call in every(node, "call_expression"):
        if callee(call) in {"import", "require"} and arguments(call):
            return literal(arguments(call)[0])
    return None


def _read_statement(module: Module, node: Node) -> None:
    if node.type == "import_statement":
        _read_import(module, node)
    elif node.type == "export_statement":
        _read_export(module, node)
    else:
        for name, value in _declared(node):
            module.bindings[name] = value


def _declared(node: Node) -> Iterator[tuple[str, Node]]:
    if node.type in {"lexical_declaration", "variable_declaration"}:
        for one in node.named_children:
            value = one.child_by_field_name("value")
            if one.type == "variable_declarator" and value is not None:
                yield said(one.child_by_field_name("name")), value
    elif node.type in {
        "function_declaration",
        "class_declaration",
        "enum_declaration",
        "abstract_class_declaration",
    }:
        yield said(node.child_by_field_name("name")), node


def _read_import(module: Module, node: Node) -> None:
    source = literal(node.child_by_field_name("source"))
    clause = next((child for child in node.named_children if child.type == "import_clause"), None)
    if source is None or clause is None:
        return
    for child in clause.named_children:
        if child.type == "identifier":
            module.imports[said(child)] = (source, "default")
        elif child.type == "namespace_import":
            module.imports[said(child.named_children[-1])] = (source, "*")
        for one in child.named_children if child.type == "named_imports" else ():
            name, alias = _names(one)
            module.imports[alias] = (source, name)


def _names(specifier: Node) -> tuple[str, str]:
    name = said(specifier.child_by_field_name("name"))
    return name, said(specifier.child_by_field_name("alias")) or name


def _read_export(module: Module, node: Node) -> None:
    source = literal(node.child_by_field_name("source"))
    declaration = node.child_by_field_name("declaration")
    value = node.child_by_field_name("value")
    is_default = any(child.type == "default" for child in node.children)
    for name, declared in _declared(declaration) if declaration is not None else ():
        module.bindings[name] = declared
        module.exports["default" if is_default else name] = name
    if is_default:
        module.default = value if value is not None else declaration
        if value is not None and value.type == "identifier":
            module.exports["default"] = said(value)
    clause = next((child for child in node.named_children if child.type == "export_clause"), None)
    for one in clause.named_children if clause is not None else ():
        name, alias = _names(one)
        if source is None:
            module.exports[alias] = name
        else:
            module.passed_on[alias] = (source, name)
    if source is not None and clause is None:
        module.all_from.append(source)
