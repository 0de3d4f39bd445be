"""`filon refresh RUN`."""

import asyncio
import inspect
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from filon.cli import INTERRUPTED
from filon.cli import options as o
from filon.cli.commands import gather, parameters, signed
from filon.core import Budget, UserError
from filon.run.text import counted, plain
from filon.verbs.refresh import Refresh, RefreshSettings

if TYPE_CHECKING:
    from filon.verbs.refresh.many import Refreshed


def _refresh(*, run: Path, dry_run: bool, json_: bool, quiet: bool, **given: Any) -> int:
    from filon.cli.session import launch, take_up
    from filon.verbs.refresh.many import is_many, targets
    from filon.verbs.refresh.session import new_round, open_round
    from filon.verbs.session import settings_of

    changes = gather(RefreshSettings, given)
    if is_many(run):
        if dry_run:
            raise UserError(f"{run} holds many runs: --dry-run is for one of them.")
        return _sweep(run, changes, as_json=json_, quiet=quiet)
    targets(run)  # a round is none
    folder = open_round(run)
    if folder and not dry_run:
        verb, settings, spent = settings_of(folder, changes)
        return take_up(verb, folder, settings, spent, as_json=json_, quiet=quiet)
    verb, made, folder = new_round(run, changes)
    return launch(verb, made, folder, dry_run=dry_run, as_json=json_, quiet=quiet)


def _sweep(path: Path, changes: Mapping[str, Any], *, as_json: bool, quiet: bool) -> int:
    """Refresh many runs; tell of each as it ends, and of all."""
    from filon.cli.session import Line, interruptible
    from filon.verbs.progress import Progress
    from filon.verbs.refresh.many import sweep
    from filon.verbs.session import run_here

    line = Line(None if quiet else sys.stderr)
    bound = Budget.parse(changes["budget"]) if changes.get("budget") else Budget()
    progress = Progress(line, bound)
    halt: asyncio.Event | None = None

    async def foreground() -> list[Any]:
        nonlocal halt
        halt = asyncio.Event()
        with interruptible(halt, line.say):
            async with progress.shown():
                return await sweep(path, changes, halt, progress, lambda one: line.say(_line(one)))

    ended = run_here(foreground())
    _tell(path, ended, as_json=as_json, quiet=quiet)
    return INTERRUPTED if halt and halt.is_set() else 0


def _tell(path: Path, ended: "Sequence[Refreshed]", *, as_json: bool, quiet: bool) -> None:
    counts: Counter[str] = Counter()
    runs = []
    for one in ended:
        told = _counts(one)
        counts.update(told)
        runs.append({"run": str(one.run), "problem": one.problem, **told})
    if as_json:
        typer.echo(json.dumps({"refreshed": str(path), **counts, "runs": runs}))
    elif not quiet:
        typer.echo(f"{path}: {counted(len(ended), 'run')} refreshed: {_words(counts)}")
        typer.echo(f"  what changed: filon diff {path}")


def _counts(one: "Refreshed") -> dict[str, int]:
    from filon.verbs.refresh.many import counts

    return counts(one)


def _words(counts: Mapping[str, int]) -> str:
    told = [f"{number} {name}" for name, number in counts.items() if number]
    return ", ".join(told) or "nothing new found, no file looked at"


def _line(one: "Refreshed") -> str:
    return f"{plain(str(one.run))}: {plain(one.problem) or _words(_counts(one))}"


_PLACE = inspect.Parameter.KEYWORD_ONLY
_Path = Annotated[
    Path, typer.Argument(metavar="RUN", help="The folder of a run, or one that holds many.")
]
refresh = signed(
    _refresh,
    "refresh",
    inspect.getdoc(Refresh) or "",
    [
        inspect.Parameter("run", _PLACE, annotation=_Path),
        *parameters(RefreshSettings),
        inspect.Parameter("dry_run", _PLACE, default=False, annotation=o.DryRun),
        inspect.Parameter("json_", _PLACE, default=False, annotation=o.Json),
        inspect.Parameter("quiet", _PLACE, default=False, annotation=o.Quiet),
    ],
)
