"""Ties between processes on Linux: children that die with their parent, orphans that come home.

Invariant: on other systems every function is harmless and does nothing; there the pipe to the
parent and the workers' own look at their parent have to do.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """Make orphaned descendants children of this process, rather than of pid 1."""
    libc = _libc()
    if libc is not None:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent(number: int = signal.SIGKILL) -> Callable[[], None] | None:
    """What a child calls between fork and exec, so that the kernel sends it this signal.

    The library is loaded before the fork: after it only the call itself is safe. The parent may be
    gone before the child asks, which the second look is for.
    """
    libc = _libc()
    if libc is None:
        return None
    parent = os.getpid()

    def tie() -> None:
        libc.prctl(PR_SET_PDEATHSIG, number, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return tie


def _libc() -> ctypes.CDLL | None:
    return ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
