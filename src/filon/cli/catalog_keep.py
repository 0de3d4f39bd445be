"""`filon catalog dedupe|forget|gc|disk`: what is shown twice, what is deleted, what takes room."""

import json
import sys
from dataclasses import asdict
from typing import Annotated

import typer

from filon.catalog import duplicates as same
from filon.catalog import upkeep
from filon.cli import options as o
from filon.cli.catalog_common import Folder, opened, say
from filon.core import UserError
from filon.run.text import count, counted, plain, size
from filon.verbs.session import RUNS

_SHOWN = 20


def dedupe(
    folder: Folder = RUNS,
    apply: Annotated[
        bool, typer.Option("--apply", help="Show one file of each group in searches.")
    ] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Show all files again.")] = False,
    json_: o.Json = False,
) -> int:
    """List files that are nearly the same, and those that stand at several addresses.

    Nothing is deleted: with --apply searches show one file of each group, with --undo all again.

    Example: filon catalog dedupe --apply
    """
    if apply and undo:
        raise UserError("--apply and --undo contradict each other: choose one.")
    with opened(folder) as catalog:
        if undo:
            number = same.undo(catalog)
            return say(json_, {"shown_again": number}, [f"{counted(number, 'file')} shown again."])
        found = same.duplicates(catalog)
        hidden = same.apply(catalog, found) if apply else 0
    value = {
        "groups": [[asdict(member) for member in group] for group in found.groups],
        "copies": [{"id": id, "title": title, "urls": urls} for id, title, urls in found.copies],
        "hidden": hidden,
    }
    lines = []
    for group in found.groups[:_SHOWN]:
        for member in group:
            mark = "keeps" if member.kept else f"{member.alike:5.0%}"
            name = f"{member.id[:12]}  {plain(member.title, 60)}"
            lines.append(f"{mark}  {name}  {member.format}, {plain(member.url, 60)}")
        lines.append("")
    more = len(found.groups) - _SHOWN
    lines += [f"and {counted(more, 'group')} more: --json has all", ""] if more > 0 else []
    lines.append(f"{counted(len(found.groups), 'group')} of files that are nearly the same.")
    lines.append(f"{counted(len(found.copies), 'file')} at several addresses, kept once each.")
    if apply:
        lines.append(f"Searches leave out {counted(hidden, 'file')}; --undo shows them again.")
    elif found.groups:
        lines.append("Nothing was changed: --apply lets searches show one of each group.")
    return say(json_, value, lines)


def forget(
    ids: Annotated[list[str], typer.Argument(metavar="ID", help="Of the files to forget.")],
    folder: Folder = RUNS,
    yes: Annotated[bool, typer.Option("--yes", help="Do it without asking.")] = False,
    json_: o.Json = False,
) -> int:
    """Delete the bytes of files, and take them out of the catalog for good.

    The ledgers keep that they were found, and where. A catalog that is made anew leaves them out.

    Example: filon catalog forget 3fa2b8
    """
    with opened(folder) as catalog:
        files = {row["id"]: row for row in map(catalog.find, ids)}
        found = {id: upkeep.copies(catalog, row["file"]) for id, row in files.items()}
        if not json_ or not yes:
            for id, row in files.items():
                runs = ", ".join(plain(copy.run) for copy in found[id]) or "no run"
                room = size(sum(copy.size_bytes for copy in found[id]))
                print(
                    f"{id[:12]}  {plain(row['title'])}: {room} in {runs} will be deleted, and the"
                    " file leaves the catalog for good. The ledgers keep that it was found.",
                    file=sys.stderr,
                )
        if not yes and not (sys.stdin.isatty() and typer.confirm("Delete?", err=True)):
            raise UserError("Nothing was deleted: say --yes to do it.")
        deleted = [copy for row in files.values() for copy in upkeep.forget(catalog, row["file"])]
    free = sum(copy.size_bytes for copy in deleted)
    value = {"forgotten": list(files), "deleted": len(deleted), "bytes": free}
    return say(json_, value, [f"Forgot {counted(len(files), 'file')}: {size(free)} free."])


def gc(
    folder: Folder = RUNS,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what would go.")] = False,
    json_: o.Json = False,
) -> int:
    """Delete what nobody needs: bytes of forgotten files, left-overs of downloads and of kills.

    Tables that were written as Parquet for queries go, too, and are made anew at need.
    Whatever a ledger has as found stays, and so do ledgers and archives.

    Example: filon catalog gc --dry-run
    """
    with opened(folder) as catalog:
        busy: list[str] = []
        found = upkeep.waste(catalog, busy.append)
        tables = sum(entry.size_bytes for entry in catalog.cache.entries())
        total = sum(one.size_bytes for one in found) + tables
        freed = {} if dry_run else upkeep.collect(catalog, found)
    free = total if dry_run else sum(freed.values())
    value = {
        "files": [{**asdict(one), "path": str(one.path)} for one in found],
        "tables_bytes": tables,
        "bytes": free,
        "freed": freed,
        "deleted": not dry_run,
        "left_alone": busy,
    }
    lines = [f"{size(one.size_bytes):>9}  {plain(str(one.path))}: {one.why}" for one in found]
    if tables and dry_run:
        lines.append(f"{size(tables):>9}  {upkeep.KEPT}")
    lines += [f"{plain(run)} is going on, and left alone." for run in busy]
    files = counted(len(found), "file")
    end = f"{files} of {size(total)} would go." if dry_run else f"{files} gone, {size(free)} free."
    by_why = [f"{size(free):>9}  freed: {why}" for why, free in freed.items()]
    return say(json_, value, [*lines, end, *by_why])


def disk(folder: Folder = RUNS, json_: o.Json = False) -> int:
    """Tell what takes room: by run, and data files by format.

    Example: filon catalog disk
    """
    with opened(folder) as catalog:
        used = upkeep.disk(catalog)
    value = json.loads(json.dumps(asdict(used))) | {"total_bytes": used.total_bytes}
    lines = [f"{size(used.total_bytes):>9}  in all"]
    for run in used.runs:
        lines.append(
            f"{size(run.size_bytes):>9}  {plain(run.name)}, {count(run.files)} files on disk"
        )
    lines.append(f"{size(used.catalog_bytes):>9}  catalog.sqlite")
    if used.tables_bytes:
        lines.append(f"{size(used.tables_bytes):>9}  tables kept for queries; `gc` deletes them")
    lines.append("Data files by format:")
    for one in used.formats:
        lines.append(f"{size(one.size_bytes):>9}  {plain(one.name)}, {counted(one.files, 'file')}")
    if used.twice_bytes:
        lines.append(f"{size(used.twice_bytes):>9}  of files that another run has, too")
    return say(json_, value, lines)
