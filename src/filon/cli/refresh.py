"""`filon refresh RUN`."""

import inspect
from pathlib import Path
from typing import Any

from filon.cli import options as o
from filon.cli.commands import gather, parameters, signed
from filon.verbs.refresh import Refresh, RefreshSettings


def _refresh(*, run: Path, dry_run: bool, json_: bool, quiet: bool, **given: Any) -> int:
    from filon.cli.session import launch, take_up
    from filon.verbs.refresh.session import new_round, open_round
    from filon.verbs.session import settings_of

    changes = gather(RefreshSettings, given)
    folder = open_round(run)
    if folder and not dry_run:
        verb, settings, spent = settings_of(folder, changes)
        return take_up(verb, folder, settings, spent, as_json=json_, quiet=quiet)
    made, folder = new_round(run, changes)
    return launch(Refresh(), made, folder, dry_run=dry_run, as_json=json_, quiet=quiet)


_PLACE = inspect.Parameter.KEYWORD_ONLY
refresh = signed(
    _refresh,
    "refresh",
    inspect.getdoc(Refresh) or "",
    [
        inspect.Parameter("run", _PLACE, annotation=o.RunFolder),
        *parameters(RefreshSettings),
        inspect.Parameter("dry_run", _PLACE, default=False, annotation=o.DryRun),
        inspect.Parameter("json_", _PLACE, default=False, annotation=o.Json),
        inspect.Parameter("quiet", _PLACE, default=False, annotation=o.Quiet),
    ],
)
