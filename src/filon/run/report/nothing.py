"""A run without finds, told as one: that there are none, why that may be, and what to try."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence

from filon.run import html
from filon.run.report import Section
from filon.run.report.spending import GROUP_OF_STEP, GROUPS, Groups
from filon.run.summary import Summary
from filon.run.text import begun, count, counted

#: Sections that show what finds there are: without any they would be empty charts.
OF_FINDS = frozenset({"curve", "arms"})
_LONGEST = 1000


def without_finds(
    ledger: sqlite3.Connection,
    summary: Summary,
    remarks: Callable[[], Sequence[str]],
    sections: Iterable[Section],
    *,
    found: int,
    title: str = "Nothing was found",
    groups: Groups = GROUPS,
) -> list[Section]:
    """Return the sections of a report; where nothing was found, they begin with why.

    remarks: what the verb has to say of the run. found: how many finds it has.
    title: what is said where it has none. groups: what steps are counted by.
    """
    if found or not summary.answers:
        return [*sections]
    reasons = [*remarks(), *_facts(ledger, summary, groups)]
    items = "".join(f"<li>{html.text(reason, _LONGEST)}</li>" for reason in reasons)
    lead = f"{title} in {counted(summary.answers, 'answered request')}."
    body = f'<p class="lead">{lead}</p><ul class="reasons">{items}</ul>'
    return [
        ("nothing", title, body),
        *(section for section in sections if section[0] not in OF_FINDS),
    ]


def _facts(ledger: sqlite3.Connection, summary: Summary, groups: Groups) -> list[str]:
    """Return what the ledger says of it, a sentence each."""
    ending = summary.ending
    facts = [f"{begun(ending)}."]
    spent = dict(
        ledger.execute(f"SELECT {GROUP_OF_STEP} AS grp, COUNT(*) FROM steps GROUP BY grp")  # noqa: S608
    )
    listed = [f"{groups[g][0]} {count(spent[g])}" for g in GROUPS if g in spent]
    if listed:
        facts.append(f"What the requests were for: {', '.join(listed)}.")
    if summary.skipped:
        left = ", ".join(f"{why} {count(n)}" for why, n in [*summary.skipped.items()][:5])
        facts.append(f"Seen and not asked for: {left}.")
    return facts
