"""`filon cache`."""

import json
import time
from typing import Annotated

import typer

from filon.cli import options as o
from filon.core import Budget, UserError
from filon.run.text import counted, duration, size
from filon.web.cached import Cache, cache_path


def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Forget all answers.")] = False,
    older: Annotated[
        str | None, typer.Option(metavar="TIME", help="With --clear: only those older than 30d.")
    ] = None,
    json_: o.Json = False,
) -> int:
    """Tell about the answers of search services that are kept, so that none is paid for twice.

    They are shared by all enrichments. The environment variable FILON_CACHE names another file.

    Example: filon cache --clear --older 30d
    """
    if older and not clear:
        raise UserError("--older says which answers --clear forgets: give both.")
    older_s = Budget.parse(older).seconds if older else 0.0
    if older_s is None:
        raise UserError(f"{older!r} is not a time: write it like 30d or 12h.")
    kept = Cache(cache_path())
    try:
        forgotten = kept.clear(older_s) if clear else 0
        held = kept.held()
    finally:
        kept.close()
    if json_:
        summary = {"path": str(kept.path), "answers": held.answers, "forgotten": forgotten}
        typer.echo(json.dumps(summary))
        return 0
    if clear:
        typer.echo(f"{counted(forgotten, 'answer')} forgotten.")
    age = f", the oldest {duration(time.time() - held.oldest_s)} old" if held.answers else ""
    typer.echo(f"{kept.path}: {counted(held.answers, 'answer')}, {size(held.size_bytes)}{age}")
    return 0
