"""`filon catalog search --store`: the files that a fleet has found."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import typer

from filon.catalog.words import words as split
from filon.cli.fleet_look import PATIENCE_S, located
from filon.core import UserError
from filon.fleet.store import opened
from filon.run.text import plain, size
from filon.verbs.session import run_here

#: What is told of a find.
_TOLD = (
    *("site", "url", "name", "mime", "size_bytes", "sha256", "parent", "link_text"),
    *("page_title", "headings", "licence", "modified"),
)


def searched(
    text: str, store: str, site: str, limit: int, others: Mapping[str, object], *, as_json: bool
) -> int:
    """Search the finds of a fleet, and print them; return the exit code.

    others: options that a fleet has no answer to, by name.
    """
    if strange := [name for name, value in others.items() if value]:
        raise UserError(f"--{strange[0]} is not known of a fleet: search it by words and --site.")
    if not any(split(text)):
        raise UserError("A search needs words: say what the files should be about.")

    async def look() -> list[dict[str, Any]]:
        async with opened(located(store), patience_s=PATIENCE_S) as fleet:
            await fleet.settings()
            return await fleet.search(text, limit, site)

    found = run_here(look())
    if as_json:
        hits = [{name: row[name] for name in _TOLD} for row in found]
        typer.echo(json.dumps({"hits": hits}))
    elif not found:
        typer.echo("Nothing was found.")
    else:
        for row in found:
            typer.echo("\n".join(_lines(row)))
    return 0


def _lines(row: Mapping[str, Any]) -> Iterator[str]:
    title = row["link_text"] or row["page_title"] or row["name"] or row["url"]
    yield f"{(row['sha256'] or '')[:12]:<12}  {plain(str(title), 70)}"
    yield f"              {plain(str(row['name'] or ''))}, {size(row['size_bytes'] or 0)}"
    yield f"              {plain(str(row['url']))}"
