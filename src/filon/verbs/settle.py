"""A run that is looked at: what a kill kept it from writing is written first.

Nothing here knows how a run goes on, so that a report loads no web and no strategy.
"""

import contextlib
from pathlib import Path
from typing import Any

from filon.core import UserError
from filon.run import readonly
from filon.run.report import write_report
from filon.verbs.registry import verb_of
from filon.verbs.verb import Verb


def settle(folder: Path) -> Verb[Any]:
    """Return what a run is of, after writing what a kill kept it from writing.

    A run that is still at work writes its own. What cannot be written now, as the user's table is
    gone, is left out: all else can be looked at.
    """
    verb = verb_of(folder)
    if not verb.is_wrapped_up(folder) and not readonly.running(folder):
        with contextlib.suppress(UserError):
            verb.wrap_up(folder)
    return verb


def report(folder: Path) -> Path:
    """Write the report of a run and what is missing beside it; return where the report is."""
    return write_report(folder, settle(folder).page)
