"""`filon gc PATH`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from filon.cli import options as o
from filon.run.text import counted, plain, size


def gc(
    path: Annotated[
        Path, typer.Argument(metavar="RUN", help="The folder of a run, or one that holds many.")
    ],
    keep: Annotated[
        int, typer.Option(metavar="N", help="The newest versions of each file that stay; 3.")
    ] = 3,
    older_than: Annotated[
        str, typer.Option(metavar="TIME", help="Only what was replaced so long ago: 30d, 12w.")
    ] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be deleted; delete nothing.")
    ] = False,
    json_: o.Json = False,
) -> int:
    """Delete old versions of files that rounds of a run have found changed.

    The newest version of each file stays, also where it has vanished. Ledgers, archives and the
    history are never touched.

    Example: filon gc filon-runs/www.example.org-001 --keep 2 --older-than 90d
    """
    from filon.verbs.refresh.lengths import seconds
    from filon.verbs.refresh.many import targets
    from filon.verbs.refresh.old import delete, old_versions

    older_s = seconds(older_than) if older_than else 0.0
    found = {run: list(old_versions(run, keep, older_s)) for run in targets(path)}
    if not dry_run:
        for run, versions in found.items():
            if versions:
                delete(run, versions)
    old = [one for versions in found.values() for one in versions]
    freed = sum(one.size_bytes for one in old)
    if json_:
        told = [{"run": str(one.run), "url": one.url, "sha256": one.sha256} for one in old]
        typer.echo(json.dumps({"dry_run": dry_run, "bytes": freed, "versions": told}))
        return 0
    for one in old if dry_run else ():
        typer.echo(f"{one.sha256[:12]}  {size(one.size_bytes):>9}  {plain(one.url)}")
    does = "would be deleted" if dry_run else "deleted"
    typer.echo(f"{counted(len(old), 'old version')} {does}: {size(freed)}")
    return 0
