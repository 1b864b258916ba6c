"""`mazewave`: the list of commands, and the one place that turns an error into text and exit code.

A command's module is imported when the command is called, so that `--help` is fast. Invariant: no
traceback reaches the user; our own faults are written to a file that the sentence names. Leaves out
what the commands do.
"""

import difflib
import sys
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import click

from coordinator.errors import ExitCode, InternalError, MazewaveError

COMMANDS: dict[str, str] = {
    "explore": "Use every control of every page and report what is broken.",
    "discover": "Find the routes of an app and write ROUTE_MAP.md.",
    "status": "Say how far the run in this folder is.",
    "report": "Write the reports anew, and compare with an earlier run.",
    "demo": "Explore a small shop with planted faults.",
    "doctor": "Check that this machine has all that a run needs.",
    "worker": "Run one worker of a cluster.",
    "config": "Show every setting and where it came from.",
    "completion": "Print the completion script of a shell.",
}


class Commands(click.Group):
    """Knows the commands by name; imports one when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"coordinator.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, but a typo is told the near command."""
        name = args[0]
        near = difflib.get_close_matches(name, COMMANDS, n=1)
        if name not in COMMANDS and near:
            raise click.UsageError(f"there is no command {name!r}; did you mean {near[0]}?", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value:
        click.echo(f"mazewave {metadata.version('mazewave')}")
        ctx.exit()


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start with:  mazewave explore http://localhost:5000",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Print the version.",
)
@click.pass_context
def app(ctx: click.Context) -> None:
    """Find what is broken in a web product, and prove it."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def run() -> None:
    """The console script."""
    sys.exit(main(sys.argv[1:]))


def main(arguments: list[str]) -> int:
    """Run a command; the exit code."""
    return guarded(lambda: app.main(arguments, prog_name="mazewave", standalone_mode=False))


def guarded(action: Callable[[], Any]) -> int:
    """Do it; whatever goes wrong becomes a sentence, a hint and an exit code."""
    try:
        result = action()
    except click.ClickException as error:
        return _usage(error)
    except MazewaveError as error:
        return _told(error)
    except (KeyboardInterrupt, click.Abort):
        _complain("interrupted", "nothing that was saved is lost; run the same command again")
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output is gone; Python would complain once more while it exits.
        sys.stdout = None
        return ExitCode.OK
    except Exception as error:  # noqa: BLE001 - the door: no traceback reaches the user
        return _told(_crash(error))
    return int(result or 0)


def _usage(error: click.ClickException) -> int:
    hint = "see: mazewave --help"
    if isinstance(error, click.UsageError) and error.ctx is not None:
        hint = f"see: {error.ctx.command_path} --help"
    _complain(error.format_message().rstrip("."), hint)
    return ExitCode.REQUEST


def _told(error: MazewaveError) -> int:
    _complain(error.sentence, error.hint)
    return error.exit_code


def _complain(sentence: str, hint: str) -> None:
    from coordinator.cli import paint  # noqa: PLC0415 - rich is slow to import

    paint.complain(sentence, hint)


def _crash(error: Exception) -> InternalError:
    """Write the evidence where the user can find it."""
    moment = datetime.now(UTC)
    path = Path(".mazewave") / f"crash-{moment:%Y%m%dT%H%M%SZ}.log"
    text = "".join(traceback.format_exception(error))
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError:
        return InternalError(
            f"mazewave failed, and that is its own fault: {type(error).__name__}: {error}",
            "please report it",
        )
    return InternalError(
        f"mazewave failed, and that is its own fault: {type(error).__name__}",
        f"what happened is in {path}; please report it",
    )
