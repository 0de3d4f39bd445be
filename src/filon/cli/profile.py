"""`filon profile RUN`."""

import json
import sys
from collections import Counter
from typing import Annotated

import typer

from filon.cli import options as o
from filon.core import UserError
from filon.profile.shape import Column, Profile, Table
from filon.profile.statistics import Share, share, statistics_tables
from filon.profile.store import Found, Profiles
from filon.run import readonly
from filon.run.text import count, counted, plain, span

_SHOWN_COLUMNS = 8


def profile(
    run: o.RunFolder,
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Show one file: its name, or the first of its hash."),
    ] = "",
    json_: o.Json = False,
) -> int:
    """Tell what is in the files that a run found: formats, tables, columns, what they cover.

    Each file is read once, in a process of its own with bounds on time and memory, and kept in
    profiles.sqlite in the run's folder. What is damaged, encrypted or no table is profiled as that.

    Example: filon profile filon-runs/www.example.org-001 population.csv
    """
    found: list[tuple[Found, Profile]] = []
    for part in readonly.parts(run):
        with Profiles(part) as profiles:
            _make(profiles)
            found += profiles
    if file:
        found = [pair for pair in found if _is_meant(pair[0], file)]
        if not found:
            raise UserError(f"No file of {run} is called {plain(file)}.")
    if json_:
        files = [{"name": one.name, "url": one.url, **each.plain()} for one, each in found]
        statistics = _statistics([each for _, each in found])
        answer = {"run": str(run), "files": files, "statistics": statistics}
        typer.echo(json.dumps(answer, ensure_ascii=False))
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


def _by_format(profiles: list[Profile]) -> dict[str, list[Profile]]:
    formats: dict[str, list[Profile]] = {}
    for one in profiles:
        formats.setdefault(one.format or "unknown", []).append(one)
    return dict(sorted(formats.items(), key=lambda pair: -len(pair[1])))


def _statistics(profiles: list[Profile]) -> dict[str, object]:
    """Return the two figures of Table 7 of SB-CLASSIFIER, for all files and for each format."""

    def figures(of: Share) -> dict[str, float]:
        return {"files": of.files, "share": round(of.share, 4), "tables_a_file": round(of.mean, 4)}

    formats = _by_format(profiles)
    return {
        **figures(share(profiles)),
        "formats": {name: figures(share(files)) for name, files in formats.items()},
    }


def _overview(found: list[tuple[Found, Profile]]) -> list[str]:
    """Return how many files there are of each format, and what cannot be read."""
    if not found:
        return ["The run found no files."]
    profiles = [profiled for _, profiled in found]
    rows = [("format", "files", "tables", "rows", "statistics", "tables a file", "no table")]
    for name, files in _by_format(profiles).items():
        told = share(files)
        problems = Counter(one.problem for one in files if one.problem)
        why = ", ".join(f"{count(times)} {problem}" for problem, times in problems.most_common())
        tables = sum(one.counted for one in files)
        height = sum(table.rows for one in files for table in one.tables)
        cells = (count(len(files)), count(tables), count(height))
        rows.append((name, *cells, f"{told.share:.0%}", f"{told.mean:.1f}", why))
    widths = [max(len(row[n]) for row in rows) for n in range(6)]
    lines = [
        "  ".join(
            [f"{row[0]:<{widths[0]}}", *(f"{row[n]:>{widths[n]}}" for n in range(1, 6)), row[6]]
        ).rstrip()
        for row in rows
    ]
    told = share(profiles)
    sentence = (
        f"{told.share:.0%} of {count(told.files)} files have a statistics table,"
        f" {told.mean:.1f} a file on average."
    )
    return [*lines, "", sentence]


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
    elif profiled.detail:
        lines.append(f"  {plain(profiled.detail)}")
    if profiled.counted > len(profiled.tables):
        lines.append(f"  {count(statistics_tables(profiled))} tables, counted and not read")
    for table in profiled.tables:
        lines += _table(table)
    return lines


def _delimiter(profiled: Profile) -> str:
    return f"cells by {profiled.delimiter!r}" if profiled.delimiter else ""


def _table(table: Table) -> list[str]:
    covers = f", {span(table.since, table.until)}" if table.since else ""
    covers += f", {', '.join(map(plain, table.places[:3]))}" if table.places else ""
    covers += f", within {' '.join(f'{edge:g}' for edge in table.box)}" if table.box else ""
    named = any(one.name != f"column {n}" for n, one in enumerate(table.columns, 1))
    no_header = "" if named else ", no header"  # as JSON and Parquet name them without one
    head = f", header in row {table.header_row}" if table.header_row else no_header
    name = f"{plain(table.name)}: " if table.name else ""
    shape = f"{counted(table.rows, 'row')}, {counted(len(table.columns), 'column')}"
    lines = [f"  {name}{shape}{head}{covers}"]
    lines += [f"    {_column(one)}" for one in table.columns[:_SHOWN_COLUMNS]]
    if len(table.columns) > _SHOWN_COLUMNS:
        lines.append(f"    and {len(table.columns) - _SHOWN_COLUMNS} columns more (--json has all)")
    return [*lines, *(f"    {plain(note)}" for note in table.notes)]


def _column(one: Column) -> str:
    unit = f" in {plain(one.unit)}" if one.unit else ""
    spread = f", {span(plain(one.least), plain(one.most))}" if one.least else ""
    gaps = f", {count(one.missing)} missing" if one.missing else ""
    odd = f", {count(one.odd)} of another kind" if one.odd else ""
    return f"{plain(one.name)}: {one.kind}{unit}, {count(one.distinct)} distinct{spread}{gaps}{odd}"
