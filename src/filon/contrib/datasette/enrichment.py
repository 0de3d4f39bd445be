"""The enrichment: `filon enrich` on the selected rows, under a budget that is agreed to before.

One job is one run, in the plugin's folder: pages and commands tell of it as of any other. Its rows
are handed over as a whole, since a query may be about many of them; Datasette's batches are then
filled from what the run has found.
"""

import math
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import datasette.plugins  # noqa: F401  (first: it registers what is imported next, whole)
from datasette_enrichments import Enrichment, record_progress
from datasette_enrichments.utils import get_with_auth

from filon.contrib.datasette.child import enriched, is_begun, is_ended, left_alone
from filon.contrib.datasette.choices import Choices, choices
from filon.contrib.datasette.form import form_of
from filon.contrib.datasette.jobs import SLUG, is_told, job
from filon.contrib.datasette.selection import JOBS, Outcome, outcomes, put, write
from filon.core import FilonError, UserError
from filon.core.background import in_thread
from filon.run.export.folder import safe_name
from filon.run.text import counted
from filon.verbs.enrich.summary import enriched as figures

#: Rows of a page of Datasette's, and of a whole selection.
PAGE, MOST_ROWS = 100, 100_000
#: Of a cent in a dollar: as jobs count what they cost.
_HUNDREDTHS = 10_000


class FilonEnrichment(Enrichment):
    """More columns for a table from a search service, with the fewest calls."""

    name = "Filon: more columns from a search service"
    slug = SLUG
    description = "Fill columns from a service with a keyword search, within a budget of calls."
    batch_size = PAGE

    def __init__(self) -> None:
        self._found: dict[tuple[str, int], Mapping[str, Outcome]] = {}

    async def get_config_form(self, datasette: Any, db: Any, table: str) -> Any:
        """Return the form that asks what is to be done, and shows what it may cost."""
        try:
            chosen = choices(datasette)
        except UserError as error:
            return form_of(None, [], str(error))
        return form_of(chosen, await db.table_columns(table))

    async def enrich_batch(
        self,
        datasette: Any,
        db: Any,
        table: str,
        rows: list[dict[str, Any]],
        pks: list[str],
        config: dict[str, Any],
        job_id: int,
    ) -> int:
        """Fill some rows; the first of them bring about the run."""
        key = db.name, job_id
        try:
            if key not in self._found:
                run = await self._run(datasette, db, table, pks, config, job_id)
                self._found[key] = await in_thread(outcomes, run, job_id, table)
        except FilonError as error:
            raise self.Cancel(str(error)) from error
        found = self._found[key]

        def fill(connection: sqlite3.Connection) -> int:
            with connection:
                return put(connection, table, rows, pks, found)

        return int(await db.execute_write_fn(fill))

    async def finalize(self, db: Any) -> None:
        """Let go of what ended jobs of this database have found."""
        self._found = {key: found for key, found in self._found.items() if key[0] != db.name}

    async def _run(
        self,
        datasette: Any,
        db: Any,
        table: str,
        pks: Sequence[str],
        config: Mapping[str, Any],
        job_id: int,
    ) -> Path:
        """Run the enrichment of a job to its end; return where the run is."""
        chosen = choices(datasette)
        about = await job(db, job_id)
        # Jobs of another database of that name have the same number, and began at another time.
        began = "".join(sign for sign in about["started_at"] if sign.isdigit())
        name = safe_name(f"{JOBS}{db.name}-{table}-{job_id}-{began}")
        run = chosen.folder / name

        async def is_wanted() -> bool:
            return bool((await job(db, job_id))["status"] == "running")

        if not await left_alone(run, is_wanted):
            raise self.Pause(f"run {name} is at work")
        if await in_thread(is_ended, run):
            await self._tell(db, job_id, run)
            return run
        copy = chosen.folder / ".datasette" / f"{name}.sqlite"
        if not is_begun(run):
            selected = await self._selected(datasette, db, table, about["filter_querystring"])
            await in_thread(write, copy, selected, pks)
        budget = min(int(config["budget"]), chosen.budget)
        calls = counted(budget, "call")
        await record_progress(db, job_id, 0, 0, f"run {name}: at most {calls}")

        ended = await enriched(run, arguments(chosen, config, copy, budget), is_wanted)
        if ended.error:
            raise UserError(ended.error)
        if ended.paused:
            if (await job(db, job_id))["status"] == "cancelled":
                raise self.Cancel(f"run {name} is kept")
            raise self.Pause(f"run {name} goes on with it")
        copy.unlink(missing_ok=True)
        await self._tell(db, job_id, run)
        return run

    async def _tell(self, db: Any, job_id: int, run: Path) -> None:
        """Write down once what the run cost and brought, where a job is looked at."""
        told = await in_thread(figures, run)
        spent, filled = counted(told.calls, "call"), counted(told.rows.get("filled", 0), "row")
        message = f"run {run.name}: {spent}, {filled} filled"
        if await is_told(db, job_id, message):
            return
        await record_progress(db, job_id, 0, 0, message)
        if told.currency == "USD":
            cost = math.ceil(told.calls * told.price * _HUNDREDTHS)
            await self.increment_cost(db, job_id, cost)

    async def _selected(
        self, datasette: Any, db: Any, table: str, filtered: str
    ) -> list[dict[str, Any]]:
        """Return all rows of a job, as its filter chooses them."""
        base = f"{filtered}&_size={PAGE}&_shape=objects"
        address, rows, cursor = datasette.urls.table(db.name, table, format="json"), [], ""
        while True:
            query = f"{base}&_next={cursor}" if cursor else base
            page = (await get_with_auth(datasette, f"{address}?{query}")).json()
            rows += page["rows"]
            cursor = page["next"]
            if len(rows) > MOST_ROWS:
                raise UserError(f"More than {MOST_ROWS:,} rows are selected: narrow them down.")
            if not cursor:
                return rows


def arguments(chosen: Choices, config: Mapping[str, Any], copy: Path, budget: int) -> list[str]:
    """Return the words after `filon enrich` that do what a form says."""
    offered = chosen.sources[config["source"]]
    words = [str(copy), "--from", offered.source, "--add", config["add"], "--budget", str(budget)]
    told = [f"{name}={value}" for name, value in offered.set.items()]
    words += [word for text in told for word in ("--source-set", text)]
    words += ["--match", config["match"]] if config.get("match") else []
    return words + (["--delay", str(chosen.delay)] if chosen.delay is not None else [])
