"""What a run tells Prometheus, as one more watcher of what happens.

Labels are bounded; never a route, a URL or an id. Invariant: the registry is handed in or made
here, never the global one. Leaves out the workers' series, and those of the suite.
"""

from collections import Counter as Tallies
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    start_http_server,
)

from contract.channels import BROWSER_QUEUE
from contract.vocabulary import Verdict
from coordinator.driver.happenings import (
    Answered,
    Began,
    Dropped,
    Ended,
    Happening,
    Paused,
    Progress,
    Published,
    ReviewDone,
    RouteDone,
    RouteFailed,
    RouteRetried,
    RoutesAdded,
    Saved,
)
from coordinator.errors import HostError
from coordinator.machines.exploration import Step

_WAITS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1200.0)
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """The coordinator's series that exist so far. `about` describes the run in a few words."""

    def __init__(
        self, registry: CollectorRegistry | None = None, about: Mapping[str, str] | None = None
    ) -> None:
        self.registry = registry or CollectorRegistry()
        self.info = Info("mazewave_run", "What the run is", registry=self.registry)
        self.info.info(dict(about or {}))
        self._tallies: Tallies[str] = Tallies()
        self._total = 0
        self.run_state = self._gauge("run_state", "1 for the step the run is in", "step")
        self.routes = self._gauge("routes", "Routes by status", "status")
        self.outstanding = self._gauge("jobs_outstanding", "Jobs without a result", "queue")
        self.depth = self._gauge("queue_depth", "Jobs of this run in the queue", "queue", "state")
        self.workers = self._gauge("workers_seen", "Workers heard of lately", "queue")
        self.bugs = self._counter("bugs", "Bugs reported", "severity", "kind")
        self.reviews = self._counter("bug_reviews", "Bugs looked at again", "verdict")
        self.published = self._counter("jobs_published", "Jobs sent", "queue", "attempt")
        self.results = self._counter("job_results", "Results read", "queue", "status")
        self.dropped = self._counter("job_duplicates_dropped", "Results of no use", "reason")
        self.expired = self._counter("job_lease_expired", "Jobs whose worker was lost", "queue")
        self.pauses = self._counter("run_pauses", "Times the run had to wait for the host")
        self.wait = self._histogram("queue_wait_seconds", "From sending a job to its begin", _WAITS)
        self.lag = self._histogram("results_lag_seconds", "From a worker's end to the merge")
        self.commit = self._histogram("state_commit_seconds", "Writing the state")
        self.skew = self._gauge(
            "clock_skew_seconds", "What the last worker's clock is at least ahead (or behind, < 0)"
        )

    def _gauge(self, name: str, text: str, *labels: str) -> Gauge:
        return Gauge(f"mazewave_{name}", text, labels, registry=self.registry)

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"mazewave_{name}", text, labels, registry=self.registry)

    def _histogram(self, name: str, text: str, buckets: tuple[float, ...] = _SECONDS) -> Histogram:
        return Histogram(f"mazewave_{name}", text, registry=self.registry, buckets=buckets)

    def show(self, happening: Happening) -> None:
        """Count what happened."""
        match happening:
            case Began():
                self._begin(happening)
            case RouteDone(bugs=bugs):
                self._tallies["completed"] += 1
                for severity, kind in bugs:
                    self.bugs.labels(severity, kind).inc()
            case ReviewDone():
                self._reviewed(happening)
            case RoutesAdded(count=count):
                self._total += count
            case RouteFailed():
                self._tallies["failed"] += 1
            case Progress():
                self._progress(happening)
            case Ended(step=step):
                self._step(step)
            case _:
                self._job(happening)
        self._set_routes()

    def _reviewed(self, review: ReviewDone) -> None:
        for verdict in Verdict:
            count = getattr(review, verdict.value)
            self.reviews.labels(verdict).inc(count)
        self.reviews.labels("found").inc(review.found)

    def _job(self, happening: Happening) -> None:
        match happening:
            case Published(attempt=attempt):
                self.published.labels(BROWSER_QUEUE, str(min(attempt, 3))).inc()
            case Answered():
                self._answered(happening)
            case Dropped(reason=reason):
                self.dropped.labels(reason).inc()
            case RouteRetried(why="the worker was lost"):
                self.expired.labels(BROWSER_QUEUE).inc()
            case Saved(seconds=seconds):
                self.commit.observe(seconds)
            case Paused():
                self.pauses.inc()
            case _:
                pass

    def _answered(self, answer: Answered) -> None:
        self.results.labels(BROWSER_QUEUE, answer.status).inc()
        self.lag.observe(max(0.0, answer.lag_s))
        self.skew.set(answer.skew_s)
        if answer.waited_s is not None:
            self.wait.observe(max(0.0, answer.waited_s))

    def _begin(self, began: Began) -> None:
        if began.step is Step.TESTING:
            self._total = began.total
            self._tallies["completed"], self._tallies["failed"] = began.completed, began.failed
        self._step(began.step)

    def _progress(self, progress: Progress) -> None:
        running = len(progress.running)
        self.outstanding.labels(BROWSER_QUEUE).set(running + progress.queued)
        self.depth.labels(BROWSER_QUEUE, "running").set(running)
        self.depth.labels(BROWSER_QUEUE, "waiting").set(progress.queued)
        self.workers.labels(BROWSER_QUEUE).set(progress.workers)

    def _step(self, now: Step) -> None:
        for step in Step:
            self.run_state.labels(step).set(step is now)

    def _set_routes(self) -> None:
        completed, failed = self._tallies["completed"], self._tallies["failed"]
        self.routes.labels("completed").set(completed)
        self.routes.labels("failed").set(failed)
        self.routes.labels("pending").set(self._total - completed - failed)


@contextmanager
def serve(registry: CollectorRegistry, port: int, host: str) -> Iterator[None]:
    """Answer Prometheus on `port` for as long as the block runs."""
    try:
        server, thread = start_http_server(port, addr=host, registry=registry)
    except OSError as error:
        raise HostError(
            f"port {port} cannot be used for metrics: {error.strerror}",
            "choose another with --metrics-port, or leave it out",
        ) from error
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
