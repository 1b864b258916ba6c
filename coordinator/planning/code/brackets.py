"""Parameters in brackets, as the names of files carry them in Nuxt and SvelteKit."""

from coordinator.planning.code import paths


def in_brackets(part: str) -> str:
    """`[id]` as `:id`, `[[id]]` as `:id?`, `[...rest]` as `:rest+`, `user-[id]` as `user-:id`.

    What a matcher (`[id=int]`) asks of the value is dropped.
    """
    told = ""
    rest = part
    while "[" in rest:
        before, _, rest = rest.partition("[")
        optional = rest.startswith("[")
        inner, closing, rest = rest.lstrip("[").partition("]")
        if not closing:
            return told + before + "[" + inner
        rest = rest.removeprefix("]") if optional else rest
        name = paths.word(inner.removeprefix("...").partition("=")[0])
        mark = "+" if inner.startswith("...") else "?" if optional else ""
        told += f"{before}:{name}{mark}"
    return told + rest
