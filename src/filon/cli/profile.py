"""`filon profile RUN`."""

import json
import sys
from collections import Counter
from typing import Annotated

import typer

from filon.cli import options as o
from filon.core import UserError
from filon.profile.shape import Column, Profile, Table
from filon.profile.store import Found, Profiles
from filon.run.text import count, plain

_SHOWN_COLUMNS = 8


def profile(
    run: o.RunFolder,
    file: Annotated[
        str,
        typer.Argument(metavar="[FILE]", help="Show one file: its name, or the first of its hash."),
    ] = "",
    json_: o.Json = False,
) -> int:
    """Tell what is in the files that a run found: formats, tables, columns, what they cover.

    Each file is read once, in a process of its own with bounds on time and memory, and kept in
    profiles.sqlite in the run's folder. What is damaged, encrypted or no table is profiled as that.

    Example: filon profile filon-runs/www.example.org-001 population.csv
    """
    with Profiles(run) as profiles:
        _make(profiles)
        found = list(profiles)
    if file:
        found = [pair for pair in found if _is_meant(pair[0], file)]
        if not found:
            raise UserError(f"No file of {run} is called {plain(file)}.")
    if json_:
        files = [{"name": one.name, "url": one.url, **each.plain()} for one, each in found]
        typer.echo(json.dumps({"run": str(run), "files": files}, ensure_ascii=False))
    elif file:
        typer.echo("\n".join(line for pair in found for line in _whole(*pair)))
    else:
        typer.echo("\n".join(_overview(found)))
    return 0


def _make(profiles: Profiles) -> None:
    left = len(profiles.missing())
    done = 0

    def watch(found: Found, profiled: Profile) -> None:
        nonlocal done
        done += 1
        if sys.stderr.isatty():
            line = f"{done:,} of {left:,} files read · {plain(found.name or found.url)}"
            print(f"\r\033[K{line[:78]}", end="", file=sys.stderr, flush=True)

    profiles.make(watch)
    if done and sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def _is_meant(found: Found, file: str) -> bool:
    named = found.name == file or found.url == file or found.url.endswith(f"/{file}")
    return named or (len(file) >= 6 and found.sha256.startswith(file.lower()))


def _overview(found: list[tuple[Found, Profile]]) -> list[str]:
    """Return how many files there are of each format, and what cannot be read."""
    if not found:
        return ["The run found no files."]
    formats: dict[str, list[Profile]] = {}
    for _, profiled in found:
        formats.setdefault(profiled.format or "unknown", []).append(profiled)
    rows = [("format", "files", "tables", "rows", "without a table")]
    for name, files in sorted(formats.items(), key=lambda pair: -len(pair[1])):
        tables = [table for one in files for table in one.tables]
        problems = Counter(one.problem for one in files if one.problem)
        why = ", ".join(f"{count(times)} {problem}" for problem, times in problems.most_common())
        cells = (count(len(files)), count(len(tables)), count(sum(t.rows for t in tables)))
        rows.append((name, *cells, why))
    widths = [max(len(row[n]) for row in rows) for n in range(4)]
    lines = [
        "  ".join(
            [f"{row[0]:<{widths[0]}}", *(f"{row[n]:>{widths[n]}}" for n in (1, 2, 3)), row[4]]
        )
        for row in rows
    ]
    return [line.rstrip() for line in lines]


def _whole(found: Found, profiled: Profile) -> list[str]:
    facts = [
        profiled.format or "unknown",
        profiled.encoding,
        _delimiter(profiled),
        f"{profiled.size_bytes:,} bytes",
    ]
    lines = [plain(found.name or found.url), f"  {', '.join(filter(None, facts))}"]
    if profiled.problem:
        lines.append(f"  {profiled.problem}: {plain(profiled.detail)}")
    for table in profiled.tables:
        lines += _table(table)
    return lines


def _delimiter(profiled: Profile) -> str:
    return f"cells by {profiled.delimiter!r}" if profiled.delimiter else ""


def _table(table: Table) -> list[str]:
    covers = f", {table.since} to {table.until}" if table.since else ""
    head = f"header in row {table.header_row}" if table.header_row else "no header"
    name = f"{plain(table.name)}: " if table.name else ""
    lines = [f"  {name}{count(table.rows)} rows, {len(table.columns)} columns, {head}{covers}"]
    lines += [f"    {_column(one)}" for one in table.columns[:_SHOWN_COLUMNS]]
    if len(table.columns) > _SHOWN_COLUMNS:
        lines.append(f"    and {len(table.columns) - _SHOWN_COLUMNS} columns more (--json has all)")
    return [*lines, *(f"    {plain(note)}" for note in table.notes)]


def _column(one: Column) -> str:
    unit = f" in {plain(one.unit)}" if one.unit else ""
    spread = f", {plain(one.least)} to {plain(one.most)}" if one.least else ""
    gaps = f", {count(one.missing)} missing" if one.missing else ""
    odd = f", {count(one.odd)} of another kind" if one.odd else ""
    return f"{plain(one.name)}: {one.kind}{unit}, {count(one.distinct)} distinct{spread}{gaps}{odd}"
