"""What the run before a round has asked for the same table, and what became of its rows."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from filon.core import FilonError, Request
from filon.run import readonly
from filon.run.history import runs_before
from filon.verbs.enrich.strategies.recall import Earlier

if TYPE_CHECKING:
    from filon.verbs.enrich.job import EnrichJob

_ROW = re.compile(r"row (\d+): ")
#: Answers that are worth asking for again.
_ASKED = """
    SELECT url, arm FROM steps
    WHERE answer NOTNULL AND method = 'GET' AND status = 200 AND error = '' AND kind != 'robots'
    ORDER BY step
"""


def before(folder: Path) -> Path:
    """Return the run, or the round of it, that came before a round."""
    return runs_before(folder)[-1]


def earlier(job: "EnrichJob") -> Earlier:
    """Return what the run before has asked, and the rows that it has looked for in vain."""
    folder = Path(job.settings.before)
    with readonly.reading(folder) as ledger:
        rows = ledger.execute(_ASKED).fetchall()
        found = {
            int(told[1]) - 1
            for (name,) in ledger.execute("SELECT name FROM finds")
            if (told := _ROW.match(name))
        }
        is_over = readonly.meta(ledger).get("stopped", "") == "exhausted"
    asked = [(_request(job, row["arm"], row["url"]), row["arm"]) for row in rows]
    if not is_over:  # it may not have got to the rest
        return Earlier(asked, frozenset())
    vain = {key for number, key in enumerate(_keys_before(job, folder)) if number not in found}
    return Earlier(asked, frozenset(n for n, key in enumerate(_keys(job)) if key in vain))


def _request(job: "EnrichJob", words: str, url: str) -> Request:
    return replace(job.source.request(words), url=url)


def _keys(job: "EnrichJob") -> Iterator[tuple[str, ...]]:
    """Yield for each different row what it is known by."""
    columns = job.distinct.columns
    return zip(*(columns[name] for name in sorted(columns)), strict=True)


def _keys_before(job: "EnrichJob", folder: Path) -> list[tuple[str, ...]]:
    from filon.verbs.enrich.job import reopen

    try:
        old = reopen(folder, type(job.settings).of(readonly.config(folder)))
        if (old.matched, old.queried) == (job.matched, job.queried):
            return list(_keys(old))
    except FilonError:  # its copy of the table is gone: all rows count as new
        pass
    return []
