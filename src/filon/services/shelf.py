"""The sources that come with Filon, and those in files of the user."""

from functools import cache
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from filon.core import UserError
from filon.core.suggest import did_you_mean
from filon.services.describe import describe
from filon.services.shape import Description


def shipped() -> list[str]:
    """Return the names of the sources that come with Filon.

    >>> "openalex" in shipped()
    True
    """
    here = files("filon.services").joinpath("shipped")
    return sorted(
        entry.name.removesuffix(".toml") for entry in here.iterdir() if entry.name.endswith(".toml")
    )


def refusal(host: str) -> str:
    """Say why a host must not be asked, whatever file names it; "" where it may be.

    >>> refusal("nominatim.openstreetmap.org")[:16]
    'the usage policy'
    """
    return _refusals().get(host, "")


@cache
def _refusals() -> dict[str, str]:
    told = (find(name) for name in shipped())
    return {urlsplit(d.request.url).hostname or "": d.forbidden for d in told if d.forbidden}


def find(name_or_path: str | Path) -> Description:
    """Return a description by the name of a shipped source, or from a file.

    What looks like a file is one: it ends in .toml or holds a slash.
    """
    name = str(name_or_path)
    return describe(text_of(name_or_path), name)


def text_of(name_or_path: str | Path) -> str:
    """Return the file itself."""
    name = str(name_or_path)
    if isinstance(name_or_path, Path) or name.endswith(".toml") or "/" in name or "\\" in name:
        return _read(Path(name))
    if name not in shipped():
        raise UserError(
            f"There is no source {name!r}: {did_you_mean(name, shipped())} "
            "A source of your own is a file that ends in .toml."
        )
    return files("filon.services").joinpath("shipped", f"{name}.toml").read_text("utf-8")


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise UserError(f"The source {path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UserError(f"The source {path} is not UTF-8 text.") from None
