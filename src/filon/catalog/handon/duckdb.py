"""A database of DuckDB: each table by the name that `filon catalog sql` has for it, and what is
known of them all, as tables and views.
"""

from contextlib import closing
from pathlib import Path
from typing import Any

from filon.catalog.data import ALONE
from filon.catalog.handon.dataset import Collection
from filon.catalog.handon.package import read, table_name
from filon.catalog.handon.relations import relations
from filon.core import MachineError
from filon.core.extras import extra

#: A table takes a block at least: ten thousand small ones would be gigabytes of the usual ones.
_BLOCK, _SMALL_BLOCK = 262_144, 16_384
_MANY = 200
_VIEWS = """
CREATE VIEW datasets AS
SELECT dataset, first(title) AS title, first(site) AS site, first(page) AS page,
       list(format ORDER BY format) AS formats, sum(rows) AS rows,
       nullif(min(since), '') AS since, nullif(max(until), '') AS until,
       nullif(max(licence), '') AS licence
FROM files GROUP BY dataset;
CREATE VIEW contents AS
SELECT t."table", f.title, t.name AS part, t.rows, f.site, f.url, f.licence
FROM tables t JOIN files f ON f.id = t.file WHERE t."table" != '';
"""


def write_duckdb(collection: Collection, out: Path) -> None:
    """Write a database of DuckDB: every table, and tables and views of what is known of them."""
    duckdb = extra("tables", "The export to duckdb needs DuckDB", "duckdb", "pyarrow")
    try:
        with closing(duckdb.connect(":memory:", config=ALONE)) as database:
            _fill(database, collection, out)
    except duckdb.Error as error:
        message = str(error).splitlines()[0]
        raise MachineError(f"The export to {out} failed: {message}") from error


def _fill(database: Any, collection: Collection, out: Path) -> None:
    place = str(out).replace("'", "''")
    block = _SMALL_BLOCK if len(collection) > _MANY else _BLOCK
    database.execute(f"ATTACH '{place}' AS handed_on (BLOCK_SIZE {block})")
    database.execute("USE handed_on")
    there: set[str] = set()
    for dataset, file in collection.files():
        for table, made in read(collection, file):
            name = table_name(file, table)
            _create(database, name, made)
            title = f"{dataset.title}: {table.name}" if table.name else dataset.title
            _comment(database, name, f"{title} ({file.url})" if file.url else title)
            there.add(name)
    for name, frame in relations(collection, there).items():
        _create(database, name, frame.to_arrow())
    database.execute(_VIEWS)
    database.execute("USE memory")
    database.execute("DETACH handed_on")


def _create(database: Any, name: str, table: Any) -> None:
    database.register("handed", table)
    database.execute(f'CREATE TABLE "{name}" AS SELECT * FROM handed')
    database.unregister("handed")


def _comment(database: Any, name: str, text: str) -> None:
    quoted = text.replace("'", "''")
    database.execute(f"COMMENT ON TABLE \"{name}\" IS '{quoted}'")
