"""`filon source list`, `filon source show NAME` and `filon source check NAME`."""

import asyncio
import json
from pathlib import Path
from typing import Annotated, Any

import typer

from filon.cli import options as o
from filon.cli.commands import also_asks_service, gather
from filon.core import Answer, Request
from filon.run.text import counted, plain
from filon.services.describe import find, shipped, text_of
from filon.services.source import Source
from filon.verbs.enrich import EnrichSettings
from filon.verbs.enrich.name_lookup import service_web
from filon.verbs.enrich.probe import Findings, Probe, as_json, refuse_if_silent
from filon.verbs.option import named_texts

source = typer.Typer(
    name="source",
    add_completion=False,
    help="Look at the search services that a table can be enriched from, and probe one.",
    invoke_without_command=True,
)
Name = Annotated[
    str, typer.Argument(metavar="SOURCE", help="The name of a shipped source, or a TOML file.")
]
Parameters = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="What the source must be told, as url=https://example.org; may be repeated.",
    ),
]

Word = Annotated[
    str | None,
    typer.Option(
        metavar="WORD",
        help="A word that the service has results for, where it does not know such as data, water "
        "or history.",
    ),
]
Shared = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="The TOML file of an enrichment: pace, network and source-set are taken from it; "
        "flags win.",
    ),
]


@source.callback()
def group(context: typer.Context) -> None:
    """Look at the search services that a table can be enriched from, and probe one."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@source.command("list")
def list_(json_: o.Json = False) -> int:
    """Name the sources that come with Filon, and their terms.

    Example: filon source list --json
    """
    sources = [find(name) for name in shipped()]
    if json_:
        keys = ("name", "about", "home", "terms", "forbidden", "checked")
        rows = [{key: getattr(each, key) for key in keys} for each in sources]
        typer.echo(json.dumps({"sources": rows}, ensure_ascii=False))
        return 0
    for each in sources:
        typer.echo(f"{each.name}: {each.about}")
        typer.echo(f"  {'Refused: ' + each.forbidden if each.forbidden else each.terms}")
    return 0


@source.command()
def show(name: Name) -> int:
    """Print the file that describes a source: a start for one of your own.

    Example: filon source show openalex
    """
    typer.echo(text_of(name), nl=False)
    return 0


@source.command()
@also_asks_service
def check(
    name: Name,
    set_: Parameters = None,
    word: Word = None,
    config: Shared = None,
    json_: o.Json = False,
    **typed: Any,
) -> int:
    """Probe a service with at most twelve calls, and compare it with its description.

    It tells how many records an answer brings, whether paging works, whether totals are told,
    whether words are joined by AND or OR, which stop words there are, and the rate limit.

    Example: filon source check ckan --set url=https://demo.ckan.org
    """
    asked = gather(EnrichSettings, typed, config)
    parameters = {**asked.get("source_set", {}), **named_texts(set_ or [], "--set")}
    described = Source.load(name, parameters)
    web = service_web(described, asked)
    probe = Probe(described, web, _tell, word or "")

    async def run() -> Findings:
        try:
            return await probe.run()
        finally:
            await web.close()

    found = asyncio.run(run())
    refuse_if_silent(probe.source, found)
    if json_:
        typer.echo(json.dumps(as_json(probe.source, found), ensure_ascii=False))
    else:
        typer.echo("\n".join(_report(probe.source, found)))
    return 0


def _tell(number: int, request: Request, answer: Answer) -> None:
    total = "" if answer.total is None else f" of {answer.total:,}"
    outcome = answer.problem or f"{counted(len(answer.records), 'record')}{total}"
    typer.echo(plain(f"{number:2}. {request.method} {request.url} → {outcome}", 160), err=True)


def _report(described: Source, found: Findings) -> list[str]:
    says = described.description
    rows = [
        ("records an answer", found.page_size, described.page_size),
        ("paging", _works(found.paging), says.paging.how),
        ("totals", _works(found.totals), _works(bool(says.answer.total))),
        ("words joined by", found.joins, says.query.joins),
        ("stop words", ", ".join(found.stop_words), ", ".join(says.query.stop_words[:8])),
        ("fields", ", ".join(found.fields[:12]), ""),
        ("rate limit", _headers(found), says.limits.rate),
        ("quota", "", says.limits.quota),
    ]
    lines = [f"{described.name}: {counted(found.calls, 'call')}"]
    lines += [
        plain(f"  {what}: {_or_unknown(learnt)}" + (f" (described: {stated})" if stated else ""))
        for what, learnt, stated in rows
        if learnt not in (None, "") or stated
    ]
    lines += [f"  terms: {plain(says.terms)}"] if says.terms else []
    lines += [f"  problem: {plain(each)}" for each in found.problems]
    differs = [f"  differs: {plain(each)}" for each in found.differs]
    return lines + (differs or ["  as described"])


def _works(truth: bool | None) -> str:
    return "" if truth is None else ("yes" if truth else "no")


def _headers(found: Findings) -> str:
    return ", ".join(f"{name}: {text}" for name, text in sorted(found.rate_headers.items()))


def _or_unknown(learnt: object) -> str:
    return "not told" if learnt in (None, "") else str(learnt)
