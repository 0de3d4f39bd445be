"""The descriptions that come with Filon, and those in files of the user: one shelf for both.

A file describes a source of records, or a part of a search service for sites: then its table
[search] says of which. Either can be asked in both ways. Installed packages may add sources by
entry points of the group filon.sources: the path of a file, or its text.
"""

from functools import cache
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from filon.core import UserError
from filon.core.plugins import Registry
from filon.core.suggest import did_you_mean
from filon.services.describe import describe
from filon.services.shape import Description

_SHIPPED = files("filon.services").joinpath("shipped")
#: The descriptions of installed packages.
ADDED: Registry[Path | str] = Registry("source", "filon.sources", {})


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


def refusal(host: str) -> str:
    """Say why a host must not be asked, whatever file names it; "" where it may be.

    >>> refusal("nominatim.openstreetmap.org")[:16]
    'the usage policy'
    """
    for known in _all().values():
        if known.forbidden and urlsplit(known.request.url).hostname == host:
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
