"""`python -m tests.support.fake_browser`: a worker without a browser, for tests of whole runs.

It answers `explore_route` with a canned report, `review_route` with three sightings of each bug,
and `discover_routes` with three routes. A route's name may ask for more: `/bug…` files one,
`/rumour…` one that no review sees, `/shy…` one whose review raises; `/crash…` raises, `/flaky…`
raises at the first attempt, `/exit…` says which control cost the session, `/slow…` takes two
seconds, `/down…` says that the app does not answer, `/die…` kills the worker.
"""

import os
import signal
import struct
import sys
import time
import zlib
from datetime import UTC, datetime

from contract import wire
from contract.action_tree import ActionTree, Bug, Node, PageInfo, RouteReport, Step
from contract.channels import BROWSER_QUEUE
from contract.jobs import AnyJob, ExploreRoute, ReviewRoute
from contract.results import (
    ExcludedRoute,
    FoundRoute,
    Replayed,
    RouteExplored,
    RouteReviewed,
    RoutesDiscovered,
    Screenshot,
    Tally,
)
from contract.vocabulary import (
    ActionResult,
    BugKind,
    BugSource,
    FailureReason,
    NodeState,
    NodeType,
    PageType,
    RouteStatus,
    Severity,
)
from workers.kit.duty import Duty
from workers.kit.main import Plain, serve
from workers.kit.settings import WorkerSettings

SHOTS = ("01-page-load.png", "02-toolbar-save.png", "07-final-state.png")


def png(shade: int) -> bytes:
    """A picture of one grey pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    pixels = zlib.compress(bytes((0, shade % 256)))
    body = chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def report_of(route: str) -> RouteReport:
    """One button that saves, and a bug if the route asks for it."""
    path = (Step(action="open", label=route), Step(action="press", label="Save"))
    node = Node(
        label="Save",
        type=NodeType.BUTTON,
        state=NodeState.ENABLED,
        action_result=ActionResult.CONTENT_CHANGED,
        screenshot=SHOTS[1],
        children=(),
        locator="getByRole('button', { name: 'Save' })",
        path=path,
        duration_ms=10,
        key="main/button/save",
        in_state="0" * 16,
    )
    bug = Bug(
        id="B1",
        severity=Severity.MAJOR,
        kind=BugKind.DEAD_CONTROL,
        description="Save <b>does</b> nothing",
        location="toolbar, Save",
        expected="something happens",
        actual="nothing happens",
        screenshot=SHOTS[1],
        path=path,
        confirmed=True,
        source=BugSource.TESTER,
        signature="dead_control|save",
    )
    bugs = (bug,) if route.startswith(("/bug", "/rumour", "/shy")) else ()
    return RouteReport(
        route=route,
        tested_at=datetime.now(UTC),
        status=RouteStatus.PARTIAL if bugs else RouteStatus.PASS,
        page_info=PageInfo(
            title=f"Page {route}",
            has_table=False,
            row_count=0,
            column_headers=(),
            tabs=(),
            console_errors=(),
        ),
        action_tree=ActionTree(toolbar=(node,)),
        bugs=bugs,
        console_errors=(),
        summary="one button",
    )


def explore(job: AnyJob, duty: Duty) -> None:
    """Answer as the route's name asks."""
    assert isinstance(job, ExploreRoute)
    duty.tell(Tally(actions=1, states=1), "pressing Save")
    if job.route.startswith("/down"):
        duty.fail(FailureReason.APP_UNREACHABLE, retryable=False, detail="connection refused")
        return
    _misbehave(job)
    report = report_of(job.route)
    shots = [
        Screenshot(name=name, blob=duty.blobs.put(png(number + len(job.route))))
        for number, name in enumerate(SHOTS)
    ]
    duty.report(
        RouteExplored(
            **duty.stamp(),
            report=report,
            screenshots=tuple(shots),
            discovered=("/elsewhere/1", "/elsewhere/2"),
            shared=("nav/home",),
            denied=("nav/exit",) if job.route.startswith("/exit") else (),
            tally=Tally(actions=1, states=1, bugs=len(report.bugs)),
        )
    )


def review(job: AnyJob, duty: Duty) -> None:
    """See each bug of the report in three runs of three, or in none."""
    assert isinstance(job, ReviewRoute)
    if job.route.startswith("/shy"):
        raise ValueError("the page did something odd")
    report = wire.loads(duty.blobs.get(job.report_key), RouteReport)
    seen = 0 if job.route.startswith("/rumour") else job.runs
    replayed = tuple(Replayed(id=bug.id, seen=seen, runs=job.runs) for bug in report.bugs)
    duty.report(RouteReviewed(**duty.stamp(), replayed=replayed))


def _misbehave(job: ExploreRoute) -> None:
    if job.route.startswith("/die"):
        os.kill(os.getpid(), signal.SIGKILL)
    if job.route.startswith("/slow"):
        time.sleep(2.0)
    if job.route.startswith("/crash") or (job.route.startswith("/flaky") and job.attempt == 1):
        raise ValueError("the page did something odd")


def discover(job: AnyJob, duty: Duty) -> None:
    """Three pages and a login."""
    duty.report(
        RoutesDiscovered(
            **duty.stamp(),
            routes=(
                FoundRoute(route="/", page_type=PageType.DASHBOARD),
                FoundRoute(route="/bugs", page_type=PageType.LIST, category="Bugs"),
                FoundRoute(route="/users/1", page_type=PageType.DETAIL, parent="/users"),
                FoundRoute(route="/users/2", page_type=PageType.DETAIL, parent="/users"),
            ),
            excluded=(ExcludedRoute(route="/login", reason="Auth flow"),),
        )
    )


def main() -> int:
    handlers = {"explore_route": explore, "review_route": review, "discover_routes": discover}
    return serve(BROWSER_QUEUE, Plain(handlers), WorkerSettings.from_env())


if __name__ == "__main__":
    sys.exit(main())
