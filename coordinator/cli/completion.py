"""`mazewave completion SHELL`: the script that teaches a shell the commands and flags.

Leaves out installing it, which the script's first lines of `--help` explain.
"""

import click
from click.shell_completion import get_completion_class

from coordinator.cli import paint
from coordinator.errors import RequestError


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    For bash:  mazewave completion bash > ~/.local/share/bash-completion/completions/mazewave
    """
    found = get_completion_class(shell)
    if found is None:
        raise RequestError(f"there is no completion for {shell}", "use bash, zsh or fish")
    root = ctx.find_root()
    script = found(root.command, {}, "mazewave", "_MAZEWAVE_COMPLETE").source()
    paint.result(script.rstrip())
