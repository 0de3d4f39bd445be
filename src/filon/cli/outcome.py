"""How a run ended, told on standard output: for people, or as one JSON object for scripts."""

import json
from pathlib import Path

import typer

from filon.cli.interrupt import EXIT_CODE
from filon.run.summary import Summary, summarise
from filon.run.text import plain
from filon.verbs.discover.found import is_discovered
from filon.verbs.discover.summary import BEST, Discovered, discovered
from filon.verbs.enrich.records import has_book
from filon.verbs.enrich.summary import Enriched, enriched
from filon.verbs.follow.graph import is_followed
from filon.verbs.follow.summary import Followed, followed
from filon.verbs.harvest.notes import notes


def tell(run_path: Path, *, as_json: bool) -> int:
    """Print what a run brought and where it is; return the exit code."""
    if has_book(run_path):
        filled = enriched(run_path)
        return _say(filled, filled.run, enriched_object(filled), filled.ending, as_json=as_json)
    if is_discovered(run_path):
        found = discovered(run_path)
        for note in found.notes:
            typer.echo(plain(note), err=True)
        return _say(found, found.run, discovered_object(found), as_json=as_json)
    if is_followed(run_path):
        linked = followed(run_path)
        return _say(linked, linked.run, followed_object(linked), as_json=as_json)
    summary = summarise(run_path)
    remarks = notes(run_path)
    for remark in remarks:
        typer.echo(plain(remark), err=True)
    return _say(summary, summary, as_object(summary, remarks), as_json=as_json)


def _say(
    shown: object,
    summary: Summary,
    told: dict[str, object],
    ending: str = "",
    *,
    as_json: bool,
) -> int:
    """Print the lines for people, or the object for scripts; return the exit code."""
    if as_json:
        if summary.resumable:
            ending = ending or summary.ending
            typer.echo(f"{ending}: go on with: filon resume {summary.run}", err=True)
        typer.echo(json.dumps(told))
    else:
        typer.echo(shown)
        typer.echo(f"  report: {Path(summary.run) / 'report.html'}")
    return EXIT_CODE if summary.stopped == "interrupted" else 0


def discovered_object(told: Discovered) -> dict[str, object]:
    """Return the object that ends standard output under --json."""
    shared = as_object(told.run, told.notes)
    del shared["types"]
    return {
        **shared,
        "repositories": len(told.repositories),
        "sites": len(told.sites) - len(told.repositories),
        "searchers": told.searchers,
        "best": [site.told() for site in told.sites[:BEST]],
        "list": str(told.table),
        "catalog": str(told.catalogue),
        "harvest": str(told.harvest),
    }


def followed_object(told: Followed) -> dict[str, object]:
    """Return the object that ends standard output under --json."""
    tally = told.tally
    return {
        **as_object(told.run, []),
        "documents": tally.documents,
        "triples": tally.triples,
        "hosts": tally.sizes.get("hosts", 0),
        "broken": tally.broken_count,
        "accidental": tally.accidental,
        "turned_down": dict(told.run.skipped),
        "graph": str(told.graph),
        "provenance": str(told.provenance),
        "provenance_graph": tally.graph,
    }


def enriched_object(told: Enriched) -> dict[str, object]:
    """Return the object that ends standard output under --json."""
    shared = as_object(told.run, [*filter(None, [told.note]), *told.notes])
    del shared["types"]
    return {
        **shared,
        "finds": told.filled,
        "rows": dict(told.rows),
        "calls": told.calls,
        "at_hand": told.at_hand,
        "spent": round(told.calls * told.price, 6),
        "currency": told.currency,
        "conflicts": told.conflicts,
        "table": str(told.table),
    }


def as_object(summary: Summary, remarks: list[str]) -> dict[str, object]:
    """Return the object that ends standard output under --json."""
    return {
        "run": summary.run,
        "verb": summary.verb,
        "strategy": summary.strategy,
        "stopped": summary.stopped,
        "requests": summary.requests,
        "bytes": summary.bytes,
        "finds": summary.finds,
        "seconds": round(summary.seconds, 3),
        "report": str(Path(summary.run) / "report.html"),
        "types": {format.name: format.finds for format in summary.formats},
        "notes": remarks,
    }
