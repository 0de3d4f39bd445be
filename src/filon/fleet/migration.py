"""Brings the tables of a store to what this version knows, while others work with them."""

from filon.fleet import schema
from filon.fleet.database import Ask, Database


async def migrate(db: Database, until: int = schema.VERSION) -> int:
    """Take the steps that a store lacks; return how many. Nobody else does so meanwhile."""
    if await version(db) >= until:
        return 0
    return await db.alone(lambda ask: _steps(db, ask, until))


async def version(db: Database) -> int:
    """Return the version of the tables; 0: there are none."""
    if not await db.has_table("versions"):
        return 0
    (row,) = await db.ask("SELECT coalesce(max(version), 0) AS version FROM versions")
    return int(row["version"])


async def _steps(db: Database, ask: Ask, until: int) -> int:
    for statement in db.prelude:
        await ask(statement)
    await ask(
        "CREATE TABLE IF NOT EXISTS versions"
        " (version INTEGER PRIMARY KEY, at_s DOUBLE PRECISION NOT NULL)"
    )
    (row,) = await ask("SELECT coalesce(max(version), 0) AS version FROM versions")
    for version in range(row["version"] + 1, until + 1):
        besides = schema.BESIDES.get(db.dialect, {}).get(version, ())
        for statement in (*schema.STEPS[version], *besides):
            await ask(statement.format(**db.words))
        await ask("INSERT INTO versions VALUES ($1, moment_s())", version)
    return max(0, until - int(row["version"]))
