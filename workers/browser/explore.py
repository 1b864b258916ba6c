"""The job `explore_route`: from its message to its one report.

It puts the pieces together: session, page, walk, checkpoints, harvest. What can end a walk early is
turned into the reason that the coordinator acts on; a bug of the app never is.
"""

from datetime import UTC, datetime
from urllib.parse import urljoin

from contract import wire
from contract.jobs import ExploreRoute
from contract.results import RouteExplored, Tally
from contract.vocabulary import FailureReason, Outcome
from workers.browser.atlas import ENTRY, Atlas, Entry, Tried
from workers.browser.brief import Brief, Elsewhere, plain
from workers.browser.evidence import storing
from workers.browser.harvest import gather
from workers.browser.lifecycle import Host
from workers.browser.page import ChromiumPage
from workers.browser.policy import Rules
from workers.browser.scribe import Journal
from workers.browser.session import Session, Unreachable
from workers.browser.walk import Walk
from workers.kit.duty import Duty, HandBack

_REPORT_S = 10.0


async def explore_route(job: ExploreRoute, duty: Duty, host: Host) -> None:
    """Explore one route and report it."""
    session = Session(duty, host, job.site, limits=job.limits, route=job.route)
    rules = Rules(job.site.safety, job.site.base_url)
    page: ChromiumPage | None = None
    try:
        await session.begin()
        page = ChromiumPage(
            url=urljoin(job.site.base_url, job.route),
            new_context=session.context,
            rules=rules,
            limits=job.limits,
            waits=job.waits,
            store=storing(duty.blobs.put),
            session_lost=session.lost,
        )
        await _walk(job, duty, page, rules)
    except Unreachable as error:
        duty.fail(FailureReason.APP_UNREACHABLE, retryable=False, detail=str(error)[:300])
    except Elsewhere as error:
        if error.reason is FailureReason.CRASHED:
            host.failed()
        duty.fail(error.reason, retryable=False, detail=str(error))
    finally:
        if page is not None:
            await page.close()


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
        noise=job.noise,
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
