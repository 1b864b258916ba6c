"""What a function's body holds that inputs and purity are made from.

One pass over the nodes of the scope: constants it compares with, texts, patterns, slices, keys,
moduli, precisions, what is done with each name, calls, touches of the world, changed globals and
arguments. Leaves out inner functions, apart from what they touch.
"""

import ast

import msgspec

from workers.writer.analyse.python.effects import Aliases, resolved, touch
from workers.writer.analyse.python.facts import Compared, Touch, Used
from workers.writer.analyse.python.nodes import SCOPES, Callable_, dotted, is_constant, own, said

_OPS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_CHANGES = frozenset({
    *("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "add", "discard"),
    *("update", "setdefault", "popitem"),
})  # fmt: skip
_PATTERNS = frozenset({"re.compile", "re.match", "re.search", "re.fullmatch", "re.sub", "re.split",
    "re.findall", "re.finditer"})  # fmt: skip
_LONGEST = 200


class Body(msgspec.Struct, frozen=True, kw_only=True):
    compared: tuple[Compared, ...] = ()
    used: tuple[Used, ...] = ()
    texts: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    touches: tuple[Touch, ...] = ()
    globals_changed: tuple[str, ...] = ()
    arguments_changed: tuple[str, ...] = ()
    is_generator: bool = False
    returns_a_value: bool = False


def read_body(function: Callable_, known: Aliases, module_names: frozenset[str]) -> Body:
    """The facts of one function."""
    return _Reader(function, known, module_names).read()


class _Reader:
    """Gathers while it walks; each method looks at one kind of node."""

    def __init__(self, function: Callable_, known: Aliases, module_names: frozenset[str]) -> None:
        self._function = function
        self._known = known
        self._parameters = _parameters(function)
        self._module_names = module_names
        self._declared: set[str] = set()
        self._locals: set[str] = set()
        self._compared: list[Compared] = []
        self._used: list[Used] = []
        self._texts: dict[str, None] = {}
        self._patterns: dict[str, None] = {}
        self._calls: dict[str, None] = {}
        self._touches: list[Touch] = []
        self._changed: dict[str, None] = {}
        self._is_generator = False
        self._returns = False

    def read(self) -> Body:
        for node, parent in own(self._function):
            self._flags(node)
            self._look(node, parent)
            made = touch(node, self._known, parent)
            self._touches += [made] if made is not None else []
            if isinstance(node, SCOPES):
                self._inner(node)
        outside = (self._module_names - self._locals - self._parameters) | self._declared
        return Body(
            compared=tuple(self._compared),
            used=tuple(self._used),
            texts=tuple(self._texts),
            patterns=tuple(self._patterns),
            calls=tuple(self._calls),
            touches=tuple(self._touches),
            globals_changed=tuple(name for name in self._changed if name in outside),
            arguments_changed=tuple(
                name for name in self._changed if name in self._parameters - self._locals
            ),
            is_generator=self._is_generator,
            returns_a_value=self._returns,
        )

    def _flags(self, node: ast.AST) -> None:
        match node:
            case ast.Yield() | ast.YieldFrom():
                self._is_generator = True
            case ast.Return(value=value) if value is not None:
                is_none = isinstance(value, ast.Constant) and value.value is None
                self._returns = self._returns or not is_none
            case ast.Global(names=names):
                self._declared.update(names)
                self._changed.update(dict.fromkeys(names))
            case ast.Name(id=name, ctx=ast.Store()) if name not in self._declared:
                self._locals.add(name)
            case _:
                pass

    def _look(self, node: ast.AST, parent: ast.AST) -> None:
        match node:
            case ast.Compare():
                self._compare(node)
            case ast.Constant(value=str() as text):
                if 0 < len(text) <= _LONGEST and not isinstance(parent, ast.Expr):
                    self._texts[text] = None
            case ast.Call():
                self._call(node)
            case ast.Subscript():
                self._subscript(node)
            case ast.Attribute(ctx=ast.Store() | ast.Del()):
                self._change(node.value)
            case ast.BinOp():
                self._binary(node)
            case _:
                self._plain_use(node)

    def _plain_use(self, node: ast.AST) -> None:
        match node:
            case ast.For() | ast.AsyncFor() | ast.comprehension():
                self._use(node.iter, "iterated", "", getattr(node, "lineno", 0))
            case ast.Await():
                self._use(node.value, "awaited", "", node.lineno)
            case ast.Attribute():
                self._use(node.value, "attribute", node.attr, node.lineno)
            case _:
                pass

    def _inner(self, scope: ast.AST) -> None:
        """An inner function may be called here; what it touches counts."""
        for node in ast.walk(scope):
            for child in ast.iter_child_nodes(node):
                made = touch(child, self._known, node)
                self._touches += [made] if made is not None else []

    def _use(self, subject: ast.AST, how: str, what: str, line: int) -> None:
        name = said(subject) if isinstance(subject, ast.Name | ast.Attribute) else ""
        if name:
            self._used.append(Used(subject=name, how=how, what=what, line=line))

    def _compare(self, node: ast.Compare) -> None:
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            sign = _OPS[type(op)]
            if self._fixed(right) and not self._fixed(left):
                self._compared.append(_pair(left, sign, right, node.lineno))
            elif self._fixed(left) and not self._fixed(right) and sign in _TURNED:
                self._compared.append(_pair(right, _TURNED[sign], left, node.lineno))
            elif sign in {"in", "not in"} and is_constant(left):
                self._use(right, "has", said(left), node.lineno)
            left = right

    def _fixed(self, node: ast.AST) -> bool:
        """A literal, or a name of the module."""
        return is_constant(node) or (isinstance(node, ast.Name) and node.id in self._module_names)

    def _call(self, node: ast.Call) -> None:
        name = resolved(dotted(node.func), self._known)
        if name:
            self._calls[name] = None
        for argument in node.args:
            self._use(argument, "passed", name, node.lineno)
        if name in _PATTERNS and node.args and isinstance(node.args[0], ast.Constant):
            self._patterns[str(node.args[0].value)] = None
        if name == "round" and len(node.args) == 2 and is_constant(node.args[1]):
            self._used.append(Used(subject=said(node.args[0]), how="rounded",
                what=said(node.args[1]), line=node.lineno))  # fmt: skip
        if isinstance(node.func, ast.Attribute):
            self._method(node, node.func)

    def _method(self, node: ast.Call, func: ast.Attribute) -> None:
        if func.attr in _CHANGES:
            self._change(func.value)
        if node.args and is_constant(node.args[0]):
            how = "key" if func.attr in {"get", "pop", "setdefault"} else f"method:{func.attr}"
            self._use(func.value, how, said(node.args[0]), node.lineno)

    def _subscript(self, node: ast.Subscript) -> None:
        if isinstance(node.ctx, ast.Store | ast.Del):
            self._change(node.value)
            return
        if isinstance(node.slice, ast.Slice):
            for bound in (node.slice.lower, node.slice.upper, node.slice.step):
                if bound is not None and is_constant(bound):
                    self._use(node.value, "slice", said(bound), node.lineno)
            self._use(node.value, "slice", "", node.lineno)
        elif is_constant(node.slice):
            is_key = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
            self._use(node.value, "key" if is_key else "index", said(node.slice), node.lineno)
        else:
            self._use(node.value, "subscript", said(node.slice), node.lineno)

    def _binary(self, node: ast.BinOp) -> None:
        is_text = isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
        if isinstance(node.op, ast.Mod) and is_constant(node.right) and not is_text:
            self._use(node.left, "modulo", said(node.right), node.lineno)
        for one, other in ((node.left, node.right), (node.right, node.left)):
            how = "added" if isinstance(node.op, ast.Add) else "computed"
            self._use(one, how, said(other) if is_constant(other) else "", node.lineno)

    def _change(self, subject: ast.AST) -> None:
        name = dotted(subject).partition(".")[0]
        if name and name not in {"self", "cls"}:
            self._changed[name] = None


def _pair(subject: ast.AST, op: str, constant: ast.AST, line: int) -> Compared:
    return Compared(subject=said(subject), op=op, constant=said(constant), line=line)


def _parameters(function: Callable_) -> set[str]:
    args = function.args
    return {arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
