"""The job `review_route`: an independent second look at the bugs of a route.

Another job, another browser context, no knowledge but the report. Each lead is followed in fresh
contexts; what shows each time is confirmed, what shows sometimes is flaky, what never does is
refuted. What shows on the way and was not filed is filed now. Invariant: what came of a lead is a
checkpoint, so that another worker goes on with the next one. Leaves out what the verdicts mean for
the report, which the coordinator decides.
"""

from collections.abc import Iterable

import msgspec

from contract import wire
from contract.action_tree import Bug, RouteReport
from contract.jobs import ReviewRoute
from contract.results import Replayed, RouteReviewed, Screenshot, Tally
from contract.vocabulary import BugKind, BugSource
from workers.browser.atlas import Suspicion
from workers.browser.brief import Brief, plain
from workers.browser.leads import Followed, Lead, Sighting, known, leads
from workers.browser.lifecycle import Host
from workers.browser.page import ChromiumPage
from workers.browser.page_port import PagePort
from workers.browser.policy import Rules
from workers.browser.replay import Replay
from workers.browser.visit import visit
from workers.kit.duty import Duty, HandBack

_REPORT_S = 20.0
"""Of the job's time, what is left for the report."""


async def review_route(job: ReviewRoute, duty: Duty, host: Host) -> None:
    """Follow every lead of the route's report, and report what came of them."""
    report = wire.loads(duty.blobs.get(job.report_key), RouteReport)
    if not leads(report):
        duty.report(RouteReviewed(**duty.stamp(), replayed=()))
        return

    async def work(page: ChromiumPage, rules: Rules) -> None:
        done = [wire.loads(data, Followed) for data in duty.checkpoints.load()]
        review = Review(page, Replay(page, _brief(job, duty), rules), report, job.runs, done)
        while review.left:
            if duty.stopping.is_set():
                raise HandBack
            if duty.remaining_s < _REPORT_S:
                break
            duty.tell(review.tally, review.left[0].where)
            duty.checkpoints.append(wire.dumps(await review.follow_next()))
        _report(duty, review)

    await visit(job, duty, host, work)


def _brief(job: ReviewRoute, duty: Duty) -> Brief:
    routes = wire.loads(duty.blobs.get(job.routes_key), list[str]) if job.routes_key else []
    return Brief(
        route=job.route,
        base_url=job.site.base_url,
        limits=job.limits,
        routes=frozenset(plain(route) for route in routes),
        noise=job.noise,
        denied=frozenset(job.denied),
    )


def _report(duty: Duty, review: "Review") -> None:
    found, shots = review.found()
    duty.report(
        RouteReviewed(
            **duty.stamp(),
            replayed=review.replayed(),
            found=found,
            screenshots=shots,
            tally=review.tally,
        )
    )


class Review:
    """The leads of a report, and what came of those that were followed."""

    def __init__(
        self,
        port: PagePort,
        replay: Replay,
        report: RouteReport,
        runs: int,
        done: Iterable[Followed] = (),
    ) -> None:
        self._port = port
        self._replay = replay
        self._report = report
        self._runs = runs
        self._known = known(report)
        self._leads = leads(report)
        self._done = {followed.lead: followed for followed in done}

    @property
    def left(self) -> list[Lead]:
        """What was not followed yet."""
        return [lead for lead in self._leads if lead.name not in self._done]

    @property
    def tally(self) -> Tally:
        """For whoever watches: replays, leads followed, and bugs that showed each time."""
        runs = sum(followed.runs for followed in self._done.values())
        sure = sum(0 < item.seen == item.runs for item in self.replayed())
        return Tally(actions=runs, states=len(self._done), bugs=sure)

    async def follow_next(self) -> Followed:
        """Follow the next lead as often as it takes."""
        lead = self.left[0]
        seen: dict[str, int] = {}
        found: dict[str, Sighting] = {}
        runs = 0
        for _ in range(self._runs):
            said = await self._replay.follow(lead.path, lead.kinds)
            if said is None:
                continue
            runs += 1
            for suspicion in said:
                seen[suspicion.signature] = seen.get(suspicion.signature, 0) + 1
            await self._note_new(lead, said, found)
            if not (lead.bugs or found):
                break  # nothing is wrong here after all
        followed = Followed(lead=lead.name, runs=runs, seen=seen, found=tuple(found.values()))
        self._done[lead.name] = followed
        return followed

    async def _note_new(
        self, lead: Lead, said: tuple[Suspicion, ...], found: dict[str, Sighting]
    ) -> None:
        for suspicion in said:
            if suspicion.signature in self._known or not _may_be_new(suspicion, lead):
                continue
            before = found.get(suspicion.signature)
            if before is not None:
                found[suspicion.signature] = msgspec.structs.replace(before, seen=before.seen + 1)
                continue
            shot = await self._port.picture()
            found[suspicion.signature] = Sighting(
                suspicion=suspicion, where=lead.where, path=lead.path, shot=shot
            )

    def replayed(self) -> tuple[Replayed, ...]:
        """How often each bug of the report showed, in its order."""
        by_id = {bug: (lead, sign) for lead in self._leads for bug, sign in lead.bugs}
        return tuple(self._counts(bug.id, *by_id[bug.id]) for bug in self._report.bugs)

    def _counts(self, bug: str, lead: Lead, signature: str) -> Replayed:
        followed = self._done.get(lead.name)
        if followed is None:
            return Replayed(id=bug, note="no time was left")
        if not followed.runs:
            return Replayed(id=bug, note="its steps could not be followed")
        return Replayed(id=bug, seen=followed.seen.get(signature, 0), runs=followed.runs)

    def found(self) -> tuple[tuple[Bug, ...], tuple[Screenshot, ...]]:
        """The bugs that only the review saw, each once, with their pictures."""
        first: dict[str, tuple[Sighting, int]] = {}
        for followed in self._done.values():
            for sighting in followed.found:
                first.setdefault(sighting.suspicion.signature, (sighting, followed.runs))
        bugs, shots = [], []
        for number, (sighting, runs) in enumerate(first.values(), 1):
            name = f"09-review-{number}.png" if sighting.shot else ""
            bugs.append(_bug(sighting, runs, name))
            if sighting.shot:
                shots.append(Screenshot(name=name, blob=sighting.shot))
        return tuple(bugs), tuple(shots)


def _may_be_new(suspicion: Suspicion, lead: Lead) -> bool:
    """Whether the review may file something here that the tester did not.

    The tester had more ways to find a reason for silence (a neighbour to press first, a choice to
    make); so silence is new only where no bug was filed, and none of the reasons was given.
    """
    return suspicion.kind is not BugKind.DEAD_CONTROL or not lead.bugs


def _bug(sighting: Sighting, runs: int, screenshot: str) -> Bug:
    suspicion = sighting.suspicion
    return Bug(
        id="",
        severity=suspicion.severity,
        kind=suspicion.kind,
        description=suspicion.description,
        location=sighting.where,
        expected=suspicion.expected,
        actual=suspicion.actual,
        screenshot=screenshot,
        path=sighting.path,
        confirmed=None,
        source=BugSource.REVIEWER,
        evidence=suspicion.evidence,
        signature=suspicion.signature,
        seen=sighting.seen,
        runs=runs,
    )
