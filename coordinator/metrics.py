"""What a run tells Prometheus, as one more watcher of what happens.

Labels are bounded; never a route, a URL or an id. Invariant: the registry is handed in or made
here, never the global one. Leaves out the workers' series, and those of the suite.
"""

from collections import Counter as Tallies
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server

from contract.channels import BROWSER_QUEUE
from coordinator.driver.happenings import (
    Answered,
    Began,
    Dropped,
    Ended,
    Happening,
    Paused,
    Progress,
    Published,
    RouteDone,
    RouteFailed,
    RouteRetried,
    Saved,
)
from coordinator.errors import HostError
from coordinator.machines.exploration import Step

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """The coordinator's series that exist so far."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = registry or CollectorRegistry()
        self._tallies: Tallies[str] = Tallies()
        self._total = 0
        self.run_state = self._gauge("run_state", "1 for the step the run is in", "step")
        self.routes = self._gauge("routes", "Routes by status", "status")
        self.outstanding = self._gauge("jobs_outstanding", "Jobs without a result", "queue")
        self.depth = self._gauge("queue_depth", "Jobs of this run in the queue", "queue", "state")
        self.workers = self._gauge("workers_seen", "Workers heard of lately", "queue")
        self.bugs = self._counter("bugs", "Bugs reported", "severity", "kind")
        self.published = self._counter("jobs_published", "Jobs sent", "queue", "attempt")
        self.results = self._counter("job_results", "Results read", "queue", "status")
        self.dropped = self._counter("job_duplicates_dropped", "Results of no use", "reason")
        self.expired = self._counter("job_lease_expired", "Jobs whose worker was lost", "queue")
        self.pauses = self._counter("run_pauses", "Times the run had to wait for the host")
        self.lag = self._histogram("results_lag_seconds", "From a worker's end to the merge")
        self.commit = self._histogram("state_commit_seconds", "Writing the state")

    def _gauge(self, name: str, text: str, *labels: str) -> Gauge:
        return Gauge(f"mazewave_{name}", text, labels, registry=self.registry)

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"mazewave_{name}", text, labels, registry=self.registry)

    def _histogram(self, name: str, text: str) -> Histogram:
        return Histogram(f"mazewave_{name}", text, registry=self.registry, buckets=_SECONDS)

    def show(self, happening: Happening) -> None:
        """Count what happened."""
        match happening:
            case Began():
                self._begin(happening)
            case RouteDone(bugs=bugs):
                self._tallies["completed"] += 1
                for severity, kind in bugs:
                    self.bugs.labels(severity, kind).inc()
            case RouteFailed():
                self._tallies["failed"] += 1
            case Progress():
                self._progress(happening)
            case Ended(step=step):
                self._step(step)
            case _:
                self._job(happening)
        self._set_routes()

    def _job(self, happening: Happening) -> None:
        match happening:
            case Published(attempt=attempt):
                self.published.labels(BROWSER_QUEUE, str(min(attempt, 3))).inc()
            case Answered(status=status, lag_s=lag):
                self.results.labels(BROWSER_QUEUE, status).inc()
                self.lag.observe(max(0.0, lag))
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

    def _begin(self, began: Began) -> None:
        self._total = began.total
        self._tallies["completed"], self._tallies["failed"] = began.completed, began.failed
        self._step(Step.TESTING)

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
