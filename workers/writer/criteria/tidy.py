"""A line of Markdown as the plain sentence that is meant, and where one sentence ends.

Invariant: the inside of strings is never touched. `masked` is as long as its text, with strings and
brackets blanked out, so that what is looked for is found in prose only.
"""

import re

_STRING = re.compile(r"""(?<![\w)\]])(["'])(?:(?!\1)[^\\\n]|\\.)*\1(?!\w)|“[^”]*”|«[^»]*»""")
_CODE = re.compile(r"(`+)(.+?)\1")
_MARKER = re.compile(r"\s*(?:(?:[-*+•]|\d+[.)])\s+)?(?:\[[ xX]\]\s+)?")
_ID = re.compile(
    r"(?:\(?(?:AC|TC|REQ|NFR|UC|US|R|T|FR|BR)[- ]?[A-Z]*-?\d+(?:\.\d+)*\)?\s*[:.)–—-]?\s+"
    r"|\(?(?:MUST|SHALL|SHOULD|MAY|P[0-4]|CRITICAL|HIGH|MEDIUM)\)?\s*[:–—-]?\s+(?=[`\w\"(]))"
)
_LEAD = re.compile(
    r"(?:(?:e\.g\.|i\.e\.|for example|for instance|examples?)\s*[,:]?\s+"
    r"|(?:(?:it\s+)?(?:must|should|shall)\s+(?:hold|be (?:true|the case))\s+that\s+)"
    r"|(?:verify|verifies|ensure|ensures|assert|check|checks|expect|confirm|make sure|test)"
    r"(?:\s+that)?\s+"
    r"|(?:the\s+)?(?:system|implementation|function|module|code|api)\s+"
    r"(?:must|shall|should|will)\s+(?:ensure|guarantee)\s+that\s+"
    r"|(?:the\s+)?(?:result|value|return value|output)\s+of\s+(?:calling\s+)?"
    r"|(?:when\s+|on\s+)?(?:calling|invoking|evaluating|executing)\s+"
    r"|(?:the|a)\s+(?:call|function|method|expression)(?:\s+to)?\s+"
    r"|(?:given|when)\s+(?=`?[\w.]+\([^()]*\)`?\s+is\s+called))",
    re.IGNORECASE,
)
_CALLED = re.compile(r"(?<=\))\s+is\s+called\s*,?\s*(?:then\s+)?(?:it\s+)?", re.IGNORECASE)
_BREAK = re.compile(r"(?:(?<!e\.g)(?<!i\.e)(?<!etc)(?<!vs)\.|[;!])\s+(?=\S)")
_ARROWS = str.maketrans({"→": "->", "⇒": "=>", "≥": ">=", "≤": "<=", "≠": "!=", "\u00a0": " "})


def masked(text: str, *, brackets: bool = True) -> str:
    """The text with strings, and brackets unless they are wanted, blanked out."""
    hidden = _STRING.sub(lambda found: "\0" * len(found[0]), text)
    return _without_brackets(hidden) if brackets else hidden


def _without_brackets(text: str) -> str:
    letters, depth = [], 0
    for letter in text:
        opens, closes = letter in "([{", letter in ")]}"
        depth = max(0, depth - closes)
        letters.append("\0" if depth else letter)
        depth += opens
    return "".join(letters)


def unlisted(text: str) -> str:
    """Without the marker of a list, its box and an id, so that their points end no sentence."""
    return _ID.sub("", _MARKER.sub("", text, count=1), count=1)


def bare(line: str) -> str:
    """Without list marker, box, emphasis and backticks."""
    return _unmarked(_MARKER.sub("", line, count=1)).translate(_ARROWS).strip()


def plain(line: str) -> str:
    """As `bare`, and without ids, what leads in to a call, and the sign at the end."""
    text = bare(line)
    for _ in range(4):
        shorter = _ID.sub("", text, count=1) if _ID.match(text) else text
        lead = _LEAD.match(shorter)
        shorter = shorter[lead.end() :] if lead is not None else shorter
        if shorter == text:
            break
        text = shorter
    text = _CALLED.sub(" ", text, count=1)
    return _end(text)


def _unmarked(text: str) -> str:
    """Without the marks of code and emphasis; the inside of code is left as it is."""
    parts, at = [], 0
    for code in _CODE.finditer(text):
        parts += [_no_emphasis(text[at : code.start()]), code[2].strip()]
        at = code.end()
    return "".join([*parts, _no_emphasis(text[at:])])


def _no_emphasis(text: str) -> str:
    return re.sub(r"(?<!\w)(\*\*|__)(?=\S|$)|(?:(?<=\S)|^)(\*\*|__)(?!\w)", "", text)


def _end(text: str) -> str:
    text = re.sub(r"\s*\((?:AC|REQ|MUST|SHOULD|MAY|P\d|see)\b[^()]*\)\s*[.;]?\s*$", "", text)
    return re.sub(r"(?<=[^\s.])\s*[.;!,]\s*$", "", text.strip()).strip()


def sentences(text: str) -> list[str]:
    """The sentences of a criterion; points in strings and numbers end none."""
    hidden = masked(text)
    parts, at = [], 0
    for found in _BREAK.finditer(hidden):
        parts.append(text[at : found.start()])
        at = found.end()
    return [part for part in (*parts, text[at:]) if part.strip()]
