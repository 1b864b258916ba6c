"""One look at the app before anything is started, so that a typo in its address costs a second.

Any answer will do, an error page too: whether pages work is what the run finds out. Leaves out the
login, and everything a browser sees.
"""

import http.client
import ssl
import urllib.error
import urllib.request

from coordinator.errors import BlockedError

WAIT_S = 10.0


def reach(url: str) -> None:
    """Raises `BlockedError` if nothing answers at `url`."""
    request = urllib.request.Request(url, headers={"User-Agent": "mazewave"})  # noqa: S310 - http(s)
    try:
        with urllib.request.urlopen(request, timeout=WAIT_S):  # noqa: S310 - checked by `parse_url`
            return
    except urllib.error.HTTPError as error:
        error.close()
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, ssl.SSLCertVerificationError):
            return  # The browser has its own store of certificates, and says so if it minds.
        raise BlockedError(
            f"the app at {url} does not answer: {_words(reason)}",
            "start it, or correct the address, then run the same command again",
        ) from error


def _words(reason: object) -> str:
    if isinstance(reason, TimeoutError):
        return f"nothing within {WAIT_S:.0f} s"
    if isinstance(reason, OSError):
        return reason.strerror or str(reason)
    return str(reason) or type(reason).__name__
