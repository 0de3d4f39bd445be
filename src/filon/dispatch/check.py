"""What was typed for a verb, looked at as its command would look at it: what is wrong, and where.

The names are those of `filon.verbs.option.name_of`, the sentences those of the settings.
"""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass
from typing import Any

from filon.core import UserError
from filon.core.plugins import loaded
from filon.verbs.option import Typed, arguments, name_of, values, ways
from filon.verbs.settings import Settings
from filon.verbs.verb import Verb

_HEADER = (
    "A header may hold a secret, and what is typed here stands in the list of processes: "
    "write it into a file, and give @FILE."
)
_PROXY = (
    "The proxy's password would stand in the list of processes: name a proxy that asks for none, "
    "or begin the run in a shell."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What was typed, looked at.

    verb, settings: what would be done; None where something is wrong.
    errors: sentences by the name of their field; "" is the whole.
    """

    verb: Verb[Any]
    settings: Settings | None
    errors: Mapping[str, str]


def check(verb: Verb[Any], typed: Typed) -> Checked:
    """Say what is wrong with what was typed, and where; else what would be done."""
    if secrets := dict(_secrets(verb.settings, typed)):
        return Checked(verb=verb, settings=None, errors=secrets)
    try:
        made = verb.settings(**values(verb.settings, typed))
        does, settings = loaded(verb.instead)(verb, made) if verb.instead else (verb, made)
    except UserError as error:
        return Checked(verb=verb, settings=None, errors={_place(verb, typed, error): str(error)})
    return Checked(verb=does, settings=settings, errors={})


def _secrets(settings: type[Settings], typed: Typed) -> Iterator[tuple[str, str]]:
    """Yield the fields that hold a secret, which the queue and a list of processes would show."""
    for entry, number, _ in ways(settings):
        name = name_of(entry, number)
        if entry.name == "header" and any(not text.startswith("@") for text in typed.get(name, ())):
            yield name, _HEADER
        if entry.name == "proxy" and "@" in typed.get(name, ""):
            yield name, _PROXY


def _place(verb: Verb[Any], typed: Typed, error: UserError) -> str:
    """Return the name of the field that a sentence is about; "" where it is about several.

    Each is tried alone with those that a run cannot do without: the same complaint is its own.
    """
    needed = {
        name_of(entry, number)
        for entry, number, way in ways(verb.settings)
        if way.argument or entry.default is entry.default_factory is MISSING
    }
    base = {name: value for name, value in typed.items() if name in needed}
    if _complaint(verb, base) == str(error):
        return ""
    alone = (name for name in typed if name not in needed)
    return next((n for n in alone if _complaint(verb, {**base, n: typed[n]}) == str(error)), "")


def _complaint(verb: Verb[Any], typed: Typed) -> str:
    try:
        verb.settings(**values(verb.settings, typed))
    except UserError as error:
        return str(error)
    return ""


def command(verb: Verb[Any], typed: Typed, out: str = "") -> list[str]:
    """Return the words after filon that do what was typed. out: the folder to write."""
    return [verb.name, *arguments(verb.settings, typed), *(["--out", out] if out else [])]
