"""How a setting is asked for: said once, beside its field, for flags, files and Python alike.

Nothing here knows how a command line is read. What is typed is text, what stands in a TOML file
has a type already, and Python may hand over paths: a reader makes the same value of all of them.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, TypeGuard, cast, get_args, get_origin

from filon.core import Budget, UserError
from filon.page.url import parse, split

Reader = Callable[[Any], Any]
_SIZE = re.compile(r"\d+(\.\d+)?\s*[kmgt]?i?b", re.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One way to ask for a setting.

    help: what it does, for people.
    metavar: what stands for its value in the help; "" of a switch, or of a choice of few words.
    panel: the heading under which it stands; "": the first.
    flags: as they are typed; (): the setting's own word, --no- before it where that is on.
    kind: what is typed, where that is not what the setting is; tuple: it may be repeated.
    read: makes the setting's value of what is given.
    argument: it has a place instead of a flag.
    later: it may be asked for again when a run goes on.
    """

    help: str
    metavar: str = ""
    panel: str = ""
    flags: tuple[str, ...] = ()
    kind: type | None = None
    read: Reader | None = None
    argument: bool = False
    later: bool = False


def option(
    default: Any,
    help: str,
    *,
    noun: str = "",
    also: Option | None = None,
    stored: bool = True,
    shown: bool = True,
    **how: Any,
) -> Any:
    """Return a field of settings that can be asked for.

    default: `...` where it must be given; {} is made anew for each.
    noun: what a value is, in a sentence about one that is not known.
    also: another way to ask for it, whose values come after those of the first.
    stored: whether it stands in run.toml; shown: whether it may be printed.
    how: the rest of `Option`.
    """
    ways = (Option(help=help, **how), *([also] if also else []))
    metadata = {"options": ways, "noun": noun, "stored": stored}
    if default is ...:
        return field(metadata=metadata)
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=metadata)
    return field(default=default, metadata=metadata, repr=shown)


def passing(default: Any) -> Any:
    """Return a field that says how other settings come about, and does not stand in run.toml."""
    return field(default=default, metadata={"stored": False})


def options_of(entry: "Field[Any]") -> tuple[Option, ...]:
    """Return the ways to ask for a setting; none where only Filon itself sets it."""
    ways: tuple[Option, ...] = entry.metadata.get("options", ())
    return ways


def kind_of(entry: "Field[Any]") -> type:
    """Return what kind of value a setting has: str, int, float, bool, tuple or Mapping."""
    origin = get_origin(entry.type)
    kind: Any = str if origin is Literal else origin or entry.type
    return cast(type, kind)


def choices_of(entry: "Field[Any]") -> tuple[str, ...]:
    """Return the words that a setting may be, where they are few."""
    return get_args(entry.type) if get_origin(entry.type) is Literal else ()


def read(entry: "Field[Any]", value: Any, way: Option | None = None) -> Any:
    """Return the value of a setting as it was given, in whatever form that was.

    way: how it was asked for; by default its last, which also reads files.
    """
    ways = options_of(entry)
    way = way or (ways[-1] if ways else None)
    if way and way.read:
        return way.read(value)
    if isinstance(value, Path):
        value = str(value)
    if kind_of(entry) is tuple:
        return texts(value)
    return value


# Readers.


def texts(value: Any) -> tuple[Any, ...]:
    """Return what may be given once or as a list.

    >>> texts("a"), texts([Path("b"), "c"])
    (('a',), ('b', 'c'))
    """
    if isinstance(value, str | Path):
        return (str(value),)
    if not isinstance(value, Iterable):
        return (value,)
    return tuple(str(each) if isinstance(each, Path) else each for each in value)


def commas(value: Any) -> tuple[str, ...]:
    """Return what stands between commas, or in a list.

    >>> commas("fr, es")
    ('fr', 'es')
    """
    parts = value.split(",") if isinstance(value, str) else texts(value)
    return tuple(part.strip() for part in parts if part.strip())


def joined(value: Any) -> Any:
    """Return a text with commas of a list, or the text."""
    return value if isinstance(value, str) else ",".join(map(str, value))


def spaced(value: Any) -> Any:
    """Return words in one text."""
    return value if isinstance(value, str) else " ".join(value)


def number_or_text(value: Any) -> Any:
    """Return a number as text: a budget of 300 is one of requests."""
    return str(value) if isinstance(value, int | Budget) and value is not True else value


def named_values(value: Any) -> Any:
    """Return NAME=VALUE of --set as a table; what looks like a number is one.

    >>> named_values(["theta=0.5", "model=svm"])
    {'theta': 0.5, 'model': 'svm'}
    """
    return value if isinstance(value, Mapping) else dict(map(_named_value, value))


def _named_value(text: str) -> tuple[str, str | float]:
    name, value = named_text(text, "--set")
    try:
        return name, float(value)
    except ValueError:
        return name, value


def named_texts(value: Any, flag: str) -> dict[str, str]:
    """Return NAME=VALUE of an option that may be repeated as a table, values as they are.

    >>> named_texts(["url=https://example.org/?a=b"], "--set")
    {'url': 'https://example.org/?a=b'}
    """
    if isinstance(value, Mapping):
        return {str(name): str(each) for name, each in value.items()}
    return dict(named_text(text, flag) for text in value)


def named_text(text: str, flag: str) -> tuple[str, str]:
    """Read one NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not (name.strip() and equals):
        raise UserError(f"{flag} {text!r} is not understood: write NAME=VALUE.")
    return name.strip(), value.strip()


def headers(value: Any) -> tuple[str, ...]:
    """Return headers; @FILE, which keeps them out of the list of processes, has one a line."""
    return tuple(line for item in texts(value) for line in _header_lines(item))


def _header_lines(item: Any) -> list[Any]:
    if not (isinstance(item, str) and item.startswith("@")):
        return [item]
    try:
        lines = Path(item[1:]).read_text("utf-8").splitlines()
    except OSError as error:
        raise UserError(f"The file {item[1:]} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError:
        raise UserError(f"The file {item[1:]} is not a text with one header a line.") from None
    return [line for line in lines if line.strip()]


def table_in(path: Path) -> dict[str, Any]:
    """Return what a TOML file of the user's says; a UserError where it cannot be read."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UserError(f"The file {path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"The file {path} is not TOML: {error}.") from error


def size(value: Any) -> Any:
    """Return bytes, of a text with its unit.

    >>> size("2MB")
    2000000
    """
    if not isinstance(value, str):
        return value
    bound = Budget.parse(value).bytes if _SIZE.fullmatch(value.strip()) else None
    if bound is None:
        raise UserError(f"The size {value!r} is not understood: write it like 500MB or 2GiB.")
    return bound


_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.I)
#: What may stand before the path where no scheme was typed: a name with a dot, or an address.
_HOST = re.compile(r"(localhost|[^\s/?#@:\[\]]+\.[^\s/?#@:\[\]]+|\[[0-9a-f:.]+\])(:\d+)?", re.I)


def has_scheme(text: str) -> bool:
    """Say whether a scheme was typed."""
    return bool(_SCHEME.match(text.strip()))


def start_url(text: str) -> str:
    """Return the URL that was meant; https:// where no scheme was typed.

    >>> start_url("Example.org/data")
    'https://example.org/data'
    """
    typed = text.strip()
    if not has_scheme(typed):
        typed = _with_scheme(typed)
    if not typed.lower().startswith(("http://", "https://")):
        scheme = typed.partition(":")[0]
        raise UserError(f"Only http:// and https:// can be harvested, not {scheme}://.")
    url = parse(typed)
    if not url:
        raise UserError(f"{text!r} is not a URL: write it like https://example.org/.")
    refuse_password(url, "The URL")
    return url


def refuse_password(url: str, what: str) -> None:
    """Refuse an address that says who asks; what: how it is called in the sentence."""
    if "@" in split(url).netloc:
        raise UserError(
            f"{what} holds a user name or password, which would stand in the run folder: "
            "give it as --header 'Authorization: Basic …' instead."
        )


def _with_scheme(typed: str) -> str:
    host = re.split(r"[/?#]", typed, maxsplit=1)[0]
    if not _HOST.fullmatch(host):
        raise UserError(f"{typed!r} is not a URL: write it like https://example.org/.")
    return f"https://{typed}"


# What was typed, by flags or into the fields of a page.

#: What was typed, by the names of `name_of`: None, False of a switch, or an empty list where it was
#: not.
Typed = Mapping[str, Any]


def ways(settings: type[Any]) -> Iterator[tuple["Field[Any]", int, Option]]:
    """Yield each way to ask for a setting: those of the verb's own first."""
    base = [one for one in settings.__mro__ if is_dataclass(one)][-1]
    shared = {entry.name for entry in fields(base)}
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


def values(settings: type[Any], typed: Typed) -> dict[str, Any]:
    """Return the settings that were asked for, by their words."""
    found: dict[str, Any] = {}
    for entry, number, way in ways(settings):
        value = typed.get(name_of(entry, number))
        if _is_unasked(value):
            continue
        if value == "" == entry.default:  # more likely a variable of the shell that is not set
            word = entry.name.upper() if way.argument else (*way.flags, flag_of(entry))[0]
            raise UserError(f"{word} is empty: say what, or leave it out.")
        if kind_of(entry) is bool:
            value = not entry.default
        value = read(entry, value, way)
        found[entry.name] = found[entry.name] + value if entry.name in found else value
    return found


def arguments(settings: type[Any], typed: Typed) -> list[str]:
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
        each = list(map(_word, value if _is_list(value) else [value]))
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


def _word(value: Any) -> str:
    """Return a value as it is typed: a whole number has no point."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _is_unasked(value: Any) -> bool:
    return value is None or value is False or value == [] or value == ()


def _is_list(value: Any) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, Sequence) and not isinstance(value, str)
