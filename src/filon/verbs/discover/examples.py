"""Sites that are examples of what is looked for, as people type them or keep them in a file."""

import re
from collections.abc import Iterable
from pathlib import Path

from filon.core import UserError
from filon.verbs.lines import read_lines
from filon.verbs.option import start_url

#: What ends so is a file, also one that is missing.
_FILES = (".txt", ".csv", ".tsv", ".list", ".lst", ".md", ".json")
_ADDRESS = re.compile(r"https?://", re.I)


def example(text: str) -> str:
    """Return the page of a site; https:// where no scheme was typed.

    >>> example("example.org")
    'https://example.org/'
    """
    try:
        return start_url(text)
    except UserError as error:
        raise UserError(str(error).replace("can be harvested", "can be examples")) from None


def examples(sources: str | Path | Iterable[str | Path]) -> tuple[str, ...]:
    """Return the pages of example sites, each once: of addresses, and of files with one a line."""
    given = [sources] if isinstance(sources, str | Path) else list(sources)
    pages = [page for one in given for page in _pages(one)]
    return tuple(dict.fromkeys(pages))


def _pages(source: str | Path) -> list[str]:
    if _ADDRESS.match(str(source)):
        return [example(str(source))]
    path = Path(source)
    if path.exists() or isinstance(source, Path) or path.suffix.lower() in _FILES:
        return read_lines(path, example)
    try:
        return [example(source)]
    except UserError:
        raise UserError(f"{source} is neither a file of examples nor the address of one.") from None
