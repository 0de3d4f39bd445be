"""Descriptions of services: where they lie, how one is read, and what is wrong with it.

They come with Filon or are files of the user. A file describes a source of records, or a part of a
search service for sites: then its table [search] says of which. Either can be asked in both ways.
Installed packages may add sources by entry points of the group filon.sources: the path of a file,
or its text. `fill` puts words in the places of `{names}` that a description leaves open.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from filon.core import UserError
from filon.core.plugins import Registry, UnfitError
from filon.core.service import OPERATORS
from filon.core.suggest import did_you_mean
from filon.page.url import split
from filon.services import shape
from filon.services.shape import Description

T = TypeVar("T")
_NAME = re.compile(r"\{([a-z_][a-z0-9_]*)\}", re.I)
_RATE = re.compile(r"(\d+(?:\.\d+)?)/(s|min|h|day)")
_UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "day": 86400.0}
_CHOICES = {
    "request.method": shape.METHODS,
    "key.how": shape.KEY_WAYS,
    "paging.how": shape.PAGING_WAYS,
    "paging.inside": ("query", "body"),
    "answer.format": shape.FORMATS,
    "query.joins": shape.JOINS,
    "limits.reset_is": shape.RESETS,
    "problems.means": shape.MEANINGS,
    "opening.how": shape.OPENINGS,
}


def describe(text: str, label: str) -> Description:
    """Return what a file says. label: how the file is called in a complaint.

    >>> describe("name = 'a'", "a.toml")
    Traceback (most recent call last):
    filon.core.errors.UserError: The source a.toml lacks about.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"The source {label} is not TOML: {error}.") from None
    description = _Form(label).read(Description, table, "")
    _check(description, label)
    return description


def rate(text: str) -> tuple[float, float]:
    """Return how many calls are allowed in how many seconds; (0, 0) where nothing is said.

    >>> rate("30/min"), rate("")
    ((30.0, 60.0), (0.0, 0.0))
    """
    match = _RATE.fullmatch(text.strip())
    if not match:
        if text.strip():
            raise ValueError(text)
        return 0.0, 0.0
    return float(match[1]), _UNITS[match[2]]


class _Form:
    """Fills the values of shape.py from tables of TOML."""

    def __init__(self, label: str) -> None:
        self._label = label

    def read(self, kind: type[T], table: Mapping[str, Any], where: str) -> T:
        hints = get_type_hints(kind)
        for name in table:
            if name not in hints:
                full = f"{where}{name}"
                raise UserError(
                    f"The source {self._label} has the key {full}, which is not known: "
                    f"{did_you_mean(name, hints)}"
                )
        given = {n: self._value(hints[n], table[n], f"{where}{n}") for n in table}
        for entry in fields(kind):  # type: ignore[arg-type]
            optional = entry.default is not MISSING or entry.default_factory is not MISSING
            if entry.name not in given and not optional:
                raise UserError(f"The source {self._label} lacks {where}{entry.name}.")
        return kind(**given)

    def _value(self, hint: Any, value: Any, where: str) -> Any:
        if is_dataclass(hint) and isinstance(hint, type):
            return self.read(hint, self._kind(dict, value, where, "a table"), f"{where}.")
        if hint == shape.Path:
            return self._path(value, where)
        if hint == shape.Path | shape.Parts:
            return self._value(shape.Parts if isinstance(value, dict) else shape.Path, value, where)
        if get_origin(hint) is UnionType:
            if isinstance(value, str):
                return self._star(value, where)
            hint = get_args(hint)[0]
        if get_origin(hint) is tuple:
            return self._tuple(get_args(hint)[0], value, where)
        if get_origin(hint) is not None:
            return self._mapping(hint, value, where)
        return self._plain(hint, value, where)

    def _tuple(self, inner: Any, value: Any, where: str) -> tuple[Any, ...]:
        items = self._kind(list, value, where, "a list")
        return tuple(self._value(inner, item, where) for item in items)

    def _mapping(self, hint: Any, value: Any, where: str) -> dict[str, Any]:
        table = self._kind(dict, value, where, "a table")
        inner = get_args(hint)[1]
        if inner is Any:
            return dict(table)
        return {name: self._value(inner, item, f"{where}.{name}") for name, item in table.items()}

    def _path(self, value: Any, where: str) -> shape.Path:
        if isinstance(value, str):
            return value
        paths = self._kind(list, value, where, "a path or a list of paths")
        return tuple(self._kind(str, path, where, "a list of paths") for path in paths)

    def _star(self, value: str, where: str) -> str:
        if value != "*":
            raise self._wrong(where, 'a table of paths or "*"', value)
        return value

    def _plain(self, hint: Any, value: Any, where: str) -> Any:
        if hint is str and isinstance(value, (int, float)) and not isinstance(value, bool):
            return str(value)  # params = { limit = 100 } is what people write
        names = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
        if hint is float and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        if hint is int and isinstance(value, bool):
            raise self._wrong(where, names[int], value)
        checked = self._kind(hint, value, where, names[hint])
        choices = _CHOICES.get(where)
        if choices is not None and checked not in choices:
            shown = ", ".join(choice or '""' for choice in choices)
            raise self._wrong(where, f"one of {shown}", value)
        return checked

    def _kind(self, kind: type[Any], value: Any, where: str, words: str) -> Any:
        if not isinstance(value, kind):
            raise self._wrong(where, words, value)
        return value

    def _wrong(self, where: str, words: str, value: Any) -> UserError:
        return UserError(f"In the source {self._label}, {where} must be {words}, not {value!r}.")


def _check(description: Description, label: str) -> None:
    """Refuse what is well-formed but cannot work."""
    for complaint in _complaints(description):
        raise UserError(f"In the source {label}, {complaint}.")


def _complaints(d: Description) -> list[str]:
    call, key, paging, answer, limits = d.request, d.key, d.paging, d.answer, d.limits
    placed = "{keywords}" in f"{call.url}{call.params}{call.json}{call.form}{call.headers}"
    found = {
        "nothing says where the keywords go: name request.keywords, or write {keywords} "
        "where they belong": not (call.keywords or placed or d.opening.how),
        "request.url must begin with http://, https:// or a {parameter}": not re.match(
            r"https?://|\{", call.url
        ),
        "a body needs request.method POST": bool(call.json or call.form) and call.method == "GET",
        "request.json and request.form exclude each other": bool(call.json and call.form),
        f"the key goes by {key.how}, so key.name must say which parameter or header": key.how
        in ("query", "header")
        and not key.name,
        "key.secret must name the environment variable": key.how != "none" and not key.secret,
        "OAuth2 needs key.client and key.token_url": key.how == "oauth2"
        and not (key.client and key.token_url),
        "paging.size must be at least 1": paging.size < 1,
        f"paging by {paging.how} needs paging.parameter": paging.how in ("page", "offset", "cursor")
        and not paging.parameter,
        "paging by cursor needs paging.next, the path of the cursor": paging.how == "cursor"
        and not paging.next,
        "query.batch must be at least 1": d.query.batch < 1,
        "limits.cost must be more than 0": limits.cost <= 0,
    }
    complaints = [sentence for sentence, holds in found.items() if holds]
    complaints += [
        f"search.operators names {one!r}, which is none of {', '.join(sorted(OPERATORS))}"
        for one in d.search.operators
        if one not in OPERATORS
    ]
    if isinstance(answer.fields, Mapping):
        complaints += [
            f"answer.always names {name!r}, which is not in answer.fields"
            for name in answer.always
            if name not in answer.fields
        ]
    for where, text in (("rate", limits.rate), ("quota", limits.quota)):
        try:
            rate(text)
        except ValueError:
            complaints.append(f"limits.{where} must be like 30/min or 1000/day, not {text!r}")
    return complaints


def fill(text: str, words: Mapping[str, str], code: Callable[[str], str] = str) -> str:
    """Replace the names that are known; others stay.

    code: what is done to a word before it stands in the text.

    >>> fill("{url}/search?q={keywords}", {"url": "http://a.org"})
    'http://a.org/search?q={keywords}'
    """
    return _NAME.sub(lambda hit: code(words[hit[1]]) if hit[1] in words else hit[0], text)


def fill_all(thing: T, words: Mapping[str, str]) -> T:
    """Do the same with all text in a value, however deep; names of keys stay."""
    filled: Any = thing
    if isinstance(thing, str):
        filled = fill(thing, words)
    elif isinstance(thing, Mapping):
        filled = {name: fill_all(inner, words) for name, inner in thing.items()}
    elif isinstance(thing, (tuple, list)):
        filled = type(thing)(fill_all(inner, words) for inner in thing)
    elif is_dataclass(thing) and not isinstance(thing, type):
        inner = {f.name: fill_all(getattr(thing, f.name), words) for f in fields(thing)}
        filled = replace(thing, **inner)
    final: T = filled
    return final


def names(text: str) -> list[str]:
    """Return the names that a text has places for, in order.

    >>> names("{url}/{table}?q={keywords}")
    ['url', 'table', 'keywords']
    """
    return _NAME.findall(text)


_SHIPPED = files("filon.services").joinpath("shipped")


def described(found: Any) -> Path | str:
    """Let a description pass that a package adds."""
    if not isinstance(found, Path | str):
        raise UnfitError("it is neither the path of a TOML file nor its text")
    return found


#: The descriptions of installed packages.
ADDED: Registry[Path | str] = Registry("source", "filon.sources", {}, fit=described)


def shipped() -> list[str]:
    """Return the names of the sources that come with Filon.

    >>> "openalex" in shipped(), "brave" in shipped()
    (True, False)
    """
    return [name for name, known in _all().items() if not known.search.service]


def parts(service: str) -> dict[str, str]:
    """Return the shipped files of a search service by the operators that they answer.

    A file that answers none by itself has its own name.

    >>> parts("exa")
    {'keyword': 'exa', 'related': 'exa-similar'}
    >>> parts("re3data")
    {'seeds': 're3data', 're3data-record': 're3data-record'}
    """
    of = {name: known.search for name, known in _all().items() if known.search.service == service}
    return {each: name for name, search in of.items() for each in search.operators or (name,)}


def services() -> list[str]:
    """Return the names of the search services that shipped files describe."""
    return sorted({known.search.service for known in _all().values()} - {""})


def locked() -> dict[str, Description]:
    """Return the shipped services that know their users by a key, by name.

    >>> "brave" in locked(), "wikidata" in locked()
    (True, False)
    """
    return {name: known for name, known in _all().items() if known.key.how != "none"}


def refusal(host: str) -> str:
    """Say why a host must not be asked, whatever file names it; "" where it may be.

    >>> refusal("nominatim.openstreetmap.org")[:16]
    'the usage policy'
    """
    for known in _all().values():
        if known.forbidden and split(known.request.url).hostname == host:
            return known.forbidden
    return ""


def find(name_or_path: str | Path) -> Description:
    """Return a description by the name of a shipped file, or from a file of the user."""
    return describe(text_of(name_or_path), str(name_or_path))


def text_of(name_or_path: str | Path) -> str:
    """Return the file itself."""
    if is_file(name_or_path):
        return _read(Path(name_or_path))
    name = str(name_or_path)
    if name in _names():
        return _SHIPPED.joinpath(f"{name}.toml").read_text("utf-8")
    if name in ADDED:
        return text_in(ADDED[name])
    raise UserError(
        f"There is no source {name!r}: {did_you_mean(name, [*shipped(), *ADDED])} "
        "A source of your own is a file that ends in .toml."
    )


def text_in(added: Path | str) -> str:
    """Return a description that a package adds: the text of a file, or the text itself."""
    return _read(added) if isinstance(added, Path) else added


def is_file(name_or_path: str | Path) -> bool:
    """Say whether this is a file of the user: it ends in .toml or holds a slash.

    >>> is_file("mine.toml"), is_file("openalex")
    (True, False)
    """
    name = str(name_or_path)
    return isinstance(name_or_path, Path) or name.endswith(".toml") or "/" in name or "\\" in name


@cache
def _names() -> list[str]:
    names = [entry.name for entry in _SHIPPED.iterdir()]
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


@cache
def _all() -> dict[str, Description]:
    return {name: find(name) for name in _names()}


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise UserError(f"The source {path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UserError(f"The source {path} is not UTF-8 text.") from None
