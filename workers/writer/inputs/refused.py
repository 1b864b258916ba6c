"""What is never made up, whatever a project's code suggests.

Paths outside of the test's own folder, addresses other than this machine, lines for a shell, mail
addresses that may be somebody's, and mocks. Invariant: judged by the texts and names in a sample.
"""

import ast
import re
from urllib.parse import urlsplit

_PATH = re.compile(r"(?:~/?|/|\\\\|[A-Za-z]:[\\/])[\w.]|(?:.*[\\/])?\.\.(?:[\\/]|$)")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_MAIL = re.compile(r"[\w.+-]+@([\w-]+(?:\.[\w-]+)+)")
_NOBODY = re.compile(
    r"(?:^|\.)(?:example\.(?:com|org|net)|example|invalid|test|localhost)$", re.IGNORECASE
)
_SHELL = re.compile(
    r"\$\(|`|&&|\|\||[;|&]\s*\w+\s|(?:^|\s)(?:rm|sudo|curl|wget|chmod|mkfs|dd|sh|bash)\s+\S"
)
_MOCKS = frozenset({"Mock", "MagicMock", "AsyncMock", "create_autospec", "patch", "mock"})
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})


def refused(source: str) -> str:
    """Why a sample must not be used, or nothing."""
    try:
        tree = ast.parse(source, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "not an expression"
    for node in ast.walk(tree):
        why = ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
            why = _text(text)
        elif isinstance(node, ast.Name | ast.Attribute):
            name = node.id if isinstance(node, ast.Name) else node.attr
            why = "a mock" if name in _MOCKS else ""
        if why:
            return why
    return ""


def _text(text: str) -> str:
    if _ADDRESS.match(text):
        try:
            host = urlsplit(text).hostname
        except ValueError:
            return "an address"
        return "" if host in _HERE else "an address"
    if _PATH.match(text):
        return "a path"
    mail = _MAIL.search(text)
    if mail is not None and not _NOBODY.search(mail[1]):
        return "a mail address"
    return "a line for a shell" if _SHELL.search(text) else ""
