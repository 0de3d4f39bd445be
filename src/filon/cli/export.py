"""`filon export RUN --to FORMAT`."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from filon.cli import options as o
from filon.cli.session import Line
from filon.core import UserError
from filon.run.text import counted
from filon.verbs.option import headers

#: Not a file: an endpoint takes it.
UPDATE = "sparql-update"
#: Ways to say: do not make a file.
STANDARD_OUTPUT = ("-", "/dev/stdout")


def export(
    run: o.RunFolder,
    where: Annotated[
        str | None,
        typer.Argument(metavar="PATH|URL", help="As --out; of sparql-update, the endpoint."),
    ] = None,
    to: Annotated[
        str,
        typer.Option(
            metavar="FORMAT",
            help="csv, jsonl, parquet, sqlite, files, which is a folder tree, or warc and wacz, "
            "web archives to replay; frictionless, croissant, dcat, schema-org, ro-crate, lake, "
            "duckdb and datasette are for runs with files; json and dcat for those of filon "
            "discover, nquads, oxigraph and sparql-update for those of filon follow.",
        ),
    ] = ...,  # type: ignore[assignment]  # required
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", help="Where to write, - for standard output; by default beside the run."
        ),
    ] = None,
    json_: o.Json = False,
    header: o.Header = None,
    connect_to: o.ConnectTo = None,
) -> int:
    """Write the finds of a run as a table or as a folder of files, and print where it is.

    Of any run, what the web said, as a web archive with the found files in it: warc, or wacz
    for ReplayWeb.page. Of a run with files, these with their tables and all that is known of them,
    in formats that other tools take; `filon catalog export --to FORMAT` does so with many runs. Of
    an enrichment, the records that were fetched and the rows they are about. Of a discovery, its
    ranked list, as csv, json, jsonl or dcat. Of a run that followed Linked Data, also its triples
    with their provenance: as N-Quads, as a database of Oxigraph, or sent to the URL of a SPARQL
    endpoint in updates.

    Example: filon export filon-runs/www.example.org-001 --to files
    """
    if where and out:
        raise UserError(f"Where to write, {where} or {out}? Name one place.")
    if to == UPDATE:
        how = {"header": headers(header or ()), "connect_to": tuple(connect_to or ())}
        return _send(run, where or (str(out) if out else ""), how, as_json=json_)
    from filon.run.export import export as write
    from filon.run.export import stream
    from filon.verbs.settle import settle

    if str(where or out) in STANDARD_OUTPUT:
        if json_:
            raise UserError("The export and --json cannot both go to standard output.")
        kind = settle(run)
        stream(run, to, sys.stdout.buffer, kind.rows(), kind.formats())
        return 0
    kind = settle(run)
    written = write(run, to, Path(where) if where else out, kind.rows(), kind.formats())
    summary = {"run": str(run), "to": to, "written": str(written)}
    typer.echo(json.dumps(summary) if json_ else written)
    return 0


def _send(run: Path, url: str, how: dict[str, tuple[str, ...]], *, as_json: bool) -> int:
    if not url:
        raise UserError(
            "Which endpoint takes the update? Name its URL: "
            f"filon export {run} --to {UPDATE} http://localhost:7878/update"
        )
    from filon.verbs.follow.publish import publish

    line = Line(sys.stderr)
    sent = publish(run, url, sent=lambda n: line.show(lambda: counted(n, "triple")), **how)
    line.clear()
    summary = {"run": str(run), "to": UPDATE, "written": url, "triples": sent}
    typer.echo(json.dumps(summary) if as_json else f"{counted(sent, 'triple')} sent to {url}")
    return 0
