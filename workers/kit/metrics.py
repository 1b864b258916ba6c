"""What a worker counts, and the small HTTP server that shows it.

Invariant: labels are bounded; never a route, a URL or a job id. Each worker is one process with a
registry of its own that is handed in. `/healthz` says whether the loop is alive, never whether
Redis answers: restarting the worker would not help Redis.
"""

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    generate_latest,
)

DURATIONS_S = (1, 2, 5, 10, 20, 40, 60, 120, 240, 480, 900, 1200)
ACTIONS_S = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3, 6, 12)
SILENT_LIMIT_S = 120.0


class WorkerMetrics:
    """The series of one worker; the browser ones are filled by the browser worker."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.registry = registry
        self.job_duration = Histogram(
            "mazewave_job_duration_seconds",
            "Time from the start of a job to its report.",
            ["kind", "status"],
            buckets=DURATIONS_S,
            registry=registry,
        )
        self.in_flight = Gauge(
            "mazewave_jobs_in_flight", "Jobs that run in this worker now.", registry=registry
        )
        self.info = Info("mazewave_worker", "The worker and its queue.", registry=registry)
        self._count_jobs(registry)
        self._count_browser(registry)

    def _count_jobs(self, registry: CollectorRegistry) -> None:
        self.dropped = Counter(
            "mazewave_jobs_dropped_total",
            "Messages that ended without a report: late, old, lost, handed back.",
            ["reason"],
            registry=registry,
        )
        self.set_aside = Counter(
            "mazewave_messages_set_aside_total",
            "Messages that could not be read and were kept to be looked at.",
            registry=registry,
        )
        self.redis_errors = Counter(
            "mazewave_redis_errors_total",
            "Errors of Redis by operation.",
            ["op", "error"],
            registry=registry,
        )

    def _count_browser(self, registry: CollectorRegistry) -> None:
        def counter(name: str, text: str, label: str) -> Counter:
            return Counter(f"mazewave_{name}_total", text, [label], registry=registry)

        self.actions = counter("actions", "Controls that were used, by what came of it.", "outcome")
        self.resets = counter("resets", "Ways back to a known state, by how far.", "rung")
        self.policy_skips = counter("policy_skips", "Actions that the policy forbade.", "rule")
        self.browser_restarts = counter("browser_restarts", "Browsers started again.", "reason")
        self.action_seconds = Histogram(
            "mazewave_action_seconds",
            "Time from using a control until the page was still.",
            buckets=ACTIONS_S,
            registry=registry,
        )
        self.browser_rss = Gauge(
            "mazewave_browser_rss_bytes", "Memory of the browser's processes.", registry=registry
        )


def serve_metrics(
    host: str, port: int, registry: CollectorRegistry, silent_s: Callable[[], float]
) -> ThreadingHTTPServer:
    """Answer `/metrics` and `/healthz` from a thread of its own, until `shutdown()`."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/metrics":
                self._answer(200, CONTENT_TYPE_LATEST, generate_latest(registry))
            elif self.path == "/healthz":
                silent = silent_s()
                status = 200 if silent < SILENT_LIMIT_S else 503
                self._answer(status, "text/plain", f"silent for {silent:.0f} s\n".encode())
            else:
                self._answer(404, "text/plain", b"not found\n")

        def log_message(self, *_args: object) -> None:
            """Scrapes are not worth a line each."""

        def _answer(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer((host, port), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server
