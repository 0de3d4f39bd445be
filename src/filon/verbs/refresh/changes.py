"""What the rounds of runs have found, each change with how the file differs."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from filon.core import UserError
from filon.core.plugins import loaded
from filon.run import html, readonly
from filon.run.history import CHANGED, CHANGES, History, rounds
from filon.run.report import Section
from filon.run.text import counted, plain, size
from filon.verbs.compared import Version
from filon.verbs.refresh.many import targets
from filon.verbs.registry import verb_of

Change = dict[str, Any]
#: Changes of each kind that a page shows.
MOST_SHOWN = 2000


def changes_of(path: Path, since_s: float = 0.0) -> list[Change]:
    """Return what changed in a run, or in all runs that a folder holds, since a time.

    A file that was only written otherwise, with the same rows or triples, has not changed.
    """
    found: list[Change] = []
    for run in targets(path):
        verb = verb_of(run)
        if verb.anew:
            changes = [one for one in _anew(run, verb.anew) if one["at_s"] >= since_s]
        else:
            with History(run) as history:
                changes = history.changes(since_s)
                _compare(history, changes, verb.compared)
        found += [{"run": str(run), **change} for change in changes if _is_change(change)]
    return found


def moment(text: str) -> float:
    """Return the time that a date says, in seconds since 1970; 0 where it says nothing.

    >>> moment("1970-01-02"), moment("")
    (86400.0, 0.0)
    """
    if not text:
        return 0.0
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise UserError(f"{text!r} is not a date: write it like 2026-11-01.") from None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()


def _anew(run: Path, changes: str) -> Iterator[Change]:
    """Yield how the results of rounds that are runs made anew differ, each from the one before."""
    for old, new in pairwise([run, *rounds(run)]):
        with readonly.reading(new) as ledger:
            (at_s,) = ledger.execute("SELECT COALESCE(MAX(at_s), 0) FROM steps").fetchone()
        for change in loaded(changes)(old, new):
            yield {**change, "round": int(new.name), "at_s": at_s, "sha256": ""}


def _is_change(change: Change) -> bool:
    told = change.get("difference")
    return told is None or bool(told.get("is_change", True))


def _compare(history: History, changes: Sequence[Change], compared: str) -> None:
    """Add to each change how the versions differ; what was told once is not found out again."""
    new = []
    for change in changes:
        if change["what"] != CHANGED:
            continue
        told = history.difference(change["sha256_before"], change["sha256"])
        if told is None:
            new.append(change)
        else:
            change["difference"] = told
    if not new:
        return
    pairs = ((_version(history, one, "_before"), _version(history, one, "")) for one in new)
    for change, told in zip(new, loaded(compared)(pairs), strict=True):
        change["difference"] = told
        history.keep_difference(change["sha256_before"], change["sha256"], told)


def _version(history: History, change: Change, when: str) -> Version:
    folder = history.folder(change[f"round{when}"])
    name, step = change["name"], change[f"step{when}"]
    return Version(folder, step, change[f"sha256{when}"], name)


def told_of(change: Change) -> str:
    """Say in a line what happened to a file, besides its address."""
    if change["what"] == CHANGED:
        text = change.get("difference", {}).get("text", "")
        sizes = f"{size(change['size_bytes_before'])} -> {size(change['size_bytes'])}"
        return text or sizes
    if "to" in change:
        return f"-> {change['to']}"
    if "before" in change:
        return f"{size(change['size_bytes'])}, the same as {change['before']}, which had vanished"
    if "instead" in change:
        return f"{change['instead']} in its place"
    is_there = change["what"] in ("new", "back") and _kind(change) == "file"
    return size(change["size_bytes"]) if is_there else ""


def _kind(change: Change) -> str:
    """Return what has changed: a file, or the site that a discovery found."""
    return str(change.get("kind", "file"))


def _counted(changes: Sequence[Change]) -> str:
    kinds = {_kind(change) for change in changes}
    return counted(len(changes), kinds.pop() if len(kinds) == 1 else "find")


def lines(changes: Sequence[Change]) -> Iterator[str]:
    """Yield the lines for a terminal."""
    if not changes:
        yield "Nothing has changed."
    for what, of_kind in by_kind(changes):
        yield f"{what}: {_counted(of_kind)}"
        for change in of_kind:
            more = told_of(change)
            yield f"  {plain(change['url'])}{f': {plain(more)}' if more else ''}"


def page(changes: Sequence[Change], title: str) -> str:
    """Return a page that stands alone: a table for each kind of change."""
    many = counted(len(changes), "change")
    head = f"<header><h1>{html.text(title)}</h1><p>{many}</p></header>"
    sections = (html.section(*section) for section in tables(changes))
    return html.page(title, f"{head}{''.join(sections)}{html.FOOT}")


def tables(changes: Sequence[Change]) -> Iterator[Section]:
    """Yield a section for each kind of change."""
    for what, of_kind in by_kind(changes):
        rows = [_row(change) for change in of_kind[:MOST_SHOWN]]
        table = html.table(["file", "what", "seen", "in"], rows, f"{what} files")
        left = len(of_kind) - len(rows)
        more = f"<p>and {counted(left, 'more file')}</p>" if left > 0 else ""
        heading = f"{what.capitalize()}: {_counted(of_kind)}"
        yield what, heading, f"{html.sifted(table)}{more}"


def _row(change: Change) -> list[str]:
    seen = datetime.fromtimestamp(change["at_s"], UTC)
    cells = [html.text(told_of(change), 400), *map(_cell, examples(change))]
    return [
        html.link(change["url"], change["name"]),
        "<br>".join(cells),
        html.text(f"{seen:%Y-%m-%d %H:%M}"),
        html.text(f"round {change['round']} of {change['run']}"),
    ]


def examples(change: Change) -> Iterator[str]:
    """Yield what changed in cells, or which triples, as far as it is told."""
    told = change.get("difference", {})
    for table in told.get("tables", ()):
        for cell in table["examples"]:
            yield f"{cell['row']}, {cell['column']}: {cell['old']} -> {cell['new']}"
    for sign, name in (("+", "added"), ("-", "removed")):
        yield from (f"{sign} {triple}" for triple in told.get(name, ()))


def _cell(text: str) -> str:
    return f"<small>{html.text(text, 200)}</small>"


def by_kind(changes: Iterable[Change]) -> Iterator[tuple[str, list[Change]]]:
    """Yield the kinds of changes that there are, each with its changes."""
    for what in CHANGES:
        if of_kind := [change for change in changes if change["what"] == what]:
            yield what, of_kind
