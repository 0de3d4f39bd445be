"""The key under which an index of a web archive has a URL: host turned round, then the path.

As the usual tools make it (the Internet Archive's surt, cdxj-indexer, pywb), so that their
look-ups meet ours. It serves to find records, not to fetch: what differs only by case, "www.",
the order of parameters or by what is percent-encoded has one key.
"""

import re
from urllib.parse import quote, unquote_to_bytes

from filon.page.url import split

_WWW = re.compile(r"^www\d*\.")
_PORTS = {"http": "80", "https": "443"}
#: All that is printed but the number sign and the percent sign.
_PLAIN = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) not in "#%")
#: What is encoded again and again is decoded so often at most.
_DEEPEST = 8


def surt(url: str) -> str:
    """Return the key of a URL.

    >>> surt("https://www.example.org:443/Data/%41.csv?b=2&a=1#top")
    'org,example)/data/a.csv?a=1&b=2'
    >>> surt("http://127.0.0.1:8000/")
    '1,0,0,127:8000)/'
    """
    parts = split(url.strip())
    place = parts.netloc.rpartition("@")[2].lower()
    if not place:
        return url.lower()
    path = re.sub("/+", "/", _unescaped(parts.path)).lower().rstrip("/") or "/"
    query = "&".join(sorted(_unescaped(parts.query).lower().split("&")))
    return f"{_turned(place, _PORTS.get(parts.scheme, ''))}){path}{'?' * bool(query)}{query}"


def _turned(place: str, usual_port: str) -> str:
    host, port = place, ""
    if not place.endswith("]"):  # else an address of IPv6, with colons of its own
        host, _, port = place.rpartition(":") if ":" in place else (place, "", "")
    if not host.startswith("["):
        host = ",".join(reversed(_WWW.sub("", host.rstrip(".")).split(".")))
    host = host.strip("[]")
    return f"{host}:{port}" if port and port != usual_port else host


def _unescaped(text: str) -> str:
    """Return text in which only that is percent-encoded that must be."""
    data = text.encode()
    for _ in range(_DEEPEST):
        plain = unquote_to_bytes(data)
        if plain == data:
            break
        data = plain
    return quote(data, safe=_PLAIN)
