"""What the loop needs of whoever works on a project's files: the protocol, and a job's common part.

Leaves out the desks themselves: `exploration_desk` tests and reviews routes, `discovery_desk` finds
them.
"""

from datetime import datetime
from typing import Protocol

import msgspec

from contract.identity import JobId, RunId
from contract.jobs import AnyJob, Limits, Site, Waits
from contract.results import Finding
from coordinator.driver.happenings import Happening
from coordinator.machines.effects import FailJob, MergeResult, PublishJob
from coordinator.machines.events import Merged, Refused
from coordinator.machines.exploration import Ledger

SLACK_S = 60.0
"""What a job may take beyond the exploration itself: to log in, and to walk its bugs again."""


class Brief(msgspec.Struct, frozen=True, kw_only=True):
    """What all jobs of a run have in common."""

    site: Site
    limits: Limits = Limits()
    waits: Waits = Waits()
    noise: tuple[str, ...] = ()

    @property
    def budget_s(self) -> float:
        return self.limits.seconds + SLACK_S


class Desk(Protocol):
    """What the loop needs to know and to have done; every method may be called again."""

    run_id: RunId

    def open(self, epoch: int) -> Ledger:
        """The ledger that the files give."""
        ...

    def cursor(self) -> str: ...

    def route_of(self, job_id: JobId) -> str | None:
        """What a job is about, for people; None if it is none of this run."""
        ...

    def job(self, order: PublishJob, ledger: Ledger) -> AnyJob: ...

    def merge(self, order: MergeResult, now: datetime) -> tuple[Merged | Refused, list[Happening]]:
        """Put a result on disk, or say why not."""
        ...

    def spent(self, result: Finding) -> tuple[str, ...]:
        """The blobs that nobody needs once a result is merged."""
        ...

    def fail(self, order: FailJob, now: datetime) -> Happening:
        """Give a job up."""
        ...

    def save(self, ledger: Ledger, cursor: str, now: datetime) -> None:
        """Make everything so far last."""
        ...

    def publish_pages(self) -> None:
        """Write the pages for the user."""
        ...
