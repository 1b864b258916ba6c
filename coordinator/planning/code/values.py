"""What a name or an expression of JavaScript stands for, as far as it is written down.

Followed through names, imports, spreads, enums and texts that are put together from others; what
a program would have to compute is None. Invariant: a reading ends, however its files refer to each
other.
"""

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from coordinator.planning.code.ecma import (
    SUFFIXES,
    Module,
    arguments,
    callee,
    literal,
    parse,
    said,
    tree_of,
)
from coordinator.planning.code.model import DEEPEST, LONGEST, Project

STEPS = 200_000
"""How often values are followed in one project: lists that hold each other twice end here."""
_USUAL_ALIASES = (
    ("@/", ["src/", "app/", "", "src/app/"]),
    ("~/", ["src/", "app/", ""]),
    ("@app/", ["src/app/"]),
    ("#/", ["src/"]),
)
_WRAPPERS = frozenset(
    (
        "parenthesized_expression",
        "as_expression",
        "satisfies_expression",
        "non_null_expression",
        "type_assertion",
        "await_expression",
    )
)


class Value(NamedTuple):
    """An expression and the module it stands in."""

    module: "Module"
    node: Node

    @property
    def line(self) -> int:
        return self.node.start_point[0] + 1


class Reader:
    """Follows names and values through the modules of a project; parses each file once."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._modules: dict[str, Module | None] = {}
        self._aliases: list[tuple[str, list[str]]] | None = None
        self._steps = STEPS

    def _tired(self, depth: int) -> bool:
        """Whether values were followed too deep or too often."""
        self._steps -= 1
        if self._steps == 0:
            self.project.ledger.note(
                self.project.root or ".", 0, "its routes refer to each other endlessly"
            )
        return depth > DEEPEST or self._steps < 0

    def module(self, name: str) -> Module | None:
        if name not in self._modules:
            self._modules[name] = parse(self.project, name)
        return self._modules[name]

    def file_of(self, source: str, importer: str) -> str | None:
        """The file of the project that an import names."""
        return next((name for name in self._places(source, importer) if self._is_file(name)), None)

    def _is_file(self, name: str) -> bool:
        return name in self.project.known and name.endswith(SUFFIXES)

    def _places(self, source: str, importer: str) -> Iterator[str]:
        for base in self._bases(source, importer):
            yield base
            stem, _, suffix = base.rpartition(".")
            if suffix in {"js", "jsx", "mjs"}:  # TypeScript names what will be there once compiled
                yield from (stem + other for other in (".ts", ".tsx"))
            yield from (base + other for other in SUFFIXES)
            yield from (f"{base}/index{other}" for other in SUFFIXES)

    def _bases(self, source: str, importer: str) -> Iterator[str]:
        if source.startswith("."):
            if (near := _resolved(importer.rpartition("/")[0], source)) is not None:
                yield near
            return
        for alias, places in (*self._own_aliases(), *_USUAL_ALIASES):
            if source.startswith(alias):
                rest = source.removeprefix(alias)
                yield from (self.project.below(place + rest) for place in places)
        yield from (self.project.below(at + source) for at in ("", "src/"))

    def _own_aliases(self) -> list[tuple[str, list[str]]]:
        """The `paths` of a TypeScript configuration: which folder an alias stands for."""
        if self._aliases is None:
            self._aliases = []
            for name in map(self.project.below, ("tsconfig.base.json", "tsconfig.json")):
                text = self.project.text(name) if name in self.project.known else None
                if text is not None:
                    # JSON with comments is an expression of the language.
                    module = Module(name, tree_of(f"export default {text}", typed=False))
                    self._aliases += self._paths(module)
        return self._aliases

    def _paths(self, module: Module) -> list[tuple[str, list[str]]]:
        if module.default is None:
            return []
        options = self.fields(Value(module, module.default)).get("compilerOptions")
        given = self.fields(options) if options is not None else {}
        base = _resolved("", self.text(given.get("baseUrl")) or ".")
        found: list[tuple[str, list[str]]] = []
        for alias, places in self.fields(given["paths"]).items() if "paths" in given else ():
            told = [_resolved(base or "", self.text(place) or "") for place in self.items(places)]
            exact = not alias.endswith("*")
            ends = [place.removesuffix("*") for place in told if place]
            found.append(
                (alias.removesuffix("*"), [e.removesuffix(".ts") if exact else e for e in ends])
            )
        return found

    def export(self, file: str, name: str, depth: int = 0) -> Value | None:
        """What a module exports under a name."""
        module = self.module(file)
        if module is None or depth > DEEPEST:
            return None
        if name == "default" and "default" not in module.exports:
            return Value(module, module.default) if module.default is not None else None
        local = module.exports.get(name)
        if local is not None:
            return self._named(module, local, depth + 1)
        if name in module.passed_on:
            return self._from(*module.passed_on[name], file, depth)
        found = (self._from(source, name, file, depth) for source in module.all_from)
        return next((value for value in found if value is not None), None)

    def _from(self, source: str, name: str, importer: str, depth: int) -> Value | None:
        file = self.file_of(source, importer)
        return self.export(file, name, depth + 1) if file else None

    def _named(self, module: Module, name: str, depth: int) -> Value | None:
        if name in module.bindings:
            return Value(module, module.bindings[name])
        if name in module.imports:
            source, wanted = module.imports[name]
            return self._from(source, wanted, module.name, depth)
        return None

    def value(self, given: Value, depth: int = 0) -> Value:
        """The expression that an expression stands for, as far as it is written down."""
        module, node = given
        while depth <= DEEPEST:
            depth += 1
            if node.type in _WRAPPERS and node.named_children:
                kept = [n for n in node.named_children if n.type != "comment"]
                node = kept[-1] if node.type == "type_assertion" else kept[0]
                continue
            following = self._following(Value(module, node), depth)
            if following is None:
                break
            module, node = following
        return Value(module, node)

    def _following(self, given: Value, depth: int) -> Value | None:
        module, node = given
        if node.type in {"identifier", "shorthand_property_identifier"}:
            return self._named(module, said(node), depth)
        if node.type == "member_expression":
            return self._member(given, depth)
        frozen = node.type == "call_expression" and callee(node) == "Object.freeze"
        return Value(module, arguments(node)[0]) if frozen and arguments(node) else None

    def _member(self, given: Value, depth: int) -> Value | None:
        module, node = given
        target, name = (
            node.child_by_field_name("object"),
            said(node.child_by_field_name("property")),
        )
        if target is None:
            return None
        source, wanted = module.imports.get(said(target), ("", ""))
        if wanted == "*":
            return self._from(source, name, module.name, depth)
        return self.fields(Value(module, target), depth + 1).get(name)

    def fields(self, given: Value, depth: int = 0) -> dict[str, Value]:
        """The properties of an object that is written down; those of an enum too."""
        if self._tired(depth):
            return {}
        module, node = self.value(given, depth)
        found: dict[str, Value] = {}
        if node.type == "enum_declaration":
            body = node.child_by_field_name("body")
            for one in body.named_children if body is not None else ():
                if (value := one.child_by_field_name("value")) is not None:
                    found[said(one.child_by_field_name("name"))] = Value(module, value)
        for one in node.named_children if node.type == "object" else ():
            if one.type == "pair" and (value := one.child_by_field_name("value")) is not None:
                key = one.child_by_field_name("key")
                found[literal(key) or said(key)] = Value(module, value)
            elif one.type == "method_definition":
                found[said(one.child_by_field_name("name"))] = Value(module, one)
            elif one.type == "shorthand_property_identifier":
                found[said(one)] = Value(module, one)
            elif one.type == "spread_element" and one.named_children:
                found |= self.fields(Value(module, one.named_children[0]), depth + 1)
        return found

    def text(self, given: Value | None, depth: int = 0) -> str | None:
        """The text that an expression comes to, or None where a program would have to run."""
        if given is None or self._tired(depth):
            return None
        module, node = self.value(given, depth)
        if node.type == "template_string":
            parts = [self._part(module, child, depth) for child in node.named_children]
            return None if None in parts else _short("".join(part or "" for part in parts))
        if node.type == "binary_expression" and said(node.child_by_field_name("operator")) == "+":
            left, right = (node.child_by_field_name(side) for side in ("left", "right"))
            before = self.text(Value(module, left), depth + 1) if left is not None else None
            after = self.text(Value(module, right), depth + 1) if right is not None else None
            return None if before is None or after is None else _short(before + after)
        return literal(node)

    def _part(self, module: Module, node: Node, depth: int) -> str | None:
        if node.type == "template_substitution":
            inner = node.named_children
            return self.text(Value(module, inner[0]), depth + 1) if inner else None
        return said(node)

    def items(self, given: Value, depth: int = 0) -> Iterator[Value]:
        """The elements of an array, through spreads, `concat` and conditions."""
        if self._tired(depth):
            return
        module, node = self.value(given, depth)
        if node.type == "array":
            for one in node.named_children:
                if one.type == "spread_element" and one.named_children:
                    yield from self.items(Value(module, one.named_children[0]), depth + 1)
                elif one.type != "comment":
                    yield Value(module, one)
        elif node.type in {"ternary_expression", "binary_expression"}:
            for child in node.named_children[1:]:
                yield from self.items(Value(module, child), depth + 1)
        elif node.type == "call_expression" and callee(node).endswith("concat"):
            target = node.child_by_field_name("function")
            start = target.child_by_field_name("object") if target is not None else None
            for child in ([start] if start is not None else []) + arguments(node):
                yield from self.items(Value(module, child), depth + 1)


def _short(text: str) -> str | None:
    return text if len(text) <= LONGEST else None


def _resolved(folder: str, source: str) -> str | None:
    """A relative import against the folder of its file; None if it leaves the project."""
    parts = folder.split("/") if folder else []
    for part in source.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)
