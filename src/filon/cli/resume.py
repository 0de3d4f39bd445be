"""`filon resume RUN`."""

import inspect
from pathlib import Path
from typing import Any

from filon.cli import options as o
from filon.cli.commands import gather, parameters, signed
from filon.verbs.settings import Settings


def _resume(*, run: Path, per_site: int | None, json_: bool, quiet: bool, **given: Any) -> int:
    """Go on with a run that was interrupted, or whose budget was spent.

    It goes on where it was left, with all it has learnt; what is not given is as before. --budget
    is the new bound of the whole run, not of this session. Secrets given with --header or in
    --proxy are not stored: give them again.

    Example: filon resume filon-runs/www.example.org-001 --budget 1000
    """
    from filon.cli.session import take_up
    from filon.verbs.session import settings_of

    more = {} if per_site is None else {"per_site": per_site}
    verb, settings, spent = settings_of(run, gather(Settings, given) | more)
    return take_up(verb, run, settings, spent, as_json=json_, quiet=quiet)


_PLACE = inspect.Parameter.KEYWORD_ONLY
resume = signed(
    _resume,
    "resume",
    inspect.getdoc(_resume) or "",
    [
        inspect.Parameter("run", _PLACE, annotation=o.RunFolder),
        *parameters(Settings, lambda way: way.later),
        inspect.Parameter("per_site", _PLACE, default=None, annotation=o.PerSite),
        inspect.Parameter("json_", _PLACE, default=False, annotation=o.Json),
        inspect.Parameter("quiet", _PLACE, default=False, annotation=o.Quiet),
    ],
)
