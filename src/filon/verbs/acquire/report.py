"""The report of an acquisition: all sites with what each got and brought, then all finds."""

import sqlite3
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from urllib.parse import quote

from filon.run import html
from filon.run.report import Page, curve, heading, settings, spending
from filon.run.report.nothing import without_finds
from filon.run.report.standard import of_files
from filon.run.text import count, counted, duration, size
from filon.verbs.acquire.summary import Acquired, SiteFigures, acquired_of


def page(folder: Path, ledger: sqlite3.Connection) -> Page:
    """Return the report."""
    whole = acquired_of(folder, ledger)
    run = whole.run
    sections = [
        ("sites", "Where the budget went", _sites(folder, whole)),
        ("curve", "How the finds came in", curve.body(ledger, run)),
        ("spending", "What was asked for", spending.body(ledger)),
        *of_files(folder, ledger, run),
        ("settings", "How it was run", settings.body(folder)),
    ]
    return Page(
        title=f"{_about(whole)}: acquired",
        heading=partial(_heading, ledger, whole),
        sections=without_finds(ledger, run, lambda: whole.remarks, sections, found=run.finds),
    )


def _about(whole: Acquired) -> str:
    return whole.topic or f"The files of {counted(len(whole.sites), 'site')}"


def _heading(
    ledger: sqlite3.Connection, whole: Acquired, sections: Sequence[tuple[str, str]]
) -> str:
    run = whole.run
    items = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title in sections)
    asked = sum(bool(part.requests) for part in whole.sites)
    figures = [
        ("Finds", count(run.finds), "files worth keeping", " key"),
        ("Sites", count(len(whole.sites)), f"{count(asked)} of them were asked", ""),
        ("Requests", count(run.requests), heading.answered(run), ""),
        ("Received", size(run.bytes), f"{size(run.find_bytes)} of finds", ""),
        ("Time", duration(run.seconds), f"{run.per_hundred:.1f} finds for 100 requests", ""),
    ]
    return f"""<header>
<p class="kicker">filon acquire</p>
<h1>{html.text(_about(whole), 80)}</h1>
<p class="meta">{heading.when(ledger)}</p>
{heading.state(run)}
<dl class="figures">{heading.figures_list(figures)}</dl>
<nav aria-label="Sections"><ul>{items}</ul></nav>
</header>
"""


def _sites(folder: Path, whole: Acquired) -> str:
    if not whole.parts:
        return ""
    head = ["Site", "#Finds", "#Requests", "-Received", "-Promise", "How it stands"]
    rows = [_row(folder, part) for part in whole.parts]
    lead = (
        "Each request went where it was expected to bring most. Why a site got what it got: "
        f"<code>filon why {html.text(whole.run.run)} SITE</code>"
    )
    return f'<p class="lead">{lead}</p>' + html.sifted(html.table(head, rows, "Sites", "arms"))


def _row(folder: Path, part: SiteFigures) -> list[str]:
    name = html.text(part.name, 60)
    if (folder / part.path / "report.html").is_file():
        name = f'<a href="{quote(part.path)}/report.html">{name}</a>'
    return [
        f"{name}<small>{html.text(part.why, 120)}</small>",
        html.number(part.finds, count(part.finds)),
        html.number(part.requests, count(part.requests)),
        html.number(part.bytes, size(part.bytes)),
        f"{part.promise:.2f}",
        html.text(part.end, 160),
    ]
