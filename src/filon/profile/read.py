"""From a file to its profile: its format, its sheets, their layout, their columns."""

from pathlib import Path

from filon.page.values import one_line
from filon.profile.columns import column, decimals, with_units, years
from filon.profile.opening import open_file
from filon.profile.places import box, places
from filon.profile.rows import is_plain, laid_out
from filon.profile.shape import Profile, Table
from filon.profile.source import MOST_COLUMNS, MOST_TABLES, Opened, Sheet, UnreadableError

_LONGEST_DETAIL = 300
_NO_TABLES = {
    "pdf": "A PDF without a table of numbers that could be told.",
    "html": "A web page.",
    "doc": "A text document.",
    "docx": "A text document.",
    "odt": "A text document.",
    "rtf": "A text document.",
    "ppt": "A presentation.",
    "pptx": "A presentation.",
    "ole": "A file of the old Office, of no kind that is known.",
    "biff": "A workbook of an Excel before version 5, which is not read.",
    "binary": "Bytes of no format that is known.",
    "7z": "An archive of a kind that is not opened.",
    "rar": "An archive of a kind that is not opened.",
    "notebook": "A notebook.",
    "shapefile": "A map without a table.",
}


def profile(path: Path, name: str = "") -> Profile:
    """Return the profile of a file without its hash; what is wrong with it stands there too.

    name: what the web called it; a hint where the bytes do not tell.
    """
    size_bytes = path.stat().st_size
    opened = Opened(format="")
    problem = detail = ""
    tables: list[Table] = []
    try:
        opened = open_file(path, name or path.name)
        with opened.held:
            for sheet in opened.sheets:
                if (table := _table(sheet, plain=is_plain(opened))) is not None:
                    tables.append(table)
                if len(tables) >= MOST_TABLES:
                    opened.notes.append(f"Only the first {MOST_TABLES} tables are told.")
                    break
        if not tables and not opened.counted:
            problem = opened.problem or "no table"
            detail = " ".join([_NO_TABLES.get(opened.format, "It holds no table."), *opened.notes])
    except UnreadableError as error:
        problem, detail, opened.format = error.problem, str(error), error.format or opened.format
    return Profile(
        size_bytes=size_bytes,
        format=opened.format,
        encoding=opened.encoding,
        delimiter=opened.delimiter,
        quote=opened.quote,
        tables=tuple(tables),
        counted=opened.counted + len(tables),
        problem=problem,
        detail=one_line(detail or " ".join(opened.notes), _LONGEST_DETAIL),
    )


def _table(sheet: Sheet, *, plain: bool) -> Table | None:
    found = laid_out(sheet)
    if found is None:
        return None
    width, notes = min(len(found.names), MOST_COLUMNS), []
    if len(found.names) > width:
        notes.append(f"Of {len(found.names):,} columns only the first {width:,} are told.")
    wide = sum(len(row) > width and any(cell.strip() for cell in row[width:]) for row in found.rows)
    if wide:
        notes.append(f"{wide:,} rows are longer than the header.")
    if found.cut:
        notes.append(f"The columns are told from the first {len(found.rows):,} rows.")
    cells = [found.column(place) for place in range(width)]
    signs = decimals(cells, plain=plain)
    columns = with_units(
        [
            column(
                *(found.names[n], cells[n]),
                label=found.labels[n],
                kind=found.kinds[n],
                decimal=signs[n],
            )
            for n in range(width)
        ]
    )
    since, until = years(columns, cells)
    return Table(
        name=found.name,
        header_row=found.header_row,
        rows=found.total,
        columns=tuple(columns),
        since=since,
        until=until,
        places=places(columns, cells),
        box=found.box or box(columns) or (),
        notes=tuple(notes),
    )
