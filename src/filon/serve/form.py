"""A verb's settings as the fields of a page, made from the same options as the flags.

The names, the help and the checks are those of the command line, and so are the sentences about
what is wrong; each is shown at the field that it is about. The help stands in words.toml, too, so
that it can be translated.
"""

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, replace
from typing import Any, Literal

from filon.serve.words import catalogue, t
from filon.verbs.option import (
    Option,
    Typed,
    choices_of,
    flag_of,
    kind_of,
    name_of,
    ways,
)
from filon.verbs.settings import NETWORK, POLITE, Settings
from filon.verbs.verb import Verb

Shape = Literal["text", "number", "switch", "choice", "lines"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One field of a form.

    name: as `filon.verbs.option.name_of` has it. word: the setting's own. flag: as it is typed.
    value: what was typed: a text, lines, or whether a switch is set.
    usual: what it is where nothing is typed.
    """

    name: str
    word: str
    flag: str
    help: str
    metavar: str
    shape: Shape
    value: Any = ""
    usual: str = ""
    choices: tuple[str, ...] = ()
    error: str = ""


def typed_of(settings: type[Settings], given: Mapping[str, Iterable[str]]) -> dict[str, Any]:
    """Return what was typed into a form, by the names of its fields; what is empty is left out.

    given: texts by name, as a form sends them; those of other fields are none of ours.
    """
    typed: dict[str, Any] = {}
    for entry, number, way in ways(settings):
        name = name_of(entry, number)
        texts = [text.strip() for text in given.get(name, ())]
        if texts := [text for text in texts if text]:
            typed[name] = _value(entry, way, texts)
    return typed


def _value(entry: "Field[Any]", way: Option, texts: list[str]) -> Any:
    shape = _shape(entry, way)
    if shape == "lines":
        return [line.strip() for text in texts for line in text.splitlines() if line.strip()]
    if shape == "switch":
        return True
    return _number(entry, texts[0]) if shape == "number" else texts[0]


def _number(entry: "Field[Any]", text: str) -> Any:
    """Return a number; a text that is none stays one, and the settings say what is wrong."""
    try:
        return int(text) if kind_of(entry) is int else float(text)
    except ValueError:
        return text


def panels(
    verb: Verb[Any], typed: Typed, errors: Mapping[str, str], hidden: Iterable[str] = ()
) -> list[tuple[str, list[Input]]]:
    """Return the fields under their headings, as `--help` has them: "" is the first.

    hidden: names of fields that stand elsewhere on the page.
    """
    found: dict[str, list[Input]] = {"": []}
    left_out = set(hidden)
    for entry, number, way in ways(verb.settings):
        name = name_of(entry, number)
        if not way.argument and name not in left_out:
            made = _input(entry, number, way, typed.get(name), errors.get(name, ""))
            made = replace(made, help=_help(verb.name, made))
            found.setdefault(way.panel, []).append(made)
    last = [name for name in (POLITE, NETWORK) if name in found]
    order = [*(name for name in found if name not in last), *last]
    return [(_heading(name), found[name]) for name in order if found[name]]


def panel_key(panel: str) -> str:
    """Return the key of a heading, below [panel].

    >>> panel_key("Politeness and safety")
    'politeness_and_safety'
    """
    return panel.lower().replace(" ", "_")


def _heading(panel: str) -> str:
    key = f"panel.{panel_key(panel)}"
    return t(key) if key in catalogue() else panel


def _help(verb: str, made: Input) -> str:
    """Return what explains a field: a package may add options of which no words are here."""
    keys = (f"option.{verb}.{made.name}", f"option.any.{made.name}")
    return next((t(key) for key in keys if key in catalogue()), made.help)


def _input(entry: "Field[Any]", number: int, way: Option, value: Any, error: str) -> Input:
    shape = _shape(entry, way)
    shown = "\n".join(map(str, value)) if isinstance(value, list) else value
    return Input(
        name=name_of(entry, number),
        word=entry.name.replace("_", " "),
        flag=(way.flags or (flag_of(entry),))[-1],
        help=way.help,
        metavar=way.metavar,
        shape=shape,
        value=bool(value) if shape == "switch" else "" if shown is None else shown,
        usual=_usual(entry),
        choices=choices_of(entry),
        error=error,
    )


def _shape(entry: "Field[Any]", way: Option) -> Shape:
    kind = way.kind or kind_of(entry)
    if choices_of(entry):
        return "choice"
    if kind in (tuple, Mapping):
        return "lines"
    if kind is bool:
        return "switch"
    return "number" if kind in (int, float) else "text"


def _usual(entry: "Field[Any]") -> str:
    default = entry.default
    if default is MISSING or isinstance(default, bool) or default in ("", (), None):
        return ""
    if isinstance(default, float):
        return f"{default:g}" if abs(default) < 1e300 else ""
    return ",".join(default) if isinstance(default, tuple) else str(default)
