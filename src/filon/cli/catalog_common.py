"""What all commands of `filon catalog` have: the folder, the id, the open catalog, an answer."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from filon.catalog.intake import run_folders
from filon.catalog.store import FILE, CatalogStore
from filon.core import UserError
from filon.run.text import plain

TableId = Annotated[
    str,
    typer.Argument(
        metavar="ID", help="Of a file, or the first letters of it; ID#2 or ID:NAME: of a table."
    ),
]
Id = Annotated[str, typer.Argument(metavar="ID", help="Of a file, or the first letters of it.")]
Folder = Annotated[
    Path, typer.Option("--in", metavar="FOLDER", help="The folder that holds the runs.")
]


def opened(folder: Path) -> CatalogStore:
    """Open the catalog of a folder, with all that is new in its runs."""
    if folder.is_dir() and not (folder / FILE).exists() and not any(run_folders(folder)):
        raise UserError(f"{folder} holds no run: name a folder that does with --in.")
    catalog = CatalogStore(folder)

    def watch(run: Path) -> None:
        if sys.stderr.isatty():
            print(f"taking in {plain(str(run))} …", file=sys.stderr)

    for problem in catalog.update(watch):
        print(f"filon: left out {plain(problem)}", file=sys.stderr)
    return catalog


def say(json_: bool, value: dict[str, Any], lines: list[str]) -> int:
    """Print what was found, as an object for programs or as lines for people."""
    typer.echo(json.dumps(value, ensure_ascii=False, default=str) if json_ else "\n".join(lines))
    return 0
