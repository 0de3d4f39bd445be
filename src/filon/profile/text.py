"""Tables as text: delimited, or of columns of fixed width."""

import csv
from collections.abc import Iterator

from filon.page.delimited import HEAD, dialect, encoding, rows_of
from filon.profile.source import Opened, Sheet, UnreadableError


def open_text(body: bytes, name: str) -> Opened:
    """Open a table as text: delimited, or of columns of fixed width."""
    opened = Opened(format="text", encoding=encoding(body))
    # A mark that was put before another one, and what DOS puts behind a text.
    text = body.decode(opened.encoding, "replace").lstrip("\ufeff").rstrip("\x1a")
    if "\0" in text:
        opened.notes.append(f"{text.count(chr(0)):,} NUL bytes are left out.")
        text = text.replace("\0", "")
    head = text[:HEAD]
    found = dialect(head, name)
    if found is None:
        return opened
    one_column = "fixed width" if found.fixed else "csv"
    opened.format = {"\t": "tsv", "": one_column}.get(found.delimiter, "csv")
    opened.delimiter = found.delimiter
    opened.quote = found.quote if found.quote and found.quote in head else ""
    opened.sheets = [Sheet(rows=_noted(rows_of(text, found), opened))]
    return opened


def _noted(rows: Iterator[list[str]], opened: Opened) -> Iterator[list[str]]:
    """Yield rows up to one that no reader takes."""
    number = 0
    try:
        for row in rows:
            number += 1
            yield row
    except csv.Error as error:
        if number < 2:
            detail = f"Its rows cannot be told apart: {error}."
            raise UnreadableError("damaged", detail, opened.format) from error
        opened.notes.append(f"After row {number:,} its rows cannot be told apart: {error}.")
