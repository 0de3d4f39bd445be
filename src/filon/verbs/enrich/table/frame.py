"""The filled table of a run, as data frames take it."""

from pathlib import Path

from filon.core import UserError
from filon.run import readonly
from filon.run.frame import Frame
from filon.verbs.enrich import EnrichSettings
from filon.verbs.enrich.records import meta, reading_book
from filon.verbs.enrich.table import open_copy

_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def table_frame(run_path: Path) -> Frame:
    """Return the table with its new columns, cells as text."""
    with reading_book(run_path) as book:
        name = meta(book).get("enriched", "")
    path = run_path / name
    if not name or not path.is_file():
        raise UserError(f"The table of {run_path} is not filled yet.")
    settings = EnrichSettings.of(readonly.config(run_path))
    with path.open("rb") as file:
        says_itself = file.read(3).startswith(_BOMS)  # it was written in UTF-8 for its new letters
    table = open_copy(
        path,
        name=settings.part,
        header=settings.header_row,
        encoding="" if says_itself else settings.encoding,
    )
    return Frame(
        dict.fromkeys(table.names, str),
        lambda: zip(*table.read(table.names).values(), strict=True),
        size=lambda: table.size,
        path=path,
    )
