"""The catalog as its user holds it: search, one file, SQL, as tables for notebooks."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filon.catalog.address import find_table, names_table
from filon.catalog.search import search
from filon.catalog.store import CatalogStore
from filon.core import FilonError
from filon.run import html
from filon.run.frame import Frame
from filon.run.text import plain

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

_FOUND = {
    "id": str,
    "title": str,
    "site": str,
    "format": str,
    "rows": int,
    "since": str,
    "until": str,
    "why": str,
    "url": str,
}
_FILES = {
    "id": str,
    "title": str,
    "site": str,
    "format": str,
    "size_bytes": int,
    "tables": int,
    "rows": int,
    "since": str,
    "until": str,
    "problem": str,
    "url": str,
}
_SIMILAR = {"how": str, "id": str, "title": str, "share": float, "columns": str}


class Catalog:
    """The files of all runs of a folder, to be searched, read and asked in SQL.

    folder: that holds the runs; what is new in them is taken in now.

        catalog = filon.Catalog("filon-runs")
        catalog.search("unemployment region", year="2020")
        catalog["3fa2b8"].df()
        catalog.sql("SELECT Year, avg(Value) FROM f_3fa2b8 GROUP BY 1").to_pandas()
    """

    def __init__(self, folder: str | os.PathLike[str] = "filon-runs") -> None:
        self.folder = Path(folder).absolute()
        with CatalogStore(self.folder) as store:
            self.problems = tuple(store.update())

    def search(
        self,
        words: str,
        *,
        site: str = "",
        format: str = "",
        year: str | int = "",
        place: str = "",
        licence: str = "",
        limit: int = 10,
    ) -> Frame:
        """Return the files that are about some words, the best first, and why.

        site, format, year, place, licence: only files that are so.
        """
        facets = {"site": site, "format": format, "year": str(year)}
        facets |= {"place": place, "licence": licence}
        with CatalogStore(self.folder) as store:
            hits = search(store, words, facets, limit).hits
        rows = [
            (
                *(hit.id[:12], hit.title, hit.site, hit.format, hit.rows, hit.since, hit.until),
                hit.reason,
                hit.url,
            )
            for hit in hits
        ]
        return Frame(_FOUND, lambda: rows)

    def sql(self, query: str) -> Frame:
        """Return the answer to a query in DuckDB's SQL, without files and network.

        `files`, `sightings`, `tables` and `columns` are the catalog's; `f_` and the beginning of an
        id is the first table of that file.
        """
        from filon.catalog.query import sql

        with CatalogStore(self.folder) as store:
            return _frame(sql(store, query))

    def union(self, ids: Sequence[str]) -> Frame:
        """Return the tables of several files below each other, with the source of each row."""
        from filon.catalog.combine import union

        with CatalogStore(self.folder) as store:
            return _frame(union(store, ids))

    def join(self, one: str, other: str, on: Sequence[str] = ()) -> Frame:
        """Return the tables of two files side by side; on: the columns that are equal."""
        from filon.catalog.combine import join

        with CatalogStore(self.folder) as store:
            return _frame(join(store, one, other, on))

    def export(
        self,
        to: str,
        out: str | os.PathLike[str] | None = None,
        *,
        ids: Sequence[str] = (),
        search: str = "",
        site: str = "",
        format: str = "",
        year: str | int = "",
        place: str = "",
        licence: str = "",
    ) -> Path:
        """Write files in a format that other tools take, as "frictionless"; return where.

        out: a path where nothing is yet; by default beside the folder, with its name.
        ids, search: only these files, only those with all of these words.
        site, format, year, place, licence: only files that are so.
        """
        from filon.catalog.handon.choose import hand_on

        facets = {"site": site, "format": format, "year": str(year)}
        facets |= {"place": place, "licence": licence}
        with CatalogStore(self.folder) as store:
            where = Path(out) if out else None
            return hand_on(store, to, where, ids=ids, words=search, facets=facets)

    def files(self) -> Frame:
        """Return all files."""
        with CatalogStore(self.folder) as store:
            found = store.db.execute(
                "SELECT f.*, s.site, s.url FROM files f JOIN sightings s USING (file)"
                " GROUP BY file HAVING found_s = MIN(found_s) ORDER BY file"
            ).fetchall()
        rows = [(row["id"][:12], *(row[name] for name in list(_FILES)[1:])) for row in found]
        return Frame(_FILES, lambda: rows)

    def similar(self, id: str) -> Frame:
        """Return the tables that go with one, and how: to join with it, or to put below it.

        id: of a file, or ID#2 or ID:NAME of one table of it, as the answer has them, too.
        share: of the columns that are the same, or of the values of the column that the other has.
        """
        from filon.catalog.similar import advised

        with CatalogStore(self.folder) as store:
            chosen = find_table(store, id)
            table = chosen.number if names_table(id) else None
            unions, joins = advised(store, chosen.file, table=table)
        rows = [
            *(("union", u.address, u.title, u.shared, ", ".join(u.columns)) for u in unions),
            *(("join", j.address, j.title, j.overlap, f"{j.column} = {j.other}") for j in joins),
        ]
        return Frame(_SIMILAR, lambda: rows)

    def __getitem__(self, id: str) -> "CatalogFile":
        with CatalogStore(self.folder) as store:
            chosen = find_table(store, id)
            row = store.find(chosen.id)
            seen = store.sightings(row["file"])
            tables = tuple(
                (table["name"], tuple(column["name"] for column in columns))
                for table, columns in store.tables(row["file"])
            )
            path = store.path(row["file"])
        return CatalogFile(
            id=row["id"],
            title=row["title"],
            format=row["format"],
            path=path,
            name=seen[0]["name"],
            folder=self.folder,
            urls=tuple(one["url"] for one in seen),
            tables=tables,
            number=chosen.number,
        )

    def __iter__(self) -> Iterator[str]:
        with CatalogStore(self.folder) as store:
            ids = [row["id"] for row in store.db.execute("SELECT id FROM files ORDER BY file")]
        return iter(ids)

    def __len__(self) -> int:
        with CatalogStore(self.folder) as store:
            return int(store.db.execute("SELECT COUNT(*) FROM files").fetchone()[0])

    def _repr_html_(self) -> str:
        return self.files()._repr_html_()

    def __repr__(self) -> str:
        return f"<Catalog {plain(str(self.folder))!r}: {len(self):,} files>"


class CatalogFile:
    """One file of the catalog.

    path: where its bytes are. urls: where it was found. folder: of the catalog that has it.
    tables: the name of each table in it, and its columns. number: the one that is given where
    none is said, from 1 on: 2 of `catalog["3fa2b8#2"]`.

        file = filon.Catalog("filon-runs")["3fa2b8"]
        print(file.title, file.path, file.tables)
        file.df()
    """

    def __init__(
        self,
        *,
        id: str,
        title: str,
        format: str,
        path: Path,
        name: str,
        folder: Path,
        urls: tuple[str, ...],
        tables: tuple[tuple[str, tuple[str, ...]], ...],
        number: int = 1,
    ) -> None:
        self.id = id
        self.title = title
        self.format = format
        self.path = path
        self.name = name
        self.folder = folder
        self.urls = urls
        self.tables = tables
        self.number = number

    def df(self, table: int | None = None) -> "pandas.DataFrame":
        """Return a table of it as a data frame of pandas. table: its place in `tables`."""
        return self.frame(table).to_pandas()

    def to_polars(self, table: int | None = None) -> "polars.DataFrame":
        """Return a table of it as a data frame of Polars."""
        return self.frame(table).to_polars()

    def to_arrow(self, table: int | None = None) -> "pyarrow.Table":
        """Return a table of it as Arrow."""
        from filon.catalog.data import table_of

        number = self.number if table is None else table + 1
        with CatalogStore(self.folder) as store:
            made: pyarrow.Table = table_of(store, store.find(self.id)["file"], number)
        return made

    def frame(self, table: int | None = None) -> Frame:
        """Return a table of it."""
        return _frame(self.to_arrow(table))

    def _repr_html_(self) -> str:
        about = f"<p>{html.text(self.title, 120)}<br>{html.link(self.urls[0], longest=120)}</p>"
        try:
            return about + (self.frame()._repr_html_() if self.tables else "")
        except FilonError as error:
            return f"{about}<p>{html.text(error, 400)}</p>"

    def __repr__(self) -> str:
        number = f"#{self.number}" if self.number > 1 else ""
        return f"<CatalogFile {self.id[:12]}{number} {plain(self.title)!r}: {self.format}>"


def _frame(table: Any) -> Frame:
    kinds = {name: _kind(str(kind)) for name, kind in zip(*_schema(table), strict=True)}
    columns = [
        [str(cell) if kind is str and cell is not None else cell for cell in column.to_pylist()]
        for column, kind in zip(table.columns, kinds.values(), strict=True)
    ]
    return Frame(kinds, lambda: zip(*columns, strict=True), size=lambda: int(table.num_rows))


def _schema(table: Any) -> tuple[list[str], list[Any]]:
    """Return the names of the columns, each once, and their types."""
    names: list[str] = []
    for name in table.schema.names:
        again = sum(name == other or other.startswith(f"{name} (") for other in names)
        names.append(f"{name} ({again + 1})" if name in names else name)
    return names, list(table.schema.types)


def _kind(name: str) -> type:
    if name.startswith(("int", "uint")):
        return int
    if name.startswith(("float", "double", "decimal")):
        return float
    return bool if name == "bool" else str
