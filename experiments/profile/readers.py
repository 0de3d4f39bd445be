"""What three readers say of a file: Filon's profile, DuckDB alone, and `frictionless describe`."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from filon.profile.read import profile

_OURS = {
    "text": "t",
    "integer": "i",
    "number": "n",
    "date": "d",
    "datetime": "D",
    "time": "c",
    "boolean": "b",
    "empty": "e",
}
_FRICTIONLESS = {
    "string": "t",
    "integer": "i",
    "year": "i",
    "number": "n",
    "date": "d",
    "yearmonth": "d",
    "datetime": "D",
    "time": "c",
    "boolean": "b",
    "any": "e",
    "array": "t",
    "object": "t",
}
_DUCKDB: tuple[tuple[tuple[str, ...], str], ...] = (
    (("TIMESTAMP",), "D"),
    (("TIME",), "c"),
    (("DATE",), "d"),
    (("BOOL",), "b"),
    (("DOUBLE", "FLOAT", "DECIMAL"), "n"),
    (("BIGINT", "INTEGER", "SMALLINT", "TINYINT", "HUGEINT", "U"), "i"),
)
_TEXTS = (".csv", ".tsv", ".txt", ".csv.gz")
_TREES = (".json", ".jsn", ".ipynb", ".json.gz", ".jsn.gz", ".geojson")


@dataclass(slots=True)
class Described:
    """What a reader says. tables: by name, the row of the header and a letter a column."""

    encoding: str = ""
    delimiter: str = ""
    tables: dict[str, tuple[int, str]] = field(default_factory=dict)
    error: str = ""


def filon(path: Path, sheets: Sequence[str]) -> Described:
    """Read a file as `filon profile` does."""
    found = profile(path, path.name)
    tables = {
        table.name: (table.header_row, "".join(_OURS[column.kind] for column in table.columns))
        for table in found.tables
    }
    return Described(found.encoding, found.delimiter, tables, found.problem)


def duckdb(path: Path, sheets: Sequence[str]) -> Described:
    """Read a file by DuckDB's sniffer and readers, without extensions from the network."""
    import duckdb as database

    connection = database.connect(config={"autoinstall_known_extensions": "false"})
    name = path.name.lower()
    described = Described()
    try:
        if name.endswith(_TEXTS):
            row = connection.execute(
                "SELECT Delimiter, HasHeader, SkipRows, to_json(Columns) FROM sniff_csv(?)",
                [str(path)],
            ).fetchone()
            assert row is not None  # noqa: S101
            kinds = "".join(_duckdb_kind(one["type"]) for one in json.loads(row[3]))
            described.encoding, described.delimiter = "utf-8", row[0]
            described.tables[""] = (row[2] + 1 if row[1] else 0, kinds)
        else:
            reader = "read_json_auto" if name.endswith(_TREES) else "read_parquet"
            rows = connection.execute(f"DESCRIBE SELECT * FROM {reader}(?)", [str(path)]).fetchall()  # noqa: S608
            described.encoding = "utf-8"
            described.tables[""] = (0, "".join(_duckdb_kind(row[1]) for row in rows))
    except database.Error as error:
        described.error = str(error).partition("\n")[0]
    return described


def frictionless(path: Path, sheets: Sequence[str]) -> Described:
    """Read a file as `frictionless describe` does, a sheet at a time."""
    from frictionless import Dialect, FrictionlessException, describe
    from frictionless.formats import ExcelControl, OdsControl
    from frictionless.resources import TableResource

    control = OdsControl if path.suffix == ".ods" else ExcelControl
    is_book = path.suffix in (".ods", ".xls", ".xlsx", ".xlsm")
    described = Described()
    for place, sheet in enumerate(sheets or [""]):
        try:
            more: dict[str, Any] = {}
            if is_book:
                named: Any = place + 1 if sheet.isdigit() or not sheet else sheet
                more["dialect"] = Dialect(controls=[control(sheet=named)])
            resource: Any = describe(str(path), type="resource", **more)
            if path.name.lower().endswith(_TREES):  # which `describe` does not take for tables
                resource = TableResource(path=str(path))
                resource.infer(stats=False)
            if resource.schema is None or not resource.schema.fields:
                continue
            kinds = "".join(_FRICTIONLESS.get(one.type, "t") for one in resource.schema.fields)
            rows = resource.dialect.header_rows if resource.dialect.header else [0]
            csv = resource.dialect.to_dict().get("csv", {})
            described.encoding = resource.encoding or ""
            described.delimiter = csv.get("delimiter", ",")
            described.tables[sheet] = (rows[0], kinds)
        except (FrictionlessException, ImportError) as error:
            described.error = str(error).partition("\n")[0]
    return described


READERS: dict[str, Callable[[Path, Sequence[str]], Described]] = {
    "filon": filon,
    "duckdb": duckdb,
    "frictionless": frictionless,
}


def _duckdb_kind(name: str) -> str:
    if name.endswith("]"):
        return "t"
    return next((kind for starts, kind in _DUCKDB if name.startswith(starts)), "t")
