"""Links from a report to what else the run folder holds for people and programs."""

from collections.abc import Sequence
from pathlib import Path

from filon.run import html
from filon.run.readonly import CONFIG, LEDGER

#: More WARC files than that are a folder to look into.
_WARCS = 5


def body(run_path: Path, own: Sequence[tuple[str, str]] = ()) -> str:
    """Return the files of a run, each with what it is; own: those of its verb, name and what."""
    warcs = sorted((run_path / "archive").glob("*.warc.gz"))[:_WARCS]
    every = [
        *own,
        (LEDGER, "every request, with its reason and its answer: SQLite"),
        (CONFIG, "how it was run"),
        *((f"archive/{path.name}", "the answers, as a web archive") for path in warcs),
    ]
    items = "".join(
        f'<li>{html.beside(name)} <span class="dim">{html.text(what)}</span></li>'
        for name, what in every
        if (run_path / name).is_file()
    )
    return f'<ul class="outputs">{items}</ul>' if items else ""
