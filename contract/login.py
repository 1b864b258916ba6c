"""How to log in: the recipe that a user writes and a worker follows.

It travels as a blob (`Site.recipe_key`), never in a message. A secret stands in it only by name:
`env` and `file` are read by the worker that logs in.
"""

import msgspec


class Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A piece of a recipe."""


class FieldValue(Part, frozen=True, kw_only=True):
    """Where the text for one field comes from; exactly one of the three is given."""

    value: str | None = None
    env: str | None = None
    file: str | None = None


class Success(Part, frozen=True, kw_only=True):
    """How to tell that the login worked; each test that is given must hold.

    `selector` is visible, the address matches `url` (a prefix of the path, or a whole URL), a
    cookie named `cookie` is there.
    """

    selector: str | None = None
    url: str | None = None
    cookie: str | None = None


class LoginRecipe(Part, frozen=True, kw_only=True):
    """`url` is a path or a URL; `submit` and the keys of `fields` are CSS selectors, in order."""

    url: str
    submit: str
    fields: dict[str, FieldValue]
    success: Success
