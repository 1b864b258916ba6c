"""Where jobs and results travel: queues, actors, Redis keys, and the time each kind may take.

`ns` is the namespace of an installation (`mazewave`); a run's own keys stand below
`{ns}:run:{run_id}`, so that a finished run is removed by its prefix.
"""

from contract.identity import JobId, RunId
from contract.jobs import AnyJob, DiscoverRoutes, ExploreRoute, ReviewRoute

NAMESPACE = "mazewave"

BROWSER_QUEUE = "browser"

QUEUE_OF: dict[type[AnyJob], str] = {
    ExploreRoute: BROWSER_QUEUE,
    ReviewRoute: BROWSER_QUEUE,
    DiscoverRoutes: BROWSER_QUEUE,
}
ACTOR_OF: dict[type[AnyJob], str] = {
    ExploreRoute: "explore_route",
    ReviewRoute: "review_route",
    DiscoverRoutes: "discover_routes",
}

BEAT_S = 15.0
"""A running job says so this often, seconds."""

LEASE_S = 60.0
"""A job whose beat is older than this is lost, seconds."""

GRACE_S = 30.0
"""What a job may take beyond its budget to write its report, seconds."""

MAX_STARTS = 2
"""A job that was started this often and lost its worker each time is not started again."""

INLINE_LIMIT = 32 * 1024
"""A result larger than this travels as a blob, bytes."""

RESULT_LIMIT = 64 * 1024 * 1024
"""A result larger than this is refused, bytes."""

MARKER = "marker"

SET_ASIDE_LIMIT = 1000
"""How many messages and results that nobody could read are kept to be looked at."""


def run_prefix(ns: str, run_id: RunId) -> str:
    return f"{ns}:run:{run_id}"


def results_stream(ns: str, run_id: RunId) -> str:
    """Stream of `{job_id, attempt, epoch, worker, payload | blob}`."""
    return f"{run_prefix(ns, run_id)}:results"


def marker_key(ns: str, run_id: RunId) -> str:
    """String that is there as long as Redis has not lost the run."""
    return f"{run_prefix(ns, run_id)}:{MARKER}"


def beat_key(ns: str, run_id: RunId, job_id: JobId) -> str:
    """String with a `Beat`, expiring after the lease."""
    return f"{run_prefix(ns, run_id)}:beat:{job_id}"


def starts_key(ns: str, run_id: RunId) -> str:
    """Hash, job id to the number of times a worker began it."""
    return f"{run_prefix(ns, run_id)}:starts"


def fence_key(ns: str, run_id: RunId, job_id: JobId) -> str:
    """String `attempt:token` of whoever holds the job, or `attempt:closed` once it has reported.

    Each start has a token of its own; a worker that finds another value must stop writing.
    """
    return f"{run_prefix(ns, run_id)}:fence:{job_id}"


def checkpoint_key(ns: str, run_id: RunId, job_id: JobId) -> str:
    """List of what the attempts at this job have finished, one entry per action."""
    return f"{run_prefix(ns, run_id)}:checkpoint:{job_id}"


def login_key(ns: str, run_id: RunId) -> str:
    """Hash `{generation, blob, failed}`: the storage state that all workers of the run share."""
    return f"{run_prefix(ns, run_id)}:login"


def coordinator_key(ns: str, run_id: RunId) -> str:
    """String naming the coordinator that holds the run, expiring unless renewed."""
    return f"{run_prefix(ns, run_id)}:coordinator"


def epoch_key(ns: str, run_id: RunId) -> str:
    """Counter of coordinators; it grows at each takeover."""
    return f"{run_prefix(ns, run_id)}:epoch"


def workers_key(ns: str) -> str:
    """Hash, worker name to the last time it was idle or busy (seconds since the epoch)."""
    return f"{ns}:workers"


def set_aside_key(ns: str) -> str:
    """List of messages and results that nobody could read, newest first, capped."""
    return f"{ns}:set_aside"


def blob_path(digest: str) -> str:
    """Where the blob with this SHA-256 (hex) is in the blob store."""
    return f"cas/sha256/{digest}"
