"""What a user can do about a run that is blocked.

A reason is a `FailureReason`, a colon, and words for people; the word before the colon decides.
Leaves out the command that goes on afterwards.
"""

from contract.vocabulary import FailureReason

_REMEDIES = {
    FailureReason.APP_UNREACHABLE: "start the app",
    FailureReason.LOGIN_FAILED: "put the login right",
    FailureReason.AUTH_LOST: "log in with --login FILE or --storage-state FILE",
    FailureReason.BROWSER_MISSING: "do what mazewave doctor says",
}


def is_about(reason: str | None, failure: FailureReason) -> bool:
    """Whether a run is blocked for this reason."""
    return (reason or "").startswith(f"{failure}:")


def remedy(reason: str | None) -> str:
    """The beginning of a sentence that ends in a command."""
    for failure, words in _REMEDIES.items():
        if is_about(reason, failure):
            return words
    return "put that right"
