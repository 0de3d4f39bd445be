"""The flags that ask for a verb's settings, and what was typed behind them.

The command line and the page are made from the same fields: what one takes the other takes, and
what is typed on the page can be written as the command that does the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, fields
from typing import Any

from filon.core import UserError
from filon.verbs.option import Option, kind_of, options_of, read
from filon.verbs.settings import Settings

#: What was typed, by the names of `name_of`: None, False of a switch, or an empty list where it was
#: not.
Typed = Mapping[str, Any]


def ways(settings: type[Settings]) -> Iterator[tuple["Field[Any]", int, Option]]:
    """Yield each way to ask for a setting: those of the verb's own first."""
    shared = {entry.name for entry in fields(Settings)}
    for entry in sorted(fields(settings), key=lambda entry: entry.name in shared):
        for number, way in enumerate(options_of(entry)):
            yield entry, number, way


def name_of(entry: "Field[Any]", number: int) -> str:
    """Return what a way to ask for a setting is called among all of them."""
    return f"{entry.name}_{number}" if number else f"{entry.name}_"


def flag_of(entry: "Field[Any]") -> str:
    """Return the flag of a setting; of a switch that is on, the one that turns it off."""
    negated = kind_of(entry) is bool and entry.default
    return f"--{'no-' if negated else ''}{entry.name.replace('_', '-')}"


def values(settings: type[Settings], typed: Typed) -> dict[str, Any]:
    """Return the settings that were asked for, by their words."""
    found: dict[str, Any] = {}
    for entry, number, way in ways(settings):
        value = typed.get(name_of(entry, number))
        if _is_unasked(value):
            continue
        if value == "" == entry.default:  # more likely a variable of the shell that is not set
            flag = (*way.flags, flag_of(entry))[0]
            raise UserError(f"{flag} is empty: say what, or leave it out.")
        if kind_of(entry) is bool:
            value = not entry.default
        value = read(entry, value, way)
        found[entry.name] = found[entry.name] + value if entry.name in found else value
    return found


def arguments(settings: type[Settings], typed: Typed) -> list[str]:
    """Return the words of a command line that asks for the same.

    >>> from filon.verbs.follow import FollowSettings
    >>> arguments(FollowSettings, {"seeds_": ["http://example.org/"], "budget_": "9"})
    ['http://example.org/', '--budget', '9']
    """
    places: list[str] = []
    flags: list[str] = []
    for entry, number, way in ways(settings):
        value = typed.get(name_of(entry, number))
        if _is_unasked(value):
            continue
        each = [str(value)] if not _is_list(value) else [str(one) for one in value]
        if way.argument:
            places += each
        elif kind_of(entry) is bool:
            flags.append(flag_of(entry))
        else:
            flag = (way.flags or (flag_of(entry),))[-1]
            flags += [word for one in each for word in (flag, one)]
    if any(place.startswith("-") for place in places):
        return [*flags, "--", *places]  # else they would be flags
    return [*places, *flags]


def _is_unasked(value: Any) -> bool:
    return value is None or value is False or value == [] or value == ()


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)
