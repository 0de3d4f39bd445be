"""What a user has, as records to reconcile with: a run, a folder of runs, or a table."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from filon.catalog.address import find_table
from filon.catalog.data import table_of
from filon.catalog.intake import run_folders
from filon.catalog.store import CatalogStore
from filon.core import Record, UserError
from filon.core.suggest import did_you_mean
from filon.run import readonly
from filon.run.text import count, plain
from filon.verbs.enrich.match.kinds import guess, words
from filon.verbs.enrich.reconciler import Reconciler
from filon.verbs.enrich.records import meta, reading_book
from filon.verbs.enrich.table import open_table, text

#: Rows that are held in memory at most.
MOST_ROWS = 500_000
#: What columns that name things are called, and those that number them.
_NAMES = ("name", "title", "label")
_IDS = ("id", "identifier", "uri", "key", "code", "uuid")
#: Names are so long on average at least, and as different as this part of the most different.
_LONG, _MOSTLY = 4, 0.9
#: Ids are a URI in the API; these are of this machine.
_HERE = "http://127.0.0.1/"
_FILES = ("title", "url", "site", "format", "rows", "since", "until", "licence", "run")


def reconciler_of(what: str, *, table: str = "", name: str = "", id_: str = "") -> Reconciler:
    """Return a reconciliation service over what a user names.

    what: the folder of a run or of runs, or a table: FILE, or FILE:NAME.
    table: of files in runs, the one whose rows are meant, by its id.
    name, id_: the columns that hold what a row is called, and its id.
    """
    path = Path(what)
    if not path.is_dir():
        if table:
            raise UserError(f"--table names a file of a folder of runs, and {what} is no folder.")
        return _of_table(what, name, id_)
    if _is_enrichment(path) and not table:
        return _of_book(path, name)
    is_run = (path / readonly.CONFIG).is_file()
    if not is_run and not any(run_folders(path)):
        raise UserError(f"{what} holds no run: name a folder that does, a run, or a table.")
    with CatalogStore(path, passing=is_run) as catalog:
        catalog.update()
        if table:
            return _of_rows(catalog, table, name, id_)
        return _of_files(catalog, path, name)


def _is_enrichment(path: Path) -> bool:
    return (path / readonly.CONFIG).is_file() and readonly.config(path).get("verb") == "enrich"


def _of_book(run: Path, name: str) -> Reconciler:
    """Offer the records that an enrichment fetched."""
    with reading_book(run) as book:
        about = meta(book)
        rows = book.execute("SELECT id, url, fields FROM records ORDER BY record").fetchall()
    records = [
        Record(id=row["id"], url=row["url"], fields=json.loads(row["fields"])) for row in rows
    ]
    title = f"{about.get('source', '')}, as fetched for {Path(about.get('table', '')).name}"
    fields = list(dict.fromkeys(field for each in records for field in each.fields))
    named = _known(name, fields) or about.get("name_field", "")
    space = str(readonly.config(run).get("url") or _HERE)
    return Reconciler(records, title=title, name_field=named, space=space)


def _of_files(catalog: CatalogStore, path: Path, name: str) -> Reconciler:
    """Offer the files of runs, each once."""
    rows = catalog.db.execute(
        "SELECT f.*, s.* FROM files f JOIN sightings s USING (file)"
        " WHERE f.same_as = '' GROUP BY f.file HAVING s.found_s = MIN(s.found_s) ORDER BY f.file"
    ).fetchall()
    if not rows:
        raise UserError(f"{path} holds no file: there is nothing to reconcile with.")
    records = [
        Record(
            id=row["id"][:12],
            url=row["url"],
            fields={field: str(row[field]) for field in _FILES if row[field]},
        )
        for row in rows
    ]
    named = _known(name, _FILES) or _FILES[0]
    return Reconciler(records, title=f"Files in {path.name}", name_field=named, space=_HERE)


def _of_rows(catalog: CatalogStore, table: str, name: str, id_: str) -> Reconciler:
    """Offer the rows of a table in the catalog."""
    address = find_table(catalog, table)
    row = catalog.find(address.id)
    made = table_of(catalog, address.file, address.number)
    _check_size(made.num_rows, table)
    columns = {
        field: [text(cell) for cell in column.to_pylist()]
        for field, column in zip(made.schema.names, made.columns, strict=True)
    }
    url = catalog.sightings(address.file)[0]["url"]
    return _of_columns(columns, row["title"] or table, name, id_, url)


def _of_table(what: str, name: str, id_: str) -> Reconciler:
    table = open_table(what)
    _check_size(table.size, what)
    return _of_columns(table.read(table.names), Path(what).name, name, id_)


def _check_size(rows: int, what: str) -> None:
    if rows > MOST_ROWS:
        raise UserError(
            f"{what} has {count(rows)} rows: at most {count(MOST_ROWS)} are served from memory."
        )


def _of_columns(
    columns: Mapping[str, Sequence[str]], title: str, name: str, id_: str, url: str = ""
) -> Reconciler:
    if not columns or not len(next(iter(columns.values()))):
        raise UserError(f"{title} has no rows: there is nothing to reconcile with.")
    named = _known(name, columns) or naming(columns)
    ids = _ids(columns, _known(id_, columns))
    rows = zip(*columns.values(), strict=True)
    records = [
        Record(id=ids[at], url=url, fields=dict(zip(columns, row, strict=True)))
        for at, row in enumerate(rows)
    ]
    return Reconciler(records, title=plain(title, 80), name_field=named, space=_HERE)


def _known(name: str, columns: Mapping[str, object] | Sequence[str]) -> str:
    if name and name not in columns:
        raise UserError(f"There is no column {name!r}: {did_you_mean(name, columns)}")
    return name


def naming(columns: Mapping[str, Sequence[str]]) -> str:
    """Return the column that holds what a row is called.

    One that is called so, or else the first of text that is different in nearly every row.

    >>> naming({"iso": ["ML", "MT"], "country": ["Mali", "Malta"], "part": ["Africa", "Africa"]})
    'country'
    """
    for wanted in _NAMES:
        for column in columns:
            if wanted in words(column.replace("_", " ")):
                return column
    texts = [column for column, cells in columns.items() if guess(cells, column) == "text"]
    long = [column for column in texts if _is_long(columns[column])]
    left = long or texts or list(columns)
    different = {column: len({*columns[column]}) for column in left}
    enough = _MOSTLY * max(different.values())
    return next(column for column in left if different[column] >= enough)


def _is_long(cells: Sequence[str]) -> bool:
    """Say whether texts are longer than codes are."""
    held = [cell for cell in cells if cell.strip()]
    return sum(map(len, held)) >= _LONG * len(held)


def _ids(columns: Mapping[str, Sequence[str]], named: str) -> list[str]:
    """Return an id for each row: of a column, or else its number from 1 on."""
    size = len(next(iter(columns.values())))
    for column in [named] if named else [c for c in columns if c.casefold() in _IDS]:
        cells = [cell.strip() for cell in columns[column]]
        if all(cells) and len(set(cells)) == size:
            return cells
        if named:
            raise UserError(f"The column {named!r} cannot be the id: it is empty or has one twice.")
    return [str(row) for row in range(1, size + 1)]
