"""The job `explore_route`: from its message to its one report.

It puts the pieces together: page, walk, checkpoints, harvest. Leaves out the way there (`visit`).
"""

from datetime import UTC, datetime

from contract import wire
from contract.jobs import Before, ExploreRoute
from contract.results import RouteExplored, Tally
from contract.vocabulary import Outcome
from workers.browser.atlas import ENTRY, Atlas, Entry, Tried
from workers.browser.brief import Brief, plain
from workers.browser.harvest import gather
from workers.browser.lifecycle import Host
from workers.browser.page import ChromiumPage
from workers.browser.policy import Rules
from workers.browser.scribe import Journal
from workers.browser.visit import visit
from workers.browser.walk import Walk
from workers.kit.duty import Duty, HandBack

_REPORT_S = 10.0


async def explore_route(job: ExploreRoute, duty: Duty, host: Host) -> None:
    """Explore one route and report it."""

    async def work(page: ChromiumPage, rules: Rules) -> None:
        await _walk(job, duty, page, rules)

    await visit(job, duty, host, work)


async def _walk(job: ExploreRoute, duty: Duty, page: ChromiumPage, rules: Rules) -> None:
    entries: list[Entry] = [wire.loads(data, ENTRY) for data in duty.checkpoints.load()]
    atlas = Atlas.fold(entries)
    walk = Walk(
        page,
        _brief(job, duty),
        rules,
        atlas,
        _journal(duty, atlas),
        stop=duty.stopping.is_set,
        spend_s=min(job.limits.seconds, duty.remaining_s - _REPORT_S),
    )
    await walk.explore()
    if walk.stopped:
        raise HandBack
    final = await page.picture()
    harvest = gather(
        atlas,
        route=job.route,
        slug=job.slug,
        tested_at=datetime.now(UTC),
        final_shot=final,
        note=walk.note,
    )
    _count(duty, walk)
    duty.report(
        RouteExplored(
            **duty.stamp(),
            report=harvest.report,
            screenshots=harvest.screenshots,
            discovered=tuple(atlas.found_routes),
            shared=tuple(_site_wide(atlas)),
            denied=tuple(atlas.denied),
            tally=_tally(atlas),
        )
    )


def _brief(job: ExploreRoute, duty: Duty) -> Brief:
    routes = wire.loads(duty.blobs.get(job.routes_key), list[str]) if job.routes_key else []
    shared = wire.loads(duty.blobs.get(job.shared_key), dict[str, str]) if job.shared_key else {}
    return Brief(
        route=job.route,
        base_url=job.site.base_url,
        limits=job.limits,
        routes=frozenset(plain(route) for route in routes),
        shared=shared,
        before=wire.loads(duty.blobs.get(job.before_key), Before) if job.before_key else Before(),
        noise=job.noise,
        denied=frozenset(job.denied),
    )


def _journal(duty: Duty, atlas: Atlas) -> Journal:
    async def write(entries: tuple[Entry, ...]) -> None:
        duty.checkpoints.append(*(wire.dumps(entry) for entry in entries))
        tried = [entry.draft for entry in entries if isinstance(entry, Tried)]
        for draft in tried:
            duty.metrics.actions.labels(outcome=draft.action_result.value).inc()
            duty.metrics.action_seconds.observe(draft.duration_ms / 1000)
            if draft.outcome in {Outcome.POLICY, Outcome.EXTERNAL_BLOCKED}:
                duty.metrics.policy_skips.labels(rule=draft.outcome.value).inc()
        duty.tell(_tally(atlas), tried[-1].label if tried else "")

    return write


def _tally(atlas: Atlas) -> Tally:
    return Tally(actions=atlas.actions, states=len(atlas.states), bugs=len(atlas.suspects))


def _site_wide(atlas: Atlas) -> list[str]:
    """The keys of the controls that belong to the site rather than to this route, and were used."""
    site = {c.key for state in atlas.states.values() for c in state.controls if c.site}
    drafts = (tried.draft for entries in atlas.tried.values() for tried in entries)
    return [
        draft.key for draft in drafts if draft.key in site and draft.outcome is not Outcome.BUDGET
    ]


def _count(duty: Duty, walk: Walk) -> None:
    for rung, times in walk.reach.rungs_used.items():
        duty.metrics.resets.labels(rung=rung).inc(times)
