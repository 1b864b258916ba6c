"""One plain job, one plain node and one plain report, for tests that change a field."""

from datetime import UTC, datetime

from contract.action_tree import ActionTree, Node, PageInfo, RouteReport, Step
from contract.identity import JobId, RunId
from contract.jobs import ExploreRoute, Site
from contract.results import RouteExplored
from contract.vocabulary import ActionResult, NodeState, NodeType, RouteStatus

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def explore_route() -> ExploreRoute:
    return ExploreRoute(
        run_id=RunId("run-1"),
        job_id=JobId("explore:orders"),
        attempt=1,
        epoch=1,
        deadline=NOON,
        budget_s=300.0,
        site=Site(base_url="http://shop.test"),
        route="/orders",
        slug="orders",
    )


def node(label: str, *children: Node, note: str | None = None) -> Node:
    return Node(
        label=label,
        type=NodeType.BUTTON,
        state=NodeState.ENABLED,
        action_result=ActionResult.DIALOG_OPENED,
        screenshot="02-toolbar-create-result.png",
        note=note,
        children=children,
        locator="getByRole('button', { name: 'Create' })",
        path=(Step(action="press", label="Create"),),
        duration_ms=31,
        key="main/button/create",
        in_state="0" * 16,
    )


def report(tree: ActionTree | None = None) -> RouteReport:
    return RouteReport(
        route="/orders",
        tested_at=NOON,
        status=RouteStatus.PASS,
        page_info=PageInfo(
            title="Orders",
            has_table=True,
            row_count=5,
            column_headers=("Name",),
            tabs=(),
            console_errors=(),
        ),
        action_tree=tree or ActionTree(),
        bugs=(),
        console_errors=(),
        summary="1 controls, 1 used",
    )


def route_explored() -> RouteExplored:
    return RouteExplored(
        run_id=RunId("run-1"),
        job_id=JobId("explore:orders"),
        attempt=1,
        epoch=1,
        worker="worker-1",
        started_at=NOON,
        finished_at=NOON,
        report=report(),
    )
