"""Some of what is planted in the shop of the demo, as it is reported.

They need what the practice site has not: a login, steps before the last one, a field to fill.
"""

from contract.action_tree import Bug, Step
from contract.vocabulary import BugKind
from tests.support.reported import bug

SHOP: list[tuple[str, Bug]] = [
    (
        "/",
        bug(
            kind=BugKind.PAGE_ERROR,
            path=(Step(action="open", label="/"),),
            actual="TypeError: Cannot read properties of undefined (reading 'today')",
        ),
    ),
    (
        "/orders/5001",
        bug(
            kind=BugKind.HTTP_5XX,
            path=(
                Step(action="press", label="Track parcel", locator="no-such-element"),
                Step(action="press", label="Show events", locator='button:text-is("Show events")'),
            ),
            actual="GET /api/orders/5001/parcel answered 500",
        ),
    ),
    (
        "/discounts",
        bug(
            kind=BugKind.HTTP_4XX,
            path=(
                Step(action="fill", label="Code", locator='input[aria-label="Code"]', value="x-1"),
                Step(action="press", label="Check code", locator='button:text-is("Check code")'),
            ),
            actual="GET /api/discounts/check answered 404, and the page says nothing",
        ),
    ),
    (
        "/products/101",
        bug(
            kind=BugKind.DEAD_CONTROL,
            path=(Step(action="press", label="Preview in shop", locator=""),),
        ),
    ),
]
