"""The invariant form: `decode(encode(x)) == x`, `f(a, b) == f(b, a)`, `f(f(x)) equals f(x)`.

Invariant: both sides are expressions of calls, free names, literals and arithmetic, at least one
with a call, and the names of the right side stand on the left too.
"""

import ast
import re

from workers.writer.criteria.claims import Invariant, Op
from workers.writer.criteria.sentence import Found, Sentence
from workers.writer.criteria.tidy import masked

_JOINTS = re.compile(
    r"\s*(?:(?P<eq>===?|(?<![<>!=])=(?!=)|\b(?:(?:must|should|shall|always)\s+)*"
    r"(?:equals?|is\s+equal\s+to|is\s+the\s+same\s+as|be\s+equal\s+to|returns|is)\b)"
    r"|(?P<op>!=|>=|<=|<(?!=)|(?<!-|=)>(?!=)))\s*",
    re.IGNORECASE,
)
_OPS = {">=": Op.GE, "<=": Op.LE, ">": Op.GT, "<": Op.LT, "!=": Op.NE}
_ALLOWED = (
    *(ast.Expression, ast.Call, ast.Name, ast.Constant, ast.Load, ast.UnaryOp, ast.USub),
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Mod, ast.FloorDiv, ast.keyword),
    *(ast.List, ast.Tuple, ast.Subscript, ast.Attribute, ast.Slice, ast.Set, ast.Dict),
)
_BUILTINS = frozenset({"True", "False", "None", "true", "false", "null"})


def read(sentence: Sentence, at: int) -> Found | None:
    """The whole rest of the sentence, or nothing."""
    text = sentence.text[at:]
    joints = list(_JOINTS.finditer(masked(text)))
    if len(joints) != 1:
        return None
    left = _side(text[: joints[0].start()])
    right = _side(text[joints[0].end() :])
    if left is None or right is None:
        return None
    names, targets = _names(left), _targets(left, right)
    if not names or not targets or not set(_names(right)) <= set(names):
        return None
    if not _targets(right) and sentence.domain is None and not _names(right):
        return None  # `f(x) == 5` may be an example whose x is known elsewhere
    claim = Invariant(
        left=ast.unparse(left),
        op=_OPS.get(joints[0]["op"], Op.EQ),
        right=ast.unparse(right),
        free=names,
        targets=targets,
        domain=sentence.domain or (),
        line=sentence.line,
        text=sentence.said,
        sure=0.9 if sentence.domain is None else 1.0,
    )
    return claim, len(sentence.text)


def _side(text: str) -> ast.Expression | None:
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree if all(isinstance(node, _ALLOWED) for node in ast.walk(tree)) else None


def _called(*trees: ast.AST) -> list[ast.Call]:
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]


def _targets(*trees: ast.AST) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ast.unparse(call.func) for call in _called(*trees)))


def _names(tree: ast.AST) -> tuple[str, ...]:
    """The free names, in their order; what is called is none, and what it hangs on neither."""
    heads = {id(node) for call in _called(tree) for node in ast.walk(call.func)}
    free = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and id(node) not in heads and node.id not in _BUILTINS
    ]
    free.sort(key=lambda node: node.col_offset)
    return tuple(dict.fromkeys(node.id for node in free))
