"""A run as its user holds it: what `filon.open_run` and the functions that begin one return.

It writes nothing and holds nothing open, so that it can be kept, handed to another thread, and
looked at while the run goes on elsewhere. What a verb adds, as an enriched table, comes from the
verb: nothing here knows which there are.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, Self
from urllib.parse import quote

from filon.core import Spent, UserError
from filon.run import html, readonly
from filon.run.disk import read_config
from filon.run.frame import Frame, StoredFind, find_frame, request_frame, stored_finds
from filon.run.summary import ending
from filon.run.text import count, counted, plain, size

REPORT = "report.html"
#: Finds that a notebook shows of a run.
_FIRST = 5


class Kind(Protocol):
    """What a handle must know of the verb that its run is of."""

    @property
    def name(self) -> str:
        """As it is typed."""

    @property
    def nouns(self) -> tuple[str, str]:
        """What it spends, and what that brings."""

    def subject(self, config: Mapping[str, Any]) -> str:
        """Return what a run is about, as a URL."""

    def frames(self) -> Mapping[str, Callable[[Path], Frame]]:
        """Return the tables that its runs have besides finds and requests, by name."""


class Run:
    """A run, to be looked at. Iterate over it for its finds.

    path: its folder.
    config: what run.toml says.

        run = filon.open_run("filon-runs/example.org-001")
        print(run.stopped, run.spent.requests, len(run.finds))
        for find in run:
            print(find.name, find.path)
        run.requests.to_pandas().groupby("status").size()
    """

    def __init__(
        self, path: Path, verb: Kind, settle: Callable[[Path], object] | None = None
    ) -> None:
        self.path = readonly.find_run(path)
        self.config = read_config(self.path / "run.toml")
        self._verb = verb
        self._settle = settle
        with readonly.reading(self.path):  # says what is wrong with it, before it is used
            pass

    @property
    def verb(self) -> str:
        """What was done, by the word that is typed after filon."""
        return self._verb.name

    @property
    def stopped(self) -> str:
        """Why it ended: "budget", "exhausted", …; "" while it goes on, or where it was killed."""
        with readonly.reading(self.path) as ledger:
            return readonly.meta(ledger).get("stopped", "")

    @property
    def spent(self) -> Spent:
        """What it has cost and brought so far, all sessions included."""
        from filon.run.ledger import Ledger

        with readonly.reading(self.path) as ledger:
            return Ledger(ledger).spent()

    @property
    def report(self) -> Path:
        """Where its report is; `filon.report` writes it anew."""
        return self.path / REPORT

    def __iter__(self) -> Iterator[StoredFind]:
        """Yield its finds in the order in which they came."""
        return stored_finds(self.path)

    @property
    def finds(self) -> Frame:
        """Its finds, a row each.

        Example:

            run.finds.to_pandas()[["name", "size_bytes"]]
        """
        return find_frame(self.path)

    @property
    def requests(self) -> Frame:
        """All its steps: what was asked for and why, and what the answer was.

        Example:

            run.requests.to_polars().filter(polars.col("status") == 404)
        """
        return request_frame(self.path)

    def table(self) -> Frame:
        """Return the table that it has filled, cells as text.

        Example:

            run.table().to_pandas().to_csv("filled.csv")
        """
        return self.frame("table")

    def sites(self) -> Frame:
        """Return the sites and repositories that it has found, best first, with why.

        Example:

            [site["url"] for site in run.sites() if site["kind"] == "repository"]
        """
        return self.frame("sites")

    def graph(self) -> Frame:
        """Return the triples that it has collected, each with the document that says it.

        Example:

            run.graph().to_polars().group_by("predicate").len()
        """
        return self.frame("graph")

    def frame(self, name: str) -> Frame:
        """Return a table by its name: "finds", "requests", and those of the run's own verb.

        Example:

            run.frame("finds").to_arrow()
        """
        frames = {"finds": find_frame, "requests": request_frame, **self._verb.frames()}
        if name not in frames:
            known = ", ".join(frames)
            raise UserError(
                f"{self.path} has no {name}: it is a run of filon {self.verb}, with {known}."
            )
        if self._settle and name in self._verb.frames():
            self._settle(self.path)
        return frames[name](self.path)

    def close(self) -> None:
        """Do nothing: a handle holds nothing open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __fspath__(self) -> str:
        return str(self.path)

    def __repr__(self) -> str:
        parts = [f"filon {self.verb} {plain(self._subject, 80)}".rstrip(), self._ending]
        parts += [counted(number, noun) for noun, number in self._figures]
        return f"<Run {str(self.path)!r}: {'; '.join(parts)}>"

    def _repr_html_(self) -> str:
        """Return its state, curve and first finds, for a notebook: no script, text is only text."""
        from filon.run.report import curve

        rows = {
            "run": html.text(self.path),
            f"filon {html.text(self.verb)}": html.text(self._subject, 120),
            "state": html.text(self._ending),
            **{f"{html.text(noun)}s": count(number) for noun, number in self._figures},
        }
        if self.report.is_file():
            rows["report"] = f'<a href="{html.text(_address(self.report))}">{REPORT}</a>'
        body = "".join(f'<tr><th scope="row">{n}</th><td>{v}</td></tr>' for n, v in rows.items())
        with readonly.reading(self.path) as ledger:
            (answers,) = ledger.execute("SELECT MAX(answer) FROM steps").fetchone()
            drawn = curve.small(ledger, answers or 0)
        found = self._first() if drawn else ""
        return f"<table><tbody>{body}</tbody></table>{drawn}{found}"

    def _first(self) -> str:
        """Return its first finds and how many more there are."""
        first = list(islice(self, _FIRST))
        items = "".join(
            f"<li>{html.text(find.name or find.url, 80)}, {size(find.size_bytes)}</li>"
            for find in first
        )
        rest = self.spent.finds - len(first)
        return f"<ul>{items}</ul>" + (f"<p>and {count(rest)} more</p>" if rest > 0 else "")

    @property
    def _subject(self) -> str:
        return self._verb.subject(self.config)

    @property
    def _ending(self) -> str:
        return ending(self.stopped, readonly.running(self.path))

    @property
    def _figures(self) -> list[tuple[str, int]]:
        spends, brings = self._verb.nouns
        spent = self.spent
        return [(spends, spent.requests), (brings, spent.finds)]


def _address(path: Path) -> str:
    """Return a link: relative below the working folder, where a notebook server can follow it."""
    here = Path(os.getcwd())
    if path.is_relative_to(here):
        return quote(path.relative_to(here).as_posix())
    return path.as_uri()
