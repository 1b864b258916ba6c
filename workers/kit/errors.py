"""The exceptions by which a handler leaves its job other than by reporting.

Invariant: none of them is a finding about the app under test; those are data in a result. What the
user has to do about a failed job is the coordinator's business.
"""


class AlreadyReported(RuntimeError):
    """A job reports exactly once, and this one has."""


class ResultTooLarge(ValueError):
    """The result is beyond what a coordinator would read."""


class LeaseLost(Exception):
    """A newer attempt, or another worker, holds the job: stop, write nothing, report nothing."""


class HandBack(Exception):
    """Raised by a handler that cannot finish before the worker has to leave.

    The job goes back to its queue as it came; its checkpoints stay, and the start is not counted.
    """


class Undelivered(Exception):
    """The report did not reach Redis in time; the message must come back, so it is not acked."""


class LoginFailed(Exception):
    """The login of the run does not work. The sentence is shown to the user: no secrets in it."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class StoreTrouble(Exception):
    """The blob store takes or gives nothing now: no room, not reached. The job is not to blame."""


class BlobProblem(Exception):
    """A blob is missing, damaged, or larger than allowed."""
