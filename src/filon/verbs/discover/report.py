"""The report of a discovery: the ranked list with why, operators, services and their failures."""

import sqlite3
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from filon.run import html
from filon.run.report import Page, arms, curve, heading, outputs, settings, spending, trouble
from filon.run.report.nothing import without_finds
from filon.run.text import count, counted, duration, size
from filon.verbs.discover.found import CATALOGUE, HARVEST, OTHERS, TABLE, Site
from filon.verbs.discover.found.listing import SITES
from filon.verbs.discover.summary import PROBLEMS, Discovered, discovered_of, failures

_OPERATORS = arms.Nouns(
    "Operator",
    "Operators",
    "An operator is a way from what is known to what is not",
    "finds",
    "Left",
    "Mean reward",
)
_GROUPS = spending.GROUPS | {
    "find": ("Finds", "pages that showed a site, a repository or a dataset"),
    "page": ("Pages", "looked at"),
    "other": ("Answers of services", "and other files"),
}
_LISTED = 300
_OUTPUTS = (
    (TABLE, "the list, for a spreadsheet"),
    (SITES, "the list, for programs"),
    (CATALOGUE, "the list as DCAT"),
    (OTHERS, "what stands beside the list, for a spreadsheet"),
    (HARVEST, "addresses for filon harvest, a line each"),
)


def page(run_path: Path, ledger: sqlite3.Connection) -> Page:
    """Return the report."""
    discovery = discovered_of(run_path, ledger)
    sections = [
        ("list", "What was found", _list(discovery)),
        ("others", "What stands beside the list", _others(discovery)),
        ("services", "Who was asked", _services(discovery)),
        ("curve", "How the finds came in", curve.body(ledger, discovery.run)),
        ("arms", "What paid", arms.body(discovery.run, _OPERATORS)),
        ("spending", "Where the budget went", spending.body(ledger, _GROUPS)),
        ("skipped", "What was left out", trouble.skipped(discovery.run)),
        ("errors", "What went wrong", trouble.errors(ledger)),
        ("slow", "What was slow", trouble.slow(ledger)),
        ("outputs", "What the run wrote", outputs.body(run_path, _OUTPUTS)),
        ("settings", "How it was run", settings.body(run_path)),
    ]
    return Page(
        title=f"{_about(discovery)}: discovered",
        heading=partial(_heading, ledger, discovery),
        sections=without_finds(
            ledger,
            discovery.run,
            lambda: discovery.notes,
            sections,
            found=len(discovery.sites),
            groups=_GROUPS,
        ),
    )


def _about(discovery: Discovered) -> str:
    return discovery.topic or f"Sites like {counted(len(discovery.seeds), 'example')}"


def _heading(
    ledger: sqlite3.Connection, discovery: Discovered, sections: Sequence[tuple[str, str]]
) -> str:
    run, found = discovery.run, discovery.repositories
    items = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title in sections)
    others = len(discovery.sites) - len(found)
    figures = [
        ("Repositories", count(len(found)), "whose files or datasets were seen", " key"),
        ("Sites", count(others), "of the domain, not verified", ""),
        ("Requests", count(run.requests), f"{size(run.bytes)} received", ""),
        ("Time", duration(run.seconds), "all sessions together", ""),
    ]
    if discovery.datasets:  # not every strategy looks for them
        figures.insert(2, ("Dataset pages", count(discovery.datasets), "seen on the way", ""))
    like = (
        f"Like {counted(len(discovery.seeds), 'example')}<br>"
        if discovery.topic and discovery.seeds
        else ""
    )
    return f"""<header>
<p class="kicker">filon discover · strategy {html.text(run.strategy)}</p>
<h1>{html.text(_about(discovery), 80)}</h1>
<p class="meta">{like}{heading.when(ledger)}<br>The list: {html.beside(TABLE)};
as DCAT: {html.beside(CATALOGUE)}</p>
{heading.state(run)}
<dl class="figures">{heading.figures_list(figures)}</dl>
<nav aria-label="Sections"><ul>{items}</ul></nav>
</header>
"""


def _list(discovery: Discovered) -> str:
    if not discovery.sites:
        return ""
    rows = [_row(site) for site in discovery.sites[:_LISTED]]
    more = len(discovery.sites) - len(rows)
    note = f'<p class="note">And {count(more)} more in sites.csv.</p>' if more > 0 else ""
    lead = "Best first; the score is of use within this run only."
    if any(site.wanted for site in discovery.sites):
        command = html.text(discovery.harvest_command)
        lead += f" To get the files of the repositories: <code>{command}</code>"
    head = ["#Rank", "Site", "What was verified", "Why", "#Score"]
    table = html.sifted(html.table(head, rows, "What was found"))
    return f'<p class="lead">{lead}</p><div class="found">{table}</div>{note}'


def _others(discovery: Discovered) -> str:
    """Return what was found and is not on the list, and why."""
    if not discovery.others:
        return ""
    rows = [[*_row(site)[1:3], html.text(site.apart)] for site in discovery.others[:_LISTED]]
    lead = "Repositories that are off the topic, and sites of the topic with few files."
    table = html.table(["Site", "What was seen", "Why it is not on the list"], rows, "Others")
    return f'<p class="lead">{lead}</p><div class="found">{table}</div>'


def _row(site: Site) -> list[str]:
    verdict = f"<small>{html.text(site.verdict)}</small>" if site.verdict else ""
    title = f"<small>{html.text(site.title, 120)}</small>" if site.title else ""
    nothing = "nothing was looked for" if site.kind == "site" else ""
    return [
        html.number(site.rank, count(site.rank)),
        f"{html.link(site.url)}{title}{verdict}",
        html.text(site.verified or nothing, 200),
        html.text(site.why, 300),
        html.number(site.score, f"{site.score:.3f}"),
    ]


def _services(discovery: Discovered) -> str:
    """Return the services: one that fails is shown as failing, not as one that finds nothing."""
    rows = []
    for one in discovery.searchers:
        failed = failures(one)
        why = ", ".join(f"{PROBLEMS.get(name, name)} ({count(n)})" for name, n in failed.items())
        out = str(one.get("out") or "")
        ended = f"asked no more: {PROBLEMS.get(out, out)}" if out else ""
        detail = str(one.get("detail") or "") if failed else ""
        remark = "; ".join(filter(None, [why, ended, detail]))
        rows.append(
            [
                html.text(one.get("searcher", "")),
                count(int(one.get("calls", 0))),
                count(int(one.get("results", 0))),
                html.text(
                    remark or ("" if one.get("calls") else "there was nothing to ask it"), 300
                ),
            ]
        )
    head = ["Service", "#Calls", "#Results", "What went wrong"]
    table = html.table(head, rows, "Services") if rows else ""
    left = html.text("; ".join(discovery.unasked))
    return table + (f'<p class="note">Not asked: {left}.</p>' if left else "")
