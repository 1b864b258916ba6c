"""`mazewave config`: every setting, its value, and where it came from.

Invariant: a password in an address is never shown. Leaves out changing settings.
"""

from typing import Any

import click
from rich.table import Table
from rich.text import Text

from coordinator.cli import options, paint
from coordinator.cli.again import hidden
from coordinator.settings import OPTIONS


@click.command("config")
@click.option("--json", "as_json", is_flag=True, help="For a program.")
@options.project
def command(*, as_json: bool, **flags: Any) -> None:
    """Show every setting and where it came from."""
    settings = options.settings_from(flags)
    rows = [
        (name, _shown(getattr(settings, name)), settings.sources[name], option.meaning)
        for name, option in OPTIONS.items()
    ]
    if as_json:
        paint.result_json(
            {name: {"value": value, "from": source} for name, value, source, _ in rows}
        )
        return
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for title in ("Setting", "Value", "From", "Meaning"):
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    paint.result(table)


def _shown(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return "; ".join(value)
    return hidden(value)
