"""A file with one address a line, as people keep their seeds and examples."""

from collections.abc import Callable, Iterable
from pathlib import Path

from filon.core import UserError
from filon.verbs.option import start_url


def site_list(source: str | Path | Iterable[str]) -> tuple[str, ...]:
    """Return the addresses of sites: of a file with one a line, or of a list."""
    if isinstance(source, str | Path):
        return tuple(read_lines(Path(source), start_url, "address of a site"))
    return tuple(source)


def read_lines(path: Path, read: Callable[[str], str], what: str = "URI") -> list[str]:
    """Return what a file holds, one a line; empty lines and lines that begin with # hold nothing.

    read: returns what a line holds, or raises a UserError. what: a line is called in a message.
    """
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except OSError as error:
        raise UserError(f"The file {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError:
        raise UserError(f"The file {path} is not a text with one {what} a line.") from None
    seeds = []
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            seeds.append(read(line.strip().removeprefix("<").removesuffix(">")))
        except UserError as error:
            raise UserError(f"Line {number} of {path}: {error}") from None
    if not seeds:
        raise UserError(f"The file {path} holds no {what}.")
    return seeds
