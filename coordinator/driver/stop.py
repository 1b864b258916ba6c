"""Ctrl-C and SIGTERM: the first one asks, the second one leaves.

Invariant: a handler only notes or raises; files are whole at any instant, since each is replaced by
a rename. Leaves out what stopping means, which is the machine's.
"""

import signal
from types import FrameType, TracebackType
from typing import Any, Self

from coordinator.errors import ExitCode

_CODES = {signal.SIGINT: ExitCode.INTERRUPTED, signal.SIGTERM: ExitCode.TERMINATED}


class LeaveNow(BaseException):
    """The user does not want to wait any longer. Passes every `except Exception`."""


class StopSignals:
    """Listens by `with`, in the main thread. `exit_code` is that of the first signal."""

    def __init__(self) -> None:
        self.asked = False
        self.exit_code = ExitCode.OK
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        for number in _CODES:
            self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        if self.asked:
            raise LeaveNow
        self.asked = True
        self.exit_code = _CODES[signal.Signals(number)]
