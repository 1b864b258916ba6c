"""What a criterion claims, as data.

Invariant: every `source` is a Python expression that can be parsed; every claim knows its line, the
words it was read from and how sure the reading is (1.0: no other reading is possible). Below
`SURE_ENOUGH` a failing test is worth a question, not an accusation.
"""

from enum import StrEnum

import msgspec

SURE_ENOUGH = 0.8


class ValueKind(StrEnum):
    """What was written. `CALL` and `NAME` are no literals: they stand for what is not yet known."""

    INT = "int"
    FLOAT = "float"
    STR = "str"
    BYTES = "bytes"
    BOOL = "bool"
    NONE = "none"
    UNDEFINED = "undefined"
    LIST = "list"
    TUPLE = "tuple"
    SET = "set"
    DICT = "dict"
    DATE = "date"
    DATETIME = "datetime"
    MONEY = "money"
    PERCENT = "percent"
    OBJECT = "object"
    MEMBER = "member"
    REGEX = "regex"
    BARE = "bare"
    CALL = "call"
    NAME = "name"


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """A value as a Python expression, and as it was written."""

    source: str
    kind: ValueKind
    written: str = ""
    name: str = ""
    """The name of a keyword argument."""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One call. `source` is the whole expression: receiver, path and wrappers like `len` too."""

    target: str
    source: str
    arguments: tuple[Value, ...] = ()
    receiver: str = ""
    free: tuple[str, ...] = ()
    """Names in it that stand for any value."""
    sure: float = 1.0


class Op(StrEnum):
    """What is said of a value."""

    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    TRUTHY = "truthy"
    FALSY = "falsy"
    EMPTY = "empty"
    NOT_EMPTY = "not_empty"
    SORTED = "sorted"
    SORTED_DOWN = "sorted_down"
    UNIQUE = "unique"
    CONTAINS = "contains"
    LACKS = "lacks"
    MATCHES = "matches"
    LENGTH = "length"
    BETWEEN = "between"
    WITHIN = "within"
    STARTS = "starts"
    ENDS = "ends"
    IS_A = "is_a"
    RAISES = "raises"


class Bound(msgspec.Struct, frozen=True, kw_only=True):
    """What a free name may stand for: a type, or a comparison with a literal."""

    name: str
    op: Op
    value: str


class _Read(msgspec.Struct, frozen=True, kw_only=True):
    line: int = 1
    text: str = ""
    sure: float = 1.0


class CallReturns(_Read, frozen=True, kw_only=True, tag="returns"):
    call: Call
    expected: Value


class CallRaises(_Read, frozen=True, kw_only=True, tag="raises"):
    """`error` is empty where only some error is claimed; `message` is part of what it says."""

    call: Call
    error: str = ""
    message: str = ""
    is_pattern: bool = False


class Predicate(_Read, frozen=True, kw_only=True, tag="predicate"):
    call: Call
    op: Op
    operands: tuple[Value, ...] = ()
    domain: tuple[Bound, ...] = ()


class Invariant(_Read, frozen=True, kw_only=True, tag="invariant"):
    """Two expressions that stand in a relation for all values of the free names."""

    left: str
    op: Op
    right: str
    free: tuple[str, ...]
    targets: tuple[str, ...]
    domain: tuple[Bound, ...] = ()


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a table: a value for each parameter and what comes of it."""

    line: int
    arguments: tuple[Value, ...]
    expected: Value | None = None
    error: str = ""


class Cases(_Read, frozen=True, kw_only=True, tag="cases"):
    """`target` is empty where the text around a table names no function."""

    target: str
    parameters: tuple[str, ...]
    rows: tuple[Case, ...]


class Clause(msgspec.Struct, frozen=True, kw_only=True):
    """A Given or a When: its words, the literals in it, and the call if it is one."""

    text: str
    values: tuple[Value, ...] = ()
    call: Call | None = None


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """A Then: what holds of a subject; an error has its class and message as operands."""

    subject: str
    op: Op
    operands: tuple[Value, ...] = ()


class GivenWhenThen(_Read, frozen=True, kw_only=True, tag="given"):
    given: tuple[Clause, ...]
    when: Clause
    then: tuple[Outcome, ...]


class HttpExchange(_Read, frozen=True, kw_only=True, tag="http"):
    method: str
    path: str
    status: int
    body: Value | None = None
    without: str = ""
    """What the request lacks, such as a token."""
    contains: Value | None = None


class UiStep(_Read, frozen=True, kw_only=True, tag="ui"):
    """`act`: click, fill, see, not_see, visible, url."""

    act: str
    name: str
    role: str = ""
    value: str = ""


Claim = (
    CallReturns | CallRaises | Predicate | Invariant | Cases | GivenWhenThen | HttpExchange | UiStep
)


class Unread(msgspec.Struct, frozen=True, kw_only=True):
    """A criterion that no form fits."""

    line: int
    text: str
    why: str


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    claims: tuple[Claim, ...] = ()
    unread: tuple[Unread, ...] = ()
