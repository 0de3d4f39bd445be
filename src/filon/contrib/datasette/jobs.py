"""The jobs of datasette-enrichments that are ours, in the tables that it keeps."""

from typing import Any

#: By which jobs are known as ours.
SLUG = "filon"
_TABLE = "_enrichment_jobs"


async def job(db: Any, job_id: int) -> dict[str, Any]:
    """Return how a job stands."""
    found = await db.execute(f"SELECT * FROM {_TABLE} WHERE id = ?", (job_id,))  # noqa: S608
    return dict(found.first())


async def is_told(db: Any, job_id: int, message: str) -> bool:
    """Say whether something was written down of a job before."""
    query = "SELECT 1 FROM _enrichment_progress WHERE job_id = ? AND message = ?"
    return bool((await db.execute(query, (job_id, message))).rows)


async def pause_left(db: Any) -> None:
    """Pause the jobs that seem to be at work though this Datasette has just begun.

    Only what is paused can go on: a job that was cut short would be lost with all that it paid for.
    """
    if await db.table_exists(_TABLE):
        left = f"UPDATE {_TABLE} SET status = 'paused'"  # noqa: S608
        await db.execute_write(f"{left} WHERE status = 'running' AND enrichment = ?", [SLUG])
