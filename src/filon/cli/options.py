"""Options of commands that are no settings: where a run is, and how the command tells of it.

Those that are settings come from the settings' fields, also for commands that are no verb.
"""

from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from filon.verbs.option import options_of
from filon.verbs.settings import Settings

RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="The folder to write; by default filon-runs/HOST-001 and so on."
    ),
]
Config = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A TOML file with these options by name; flags win."),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what would be done; send and write nothing.")
]
Json = Annotated[
    bool, typer.Option("--json", help="End standard output with one JSON object for scripts.")
]

PerSite = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Of a run of many sites: the most requests that each may have in all; 0 is no bound.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Tell nothing but errors.")]


def shared(name: str) -> Any:
    """Return a setting that every verb has as an option of a command that is no verb."""
    (way,) = next(options_of(entry) for entry in fields(Settings) if entry.name == name)
    flag = f"--{name.replace('_', '-')}"
    return typer.Option(flag, metavar=way.metavar, help=way.help, rich_help_panel=way.panel or None)


Set = Annotated[list[str] | None, shared("set")]
ConnectTo = Annotated[list[str] | None, shared("connect_to")]
Header = Annotated[list[str] | None, shared("header")]
