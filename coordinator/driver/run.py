"""A whole run: a backend, a term of office, a desk, the loop, and taking it all down again.

A backend is a private broker with local workers, or somebody's Redis. Invariant: whatever way a run
ends, what it started on this machine is gone, and what it saved can be resumed. Leaves out the
user: `cli` asks and shows.
"""

import contextlib
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import redis

from contract import wire
from contract.channels import GRACE_S, login_key
from contract.identity import RunId
from contract.jobs import Safety, Site
from coordinator.driver import live_file
from coordinator.driver.desk import Brief, Desk
from coordinator.driver.discovery_desk import DiscoveryDesk
from coordinator.driver.exploration_desk import ExplorationDesk
from coordinator.driver.happenings import Happening
from coordinator.driver.line import OFFICE_S, Line, open_line
from coordinator.driver.loop import Loop
from coordinator.driver.office import OfficeHeld
from coordinator.driver.prepare import new_run_id
from coordinator.driver.redis_client import check
from coordinator.driver.stop import StopSignals
from coordinator.driver.workspace import Workspace
from coordinator.embedded.run import EmbeddedRun
from coordinator.errors import HostError, RequestError
from coordinator.machines.exploration import Limits, Step
from coordinator.records import recipe, storage_state
from coordinator.records.state import State
from coordinator.settings import Settings

Telling = Generator[Happening, None, None]
WORKER = (sys.executable, "-m", "workers.browser")
RESTARTS_EACH = 3
"""Local workers that all exit this often without a single result never will bring one."""


@dataclass(frozen=True)
class Backend:
    """Where jobs go. `health` raises when it is gone for good; `over` whether all is done."""

    broker: str
    blobs: str
    namespace: str
    private: bool
    workers: int
    health: Callable[[int], object]
    over: Callable[[bool], object] = lambda _yes: None


@contextlib.contextmanager
def open_backend(
    settings: Settings,
    workspace: Workspace,
    command: Sequence[str] = WORKER,
    env: Mapping[str, str] | None = None,
    *,
    fresh: bool = False,
) -> Iterator[Backend]:
    """The configured broker, or a private one with `command` as its workers.

    `env` is added to what local workers inherit; `fresh` says that no run goes on.
    """
    if settings.broker:
        yield _shared(settings)
        return
    # The coordinator's own variables would reach the workers, who would all want the same port.
    own = {"MAZEWAVE_METRICS_PORT": "0", "MAZEWAVE_NAMESPACE": settings.namespace}
    given = own | dict(env or {})
    embedded = EmbeddedRun(workspace.ours, command, settings.concurrency, given, fresh=fresh)
    with embedded:
        yield Backend(
            broker=embedded.broker_url,
            blobs=embedded.blobs_url,
            namespace=settings.namespace,
            private=True,
            workers=settings.concurrency,
            health=Nurse(embedded, workspace.ours, settings.concurrency),
            over=embedded.over,
        )


def _shared(settings: Settings) -> Backend:
    if problems := check(settings.broker):
        raise HostError(problems[0], "check --broker, then run: mazewave doctor")
    if not settings.blobs:
        raise RequestError(
            "with a broker, workers need a place for screenshots that they and you can reach",
            "name it with --blobs: a shared folder, or s3://bucket/prefix",
        )
    return Backend(
        broker=settings.broker,
        blobs=settings.blobs,
        namespace=settings.namespace,
        private=False,
        workers=1,
        health=lambda _answers: None,
    )


class Nurse:
    """Looks after local workers: raises when the keeper is gone, or when no worker can live."""

    def __init__(self, embedded: EmbeddedRun, ours: Path, workers: int) -> None:
        self._embedded = embedded
        self._ours = ours
        self._most = RESTARTS_EACH * workers + RESTARTS_EACH
        self._answers = 0
        self._restarts = 0

    def __call__(self, answers: int) -> None:
        pids = self._embedded.pids()
        if answers != self._answers:
            self._answers, self._restarts = answers, pids.restarts
        if pids.restarts - self._restarts >= self._most:
            raise HostError(
                f"the local workers exit as soon as they start (exit {pids.last_exit})",
                f"look into {self._ours / 'logs'}, then run: mazewave doctor",
            )


def explore(
    backend: Backend,
    settings: Settings,
    workspace: Workspace,
    state: State,
    stop: StopSignals,
    *,
    pages: Callable[[State, Path], object],
) -> Telling:
    """Test what is pending in `state`."""
    with _term(backend, workspace, state.ours.run_id, state.ours.epoch) as (line, epoch):
        brief = _brief(settings, state.base_url, line)
        _share_login(settings, line, state.ours.run_id)
        desk = ExplorationDesk(
            state=state,
            folder=workspace.folder,
            brief=brief,
            blobs=line.blobs,
            pages=pages,
            follow=settings.follow,
        )
        yield from _run(backend, line, desk, brief=brief, epoch=epoch, stop=stop)


def discover(
    backend: Backend,
    settings: Settings,
    workspace: Workspace,
    base_url: str,
    stop: StopSignals,
    *,
    target: Path,
    depth: int,
) -> Telling:
    """Look for routes, and write the map to `target`."""
    run_id = new_run_id()
    with _term(backend, workspace, run_id, 0) as (line, epoch):
        brief = _brief(settings, base_url, line)
        _share_login(settings, line, run_id)
        desk = DiscoveryDesk(run_id=run_id, brief=brief, depth=depth, target=target)
        yield from _run(backend, line, desk, brief=brief, epoch=epoch, stop=stop)


def _run(
    backend: Backend, line: Line, desk: Desk, *, brief: Brief, epoch: int, stop: StopSignals
) -> Telling:
    # One job may wait for another one's whole time, and then takes its own.
    patience = 3 * (brief.budget_s + GRACE_S)
    loop = Loop(
        desk=desk,
        line=line,
        limits=Limits(workers=backend.workers, patience_s=patience),
        epoch=epoch,
        stop=stop,
        health=backend.health,
    )
    yield from loop.run()
    if loop.ledger.step is Step.COMPLETED:
        loop.clean_up()


@contextlib.contextmanager
def _term(
    backend: Backend, workspace: Workspace, run_id: RunId, above: int
) -> Iterator[tuple[Line, int]]:
    """A line to the backend, in office for the run."""
    with open_line(
        backend.broker,
        backend.blobs,
        backend.namespace,
        run_id,
        holder=workspace.name,
        private=backend.private,
    ) as line:
        epoch = _take_office(line, workspace.predecessors, above)
        live_file.write(workspace.ours, backend.broker, backend.namespace, run_id)
        try:
            yield line, epoch
        finally:
            live_file.remove(workspace.ours)
            with contextlib.suppress(redis.RedisError):
                line.office.leave()


def _take_office(line: Line, dead: Sequence[str], above: int) -> int:
    """Begin a term, instead of one of the `dead` if need be."""
    take = partial(line.office.take, line.holder, OFFICE_S, above=above)
    try:
        return take()
    except OfficeHeld as error:
        if line.private or error.holder in dead:
            return take(instead_of=error.holder)
        raise RequestError(
            f"another coordinator ({error.holder}) is at work on this run",
            f"stop it, or wait: {OFFICE_S:.0f} s after it is gone this command works",
        ) from error


def _brief(settings: Settings, base_url: str, line: Line) -> Brief:
    safety = Safety(
        policy=settings.policy,
        allow_requests=settings.allow_requests,
        deny_requests=settings.deny_requests,
        allow_origins=settings.allow_origins,
    )
    key = None
    if settings.login is not None:
        key = line.blobs.put(wire.dumps(recipe.load(settings.login)))
    return Brief(
        site=Site(base_url=base_url, recipe_key=key, safety=safety),
        limits=settings.limits,
        noise=settings.noise,
    )


def _share_login(settings: Settings, line: Line, run_id: RunId) -> None:
    """Hand a storage state to all workers, as a newer login than any before."""
    if settings.storage_state is None:
        return
    key = login_key(line.namespace, run_id)
    blob = line.blobs.put(storage_state.load(settings.storage_state))
    with line.client.pipeline(transaction=True) as pipe:
        pipe.hincrby(key, "generation", 1)
        pipe.hset(key, "blob", blob)
        pipe.hdel(key, "failed")
        pipe.execute()


def check_login(settings: Settings) -> None:
    """Find what is wrong with the login files before anything is started."""
    if settings.storage_state is not None:
        storage_state.load(settings.storage_state)
    if settings.login is None:
        return
    found = recipe.load(settings.login)
    missing = [] if settings.broker else recipe.missing_secrets(found)
    if missing:
        raise RequestError(
            f"{settings.login.name} needs {missing[0]}, which is not there",
            "set it in the environment of this command, then run it again",
        )
