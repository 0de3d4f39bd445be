"""`filon export RUN --to markdown`: any rows as a table of Markdown."""

from collections.abc import Iterable
from pathlib import Path

from filon.run.export.format import Export, Rows


def write(rows: Rows, out: Path) -> None:
    """Write a table; the file is not there yet."""
    with out.open("x", encoding="utf-8") as file:
        file.write(_line(rows.frame.columns) + _line("---" for _ in rows.frame.columns))
        for row in rows.frame:
            file.write(_line(row.values()))


def _line(cells: Iterable[object]) -> str:
    texts = [" ".join(str(cell).replace("|", "\\|").split()) for cell in cells]
    return f"| {' | '.join(texts)} |\n"


MARKDOWN = Export(write, ".md")
