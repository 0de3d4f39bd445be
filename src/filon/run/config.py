"""run.toml: the effective configuration of a run, for people and for `filon resume`.

Credentials never stand in a run folder: what looks like one is masked before it is written, here
and wherever else a run writes.
"""

import json
import math
import platform
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from filon.core import MachineError
from filon.core.version import __version__
from filon.run.disk import replace_text

MASK = "***"
#: Headers whose value lets somebody in.
SECRET_HEADERS = frozenset(
    {"authorization", "cookie", "proxy-authorization", "set-cookie", "set-cookie2", "x-api-key"}
)
_OWN_USERINFO = re.compile(r"^([a-z][a-z0-9+.-]*:)//[^/?#\s]*@", re.IGNORECASE)
_ANY_USERINFO = re.compile(r"\b([a-z][a-z0-9+.-]*:)//[^/?#\s@]*@", re.IGNORECASE)
#: What decides how pages are fetched, read and stored.
LIBRARIES = (
    *("ada-url", "aiohttp", "fastwarc", "lxml", "mmh3", "msgpack", "numpy", "protego"),
    *("pyoxigraph", "selectolax"),
)
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SECRET_KEY = re.compile(
    r"(.*[_-])?(api[_-]?key|authorization|cookies?|credentials?|passw(or)?d|secret|token)",
    re.IGNORECASE,
)
_SECRET_LINE = re.compile(rf"({'|'.join(sorted(SECRET_HEADERS))})\s*:", re.IGNORECASE)

Headers = tuple[tuple[str, str], ...]


def write_config(path: Path, config: Mapping[str, Any]) -> None:
    """Write run.toml, with the versions at work and without secrets."""
    text = "\n".join(_table((), {**config, "versions": versions()})).lstrip() + "\n"
    replace_text(path, text)


def read_config(path: Path) -> dict[str, Any]:
    """Read run.toml; a MachineError where it is damaged."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MachineError(f"{path} is damaged: {error}.") from error


def versions() -> dict[str, str]:
    """Return the versions of Filon, Python and the libraries that matter."""
    found = {"filon": __version__, "python": platform.python_version()}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found


def _table(path: tuple[str, ...], table: Mapping[str, Any]) -> Iterator[str]:
    if path:
        yield f"\n[{'.'.join(map(_key, path))}]"
    for key, value in table.items():
        if value is not None and not isinstance(value, Mapping):
            yield f"{_key(key)} = {_value(MASK if _is_secret(key, value) else value)}"
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _table((*path, key), value)


def _is_secret(key: str, value: object) -> bool:
    return not isinstance(value, bool) and bool(_SECRET_KEY.fullmatch(key))


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _string(key)


def _value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return repr(value) if math.isfinite(value) else str(value)
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
        case Mapping():
            pairs = (f"{_key(key)} = {_value(item)}" for key, item in value.items())
            return f"{{{', '.join(pairs)}}}"
        case _:
            return _string(str(value))


def _string(text: str) -> str:
    if line := _SECRET_LINE.match(text):
        text = f"{line[0]} {MASK}"
    plain = mask_text(text).encode("utf-8", "replace").decode()
    # JSON escapes as TOML does, but for DEL, which TOML wants escaped.
    return json.dumps(plain, ensure_ascii=False).replace("\x7f", "\\u007f")


def mask_url(url: str) -> str:
    """Hide the user and password that a URL may carry.

    >>> mask_url("http://me:secret@example.org/a@b")
    'http://***@example.org/a@b'
    """
    return _OWN_USERINFO.sub(rf"\1//{MASK}@", url) if "@" in url else url


def mask_text(text: str) -> str:
    """Hide users and passwords in the URLs of a sentence, such as that of a proxy's failure.

    >>> mask_text("cannot reach http://me:secret@proxy:3128")
    'cannot reach http://***@proxy:3128'
    """
    return _ANY_USERINFO.sub(rf"\1//{MASK}@", text) if "@" in text else text


def mask_headers(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Hide the values of secret headers; a cookie keeps its name and attributes.

    >>> mask_headers([("Set-Cookie", "sid=1; Path=/"), ("Age", "3")])
    [('Set-Cookie', 'sid=***; Path=/'), ('Age', '3')]
    """
    return [(name, _mask_header(name.lower(), value)) for name, value in headers]


def _mask_header(name: str, value: str) -> str:
    if name == "location":
        return mask_url(value)
    if name not in SECRET_HEADERS:
        return value
    cookie, equals, rest = value.partition("=")
    if not name.startswith("set-cookie") or not equals:
        return MASK
    _, semicolon, attributes = rest.partition(";")
    return f"{cookie}={MASK}{semicolon}{attributes}"
