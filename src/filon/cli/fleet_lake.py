"""`filon fleet lake`."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from filon.cli import options as o
from filon.cli.fleet_look import PATIENCE_S, Where, located
from filon.core import UserError
from filon.fleet.blobs import blobs_at
from filon.fleet.lake import ask, fill
from filon.fleet.store import opened
from filon.run.text import counted, plain
from filon.verbs.session import run_here


def lake(
    store: Where = "",
    blobs: Annotated[
        str,
        typer.Option(
            metavar="DIR|URL", help="The blobs; by default those in the folder of the fleet."
        ),
    ] = "",
    sql: Annotated[
        str, typer.Option(metavar="QUERY", help="Ask the last lake; its table is finds.")
    ] = "",
    json_: o.Json = False,
) -> int:
    """Write what a fleet has found as Parquet among its blobs, or ask that with DuckDB.

    Example: filon fleet lake --store postgresql://db/fleet --blobs s3://bucket/fleet
    """
    place = blobs
    if not place:
        at = located(store)
        if "://" in at:
            raise UserError("Where are the bytes of this fleet? Name them with --blobs.")
        place = str(Path(at).parent / "blobs")

    async def work() -> dict[str, Any]:
        bytes_ = blobs_at(place)
        try:
            if sql:
                columns, rows = await ask(bytes_, place, sql)
                return {"columns": columns, "rows": [list(row) for row in rows]}
            async with opened(located(store), patience_s=PATIENCE_S) as fleet:
                await fleet.settings()
                folder, finds = await fill(fleet, bytes_)
            return {"lake": f"{place.rstrip('/')}/{folder}", "finds": finds}
        finally:
            await bytes_.close()

    told = run_here(work())
    if json_:
        typer.echo(json.dumps(told, default=str))
    elif sql:
        for row in [told["columns"], *told["rows"]]:
            typer.echo("\t".join(plain(str(value)) for value in row))
    else:
        typer.echo(f"{counted(told['finds'], 'find')} are in {told['lake']}.")
    return 0
