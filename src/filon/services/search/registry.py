"""`registry`: catalogues that are known already, in a file of the user's.

The file has the form of dataportals-registry (github.com/commondataio/dataportals-registry): a
JSON object a line, with link, name and description, plain or packed by gzip or zstd. Where that
has objects with an id and a name, plain texts will do.
"""

import gzip
import json
import sys
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from filon.core import UserError
from filon.core.suggest import did_you_mean
from filon.services.search.athand import AtHand, page_size
from filon.services.search.index import Document, Index

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

OPERATORS = frozenset({"seeds", "related"})
PARAMETERS = {
    "path": "the file: JSON lines, as dataportals-registry has them",
    "status": "the status that a catalogue must have; * for any",
    "page_size": "how many hits an answer brings",
}
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


def build(parameters: Mapping[str, str]) -> AtHand:
    """Return the catalogues of a file, to be searched."""
    for name in parameters:
        if name not in PARAMETERS:
            raise UserError(f"registry has no parameter {name!r}: {did_you_mean(name, PARAMETERS)}")
    if not parameters.get("path", "").strip():
        raise UserError(f"registry must be told path: {PARAMETERS['path']}.")
    size = page_size(parameters.get("page_size", "50"))
    index = Index()
    wanted = parameters.get("status", "active")
    index.fill(_document(entry) for entry in _entries(Path(parameters["path"]), wanted))
    if not len(index):  # else every question would seem to have no answer
        raise UserError(f"No catalogue in {parameters['path']} has the status {wanted!r}.")
    return AtHand("registry", index, OPERATORS, size)


def _entries(path: Path, status: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(_read(path).splitlines(), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except ValueError:
            raise UserError(f"Line {number} of {path} is not JSON.") from None
        if not isinstance(entry, dict):
            raise UserError(f"Line {number} of {path} is not an object.")
        active = status == "*" or entry.get("status", status) == status
        if active and str(entry.get("link", "")).startswith("http"):
            yield entry


def _read(path: Path) -> bytes:
    try:
        body = path.read_bytes()
        if body.startswith(_ZSTD):
            return zstd.decompress(body)
        return gzip.decompress(body) if body.startswith(_GZIP) else body
    except (OSError, EOFError, zlib.error, zstd.ZstdError) as error:
        why = getattr(error, "strerror", None) or "it is damaged"
        raise UserError(f"The registry {path} cannot be read: {why}.") from None


def _document(entry: Mapping[str, Any]) -> Document:
    """What a catalogue is found by: what it says, who has it, its topics and its places."""
    kind = _text(entry.get("type") or entry.get("catalog_type"))
    places = [_text(place, "name") for place in _places(entry)]
    owner = _text(entry.get("owner"), "name")
    about = [_text(each, "name") for name in ("topics", "tags") for each in _list(entry, name)]
    countries = _list(entry, "countries") or _places(entry)
    extra = {name: _text(entry.get(name)) for name in ("id", "software", "status")}
    extra |= {
        "type": kind,
        "langs": _joined(_list(entry, "langs")),
        "countries": _joined(countries),
    }
    return Document(
        url=str(entry["link"]),
        title=_text(entry.get("name")),
        text=" ".join(
            filter(None, [_text(entry.get("description")), owner, *about, *places, kind])
        ),
        extra={name: text for name, text in extra.items() if text},
    )


def _places(entry: Mapping[str, Any]) -> list[Any]:
    """Return the countries that a catalogue covers."""
    places = [
        part.get("location") for part in _list(entry, "coverage") if isinstance(part, Mapping)
    ]
    return [place.get("country") for place in places if isinstance(place, Mapping)]


def _list(entry: Mapping[str, Any], name: str) -> list[Any]:
    value = entry.get(name)
    return value if isinstance(value, list) else []


def _joined(values: list[Any]) -> str:
    return ", ".join(dict.fromkeys(filter(None, map(_text, values))))


def _text(value: Any, part: str = "id") -> str:
    """Return a text, or that part of an object."""
    if isinstance(value, Mapping):
        value = value.get(part)
    return value if isinstance(value, str) else ""
