"""Known noise: what consoles and networks say on sound pages, and what the user calls noise.

A console line, an address or a text that a pattern is found in is no bug. The user's patterns come
from `noise` in `mazewave.toml`; the list here holds what no app is to blame for. A pattern that is
no regular expression is taken as plain text: the coordinator refuses it at the door.
"""

import re
from functools import cache

KNOWN = (
    r"ResizeObserver loop",
    r"favicon(-\d+x\d+)?\.(ico|png|svg)|apple-touch-icon",
    r"^(chrome|moz|safari-web|ms-browser)-extension:|\b(chrome|moz)-extension://",
    r"[Ss]ource ?[Mm]ap (error|load)|sourceMappingURL|\.map(\?|$)",
    r"\[(HMR|vite|webpack-dev-server|WDS|Fast Refresh)\]",
    r"/@vite/|/@react-refresh|webpack-hmr|hot-update\.|sockjs-node|/_next/static/webpack/",
    r"WebSocket connection to .*(hmr|vite|webpack|sockjs|livereload|/ws)\b",
    r"(React|Vue|Redux|Apollo) ?DevTools|Download the \w+ DevTools",
    r"^Warning: .*(deprecated|findDOMNode|legacy context)|^\[Deprecation\]|^\[Violation\]",
    r"^Failed to load resource:",
    r"net::ERR_BLOCKED_BY_CLIENT",
    r"^(Uncaught )?Script error\.?$",
    r"(AbortError|The (user aborted|operation was aborted)|signal is aborted)",
    r"The play\(\) request was interrupted|play\(\) failed because the user didn't interact",
    r"was preloaded using link preload but not used",
    r"Permissions[- ]Policy|Feature[- ]Policy|third-party cookie|SameSite",
    r"Non-Error promise rejection captured",
    r"GPU stall|WebGL.*(context|software)|Automatic fallback to software",
    r"/(cdn-cgi|livereload)(/|\?|\.|$)",
)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error:
        return re.compile(re.escape(pattern))


def matches(said: str, patterns: tuple[str, ...]) -> bool:
    """Whether something is known noise, or noise by the user's own patterns."""
    return any(_compiled(pattern).search(said) for pattern in (*KNOWN, *patterns))
