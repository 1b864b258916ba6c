"""One command that runs jobs: holds the folder, opens the backend when it is first needed, watches.

Invariant: whatever way the command ends, workers and private broker are taken down. Leaves out what
is decided before (`explore`, `discover`) and said after (`ending`).
"""

from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, closing
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import Self

from contract.vocabulary import FailureReason
from coordinator.cli import paint
from coordinator.cli.again import Again, again
from coordinator.cli.ending import ended
from coordinator.cli.view import View, open_view, watch
from coordinator.driver import run
from coordinator.driver.happenings import Ended, Happening
from coordinator.driver.stop import LeaveNow, StopSignals
from coordinator.driver.workspace import Workspace
from coordinator.errors import BlockedError, ExitCode, HostError
from coordinator.machines.exploration import Step
from coordinator.metrics import Metrics, serve
from coordinator.records.state import State
from coordinator.records.state_file import FILE_NAME
from coordinator.reporting import publish
from coordinator.reporting.remedies import is_about, remedy
from coordinator.settings import Settings

Telling = Generator[Happening, None, None]


class Session:
    """Entered by `with`. `command` and `env` are those of local workers.

    `again` is what the user is told to go on with.
    """

    def __init__(
        self,
        settings: Settings,
        command: Sequence[str] = run.WORKER,
        env: Mapping[str, str] | None = None,
        again_with: Again | None = None,
    ) -> None:
        self.settings = settings
        self.again = again_with or again(settings)
        self.workspace = Workspace(settings.project)
        self._command = command
        self._env = env
        self._stack = ExitStack()
        self._backend: run.Backend | None = None
        self._views: list[View] = []

    def __enter__(self) -> Self:
        self._stack.enter_context(self.workspace)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    def _opened(self) -> run.Backend:
        if self._backend is None:
            if self.settings.metrics_port:
                metrics = Metrics(about=_about(self.settings))
                place = self.settings.metrics_port, self.settings.metrics_host
                self._stack.enter_context(serve(metrics.registry, *place))
                self._views.append(metrics)
            where = "the broker" if self.settings.broker else "the local workers"
            paint.say(f"starting {where} …", "dim")
            opened = run.open_backend(
                self.settings,
                self.workspace,
                self._command,
                self._env,
                fresh=not self._goes_on(),
            )
            self._backend = self._stack.enter_context(opened)
        return self._backend

    def _goes_on(self) -> bool:
        """Whether there is a run in the folder that needs what its broker and blobs hold."""
        return (self.workspace.folder / FILE_NAME).exists()

    def discover(self, base_url: str, target: Path, depth: int) -> ExitCode:
        """Look for routes; OK, or the code to end with."""
        backend = self._opened()
        with StopSignals() as stop:
            telling = run.discover(
                backend, self.settings, self.workspace, base_url, stop, target=target, depth=depth
            )
            last = self._watch(telling, "Looking for routes")
        if isinstance(last, Ended) and last.step is Step.BLOCKED:
            missing = is_about(last.reason, FailureReason.BROWSER_MISSING)
            raise (HostError if missing else BlockedError)(
                f"no routes were found: {last.reason}",
                f"{remedy(last.reason)}, or write {target.name} by hand; then run it again",
            )
        if last is None or (isinstance(last, Ended) and last.step is Step.STOPPED):
            paint.say("stopped; no map was written", "yellow")
            return stop.exit_code
        backend.over(not self._goes_on())
        return ExitCode.OK

    def explore(self, state: State) -> ExitCode:
        """Test what is pending; the exit code of the command."""
        backend = self._opened()
        backend.over(False)
        with StopSignals() as stop:
            telling = run.explore(
                backend, self.settings, self.workspace, state, stop, pages=publish.write
            )
            last = self._watch(telling, "Exploring")
        if last is None:
            paint.say("left at once; what was saved is whole", "yellow")
            paint.say(f"  → go on with: {self.again.go_on}")
            return stop.exit_code
        backend.over(isinstance(last, Ended) and last.step is Step.COMPLETED)
        return ended(state, self.workspace.folder, stop.exit_code, self.again)

    def _watch(self, telling: Telling, title: str) -> Happening | None:
        """Show a run; None if the user did not want to wait for its end.

        Closing lets the run leave its office even where a view fails.
        """
        try:
            with open_view(title) as view, closing(telling) as happenings:
                return watch(happenings, view, *self._views)
        except LeaveNow:
            return None


def _about(settings: Settings) -> dict[str, str]:
    """The run as a metric: no address and no id, whose number nobody can bound."""
    return {
        "version": metadata.version("mazewave"),
        "policy": settings.policy.value,
        "preset": settings.preset,
        "broker": "shared" if settings.broker else "private",
    }
