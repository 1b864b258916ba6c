"""Two runs side by side: what is new, fixed, still there, and what nobody can tell any more."""

from contract.action_tree import ActionTree, Bug, RouteReport, Step
from contract.vocabulary import ActionResult, NodeState, RouteStatus, Severity
from coordinator.reporting.comparison import Change, Comparison, compare
from coordinator.reporting.distinct import FoundBug
from tests.support.reported import bug, node, report

LOAD = (Step(action="open", label="/a"),)


def told(
    before: list[tuple[str, Bug]], now: list[tuple[str, Bug]], *reports: RouteReport
) -> Comparison:
    """The comparison of bugs on their routes; `reports` are those of this run."""
    found = [[FoundBug(route, "x", one) for route, one in side] for side in (before, now)]
    known = {one.route: one for one in reports}
    return compare("earlier", found[0], found[1], known.get)


def ids(changes: tuple[Change, ...]) -> list[str]:
    return [change.bug.id for change in changes]


def test_the_same_signature_on_the_same_route_is_still_there() -> None:
    found = told([("/a", bug("M1"))], [("/a", bug("M1", description="other words"))], report("/a"))
    assert [ids(group) for group in (found.new, found.fixed, found.still, found.gone)] == [
        [],
        [],
        ["BUG-a-M1"],
        [],
    ]


def test_the_same_signature_on_another_route_is_new_there() -> None:
    found = told([("/a", bug("M1"))], [("/b", bug("M1"))], report("/a"), report("/b"))
    assert [change.route for change in found.new] == ["/b"]
    assert [change.route for change in found.fixed] == ["/a"]


def test_fixed_needs_the_same_control_to_be_used_again() -> None:
    found = told([("/a", bug())], [], report("/a"))
    assert ids(found.fixed) == ["BUG-a-M1"]


def test_a_bug_whose_control_is_not_used_any_more_is_gone() -> None:
    key = "main/button/save"
    skipped = node("Save", key=key, action_result=ActionResult.SKIPPED)
    disabled = node("Save", key=key, state=NodeState.DISABLED)
    other = node("Save", key="another")
    for control in (skipped, disabled, other):
        now = report("/a", action_tree=ActionTree(toolbar=(control,)))
        found = told([("/a", bug())], [], now)
        assert (ids(found.fixed), ids(found.gone)) == ([], ["BUG-a-M1"])


def test_a_bug_whose_route_is_not_tested_any_more_is_gone() -> None:
    failed = report("/a", status=RouteStatus.FAIL)
    assert ids(told([("/a", bug())], []).gone) == ["BUG-a-M1"]
    assert ids(told([("/a", bug())], [], failed).gone) == ["BUG-a-M1"]


def test_what_showed_at_page_load_is_fixed_where_the_page_still_loads() -> None:
    found = told([("/a", bug(path=LOAD))], [], report("/a"))
    assert ids(found.fixed) == ["BUG-a-M1"]


def test_reports_without_signatures_are_compared_by_their_words() -> None:
    old = bug("M7", signature="", description="Row 17 does nothing")
    new = bug("M8", signature="dead|x", description="Row 23 does nothing")
    found = told([("/a", old)], [("/a", new)], report("/a"))
    assert ids(found.still) == ["BUG-a-M8"]


def test_where_both_have_signatures_equal_words_are_not_enough() -> None:
    found = told([("/a", bug("M1"))], [("/a", bug("M2"))], report("/a"))
    assert (ids(found.new), ids(found.fixed)) == (["BUG-a-M2"], ["BUG-a-M1"])


def test_each_list_has_the_worst_first() -> None:
    found = told([], [("/a", bug("m1", severity=Severity.MINOR)), ("/b", bug("M1"))])
    assert ids(found.new) == ["BUG-a-M1", "BUG-a-m1"]
