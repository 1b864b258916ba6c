"""The worker's HTTP server: its series, and whether its loop is alive."""

import http.client

from prometheus_client import CollectorRegistry

from workers.kit.metrics import WorkerMetrics, serve_metrics


def ask(port: int, path: str) -> tuple[int, str]:
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        link.request("GET", path)
        answer = link.getresponse()
        return answer.status, answer.read().decode()
    finally:
        link.close()


def test_series_and_health_are_served() -> None:
    metrics = WorkerMetrics(CollectorRegistry())
    metrics.actions.labels("dialog_opened").inc()
    silence = [0.0]
    server = serve_metrics("127.0.0.1", 0, metrics.registry, lambda: silence[0])
    port = server.server_address[1]
    try:
        status, text = ask(port, "/metrics")
        assert status == 200
        assert 'mazewave_actions_total{outcome="dialog_opened"} 1.0' in text
        assert ask(port, "/healthz")[0] == 200
        silence[0] = 121.0
        assert ask(port, "/healthz")[0] == 503
        assert ask(port, "/other")[0] == 404
    finally:
        server.shutdown()
        server.server_close()
