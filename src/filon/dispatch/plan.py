"""A run before it begins: what would be done, what it may cost, and what is wrong with it.

What it takes is what was typed, by the names of `filon.verbs.option.name_of`; it knows no page.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filon.core import UserError
from filon.dispatch.check import Checked, check, command
from filon.dispatch.dispatcher import Dispatcher, shown
from filon.dispatch.estimate import Estimate, estimate
from filon.dispatch.hosts import reach
from filon.page.url import split
from filon.verbs.option import Typed
from filon.verbs.registry import VERBS
from filon.verbs.session import numbered
from filon.verbs.settings import Settings
from filon.verbs.verb import Verb

#: Verbs that begin a run from nothing; the others are about runs that are there.
BEGINS = ("harvest", "discover", "follow", "enrich", "acquire")


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """What would be done.

    words: the command line, after filon. errors: sentences by field; "" is the whole.
    estimate: None where something is wrong.
    """

    verb: str
    words: tuple[str, ...]
    errors: Mapping[str, str]
    estimate: Estimate | None


class PlanError(UserError):
    """What was typed cannot be done; errors: sentences by field, "" is the whole."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(" ".join(errors.values()))
        self.errors = errors


def verb_named(name: str) -> Verb[Any]:
    """Return a verb that can be begun; a UserError where there is none."""
    if name not in BEGINS:
        raise UserError(f"A run cannot begin with {name!r}: {', '.join(BEGINS)} can.")
    return VERBS.find(name)()


def planned(folder: Path, name: str, typed: Typed) -> Planned:
    """Return what would be done, and what it may cost; nothing is sent or written."""
    verb = verb_named(name)
    checked = check(verb, typed)
    told, settings = _estimated(checked), checked.settings
    called = (settings.called() or _host(settings) or "run") if settings else ""
    out = shown(numbered(folder, called, claim=False)) if told else ""
    words = tuple(command(verb, typed, out))
    return Planned(verb=name, words=words, errors=checked.errors, estimate=told)


def launch(
    dispatcher: Dispatcher, name: str, typed: Typed, named: Callable[[str], None] | None = None
) -> str:
    """Put a run into the queue; return its name. A PlanError where it cannot be.

    All is looked at as the command itself would: its own refusal is none that comes later.
    named: hears the name just before the run is in the queue; what it raises keeps it out.
    """
    verb = verb_named(name)
    checked = check(verb, typed)
    if checked.settings is None:
        raise PlanError(checked.errors)
    try:
        job = checked.verb.prepare(checked.settings)
    except PlanError:
        raise
    except UserError as error:
        raise PlanError({"": str(error)}) from error
    called = job.name or _host(job.settings) or "run"
    folder = numbered(dispatcher.folder, called, claim=True)
    words = command(verb, typed, shown(folder))
    try:
        if named:
            named(folder.name)
    except UserError:
        folder.rmdir()
        raise
    dispatcher.add(folder.name, words, reach(job.settings.config()))
    return folder.name


def _estimated(checked: Checked) -> Estimate | None:
    settings = checked.settings
    if settings is None:
        return None
    source = checked.verb.service(settings)  # what it must be told is asked for on the page
    if settings.delay == settings.NO_DELAY_S:
        settings = settings.changed(delay=source.meter.delay_s if source else 1.0)
    return estimate(settings, source)


def _host(settings: Settings) -> str:
    return split(str(getattr(settings, "url", ""))).hostname or ""
