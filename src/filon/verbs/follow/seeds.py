"""The URIs that a run starts from, as people type them or keep them in a file."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from filon.core import UserError
from filon.page.url import parse
from filon.verbs.address import refuse_password

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.I)
#: More than a run can ask for: it is some other file.
MOST = 1_000_000


def seed_uri(text: str) -> str:
    """Return a URI that can be followed, without the white space round it.

    >>> seed_uri(" http://example.org/id#me ")
    'http://example.org/id#me'
    """
    uri = text.strip()
    scheme = _SCHEME.match(uri)
    if scheme and not uri.lower().startswith(("http://", "https://")) and not _is_host(uri):
        raise UserError(f"Only http:// and https:// URIs can be followed, not {scheme[1]}: {uri}")
    if not scheme or not parse(uri) or re.search(r"\s", uri) or not urlsplit(uri).hostname:
        raise UserError(f"{text!r} is not a URI: write it in full, like http://example.org/id/7.")
    refuse_password(uri, "A URI")
    return uri


def _is_host(uri: str) -> bool:
    """Say whether what looks like a scheme is a host with its port."""
    return bool(re.match(r"[^/?#:]*:\d+([/?#]|$)", uri))


def distinct(uris: Iterable[str]) -> tuple[str, ...]:
    """Return the seeds, checked, each once."""
    seeds = tuple(dict.fromkeys(seed_uri(uri) for uri in uris))
    if not seeds:
        raise UserError("Where to start? Name a URI, or a file of them with --seeds.")
    if len(seeds) > MOST:
        raise UserError(f"{len(seeds):,} seeds are more than a run can hold: {MOST:,} at most.")
    return seeds
