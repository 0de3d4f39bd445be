"""The start URL as people type it. Knows no network: whether the host exists shows later."""

import re

from filon.core import UserError
from filon.page.url import parse, split

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
