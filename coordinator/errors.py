"""What goes wrong outside of the app under test: for the user, the host, or us.

Every error is a sentence and a hint that names the next thing to do, and carries its exit code.
Bad tests and dead buttons are data, never exceptions. Leaves out printing: `cli/main.py` is the one
place that turns an error into text.
"""

from enum import IntEnum
from typing import ClassVar


class ExitCode(IntEnum):
    """What the command tells its caller."""

    OK = 0
    REMAINS = 1
    """Finished, but bugs, failing tests or failed routes remain."""
    REQUEST = 2
    HOST = 3
    L0_FAILED = 4
    BLOCKED = 5
    DECLINED = 6
    INTERNAL = 70
    INTERRUPTED = 130
    TERMINATED = 143


class MazewaveError(Exception):
    """A sentence that says what is wrong, and a hint that says what to do about it."""

    exit_code: ClassVar[ExitCode] = ExitCode.INTERNAL

    def __init__(self, sentence: str, hint: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.hint = hint


class RequestError(MazewaveError):
    """What the user asked for, or wrote into a file, cannot be done."""

    exit_code = ExitCode.REQUEST


class HostError(MazewaveError):
    """The machine lacks something: a broker, a browser, room on the disk, a permission."""

    exit_code = ExitCode.HOST


class BlockedError(MazewaveError):
    """The run cannot go on at all: the app does not answer, or the login fails."""

    exit_code = ExitCode.BLOCKED


class Declined(MazewaveError):
    """The user said no to the plan."""

    exit_code = ExitCode.DECLINED


class InternalError(MazewaveError):
    """Our own fault; the hint says where the evidence is."""
