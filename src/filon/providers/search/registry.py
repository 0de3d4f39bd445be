"""`registry`: catalogues that are known already, in a file of the user's.

The file has the form of dataportals-registry (github.com/commondataio/dataportals-registry): a
JSON object a line, with link, name and description, plain or packed by gzip.
"""

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from filon.core import UserError
from filon.providers.describe import nearest
from filon.providers.search.athand import AtHand, page_size
from filon.providers.search.index import Document, Index

OPERATORS = frozenset({"seeds", "related"})
PARAMETERS = {
    "path": "the file: JSON lines, as dataportals-registry has them",
    "status": "the status that a catalogue must have; * for any",
    "page_size": "how many hits an answer brings",
}
_GZIP = b"\x1f\x8b"


def build(parameters: Mapping[str, str]) -> AtHand:
    """Return the catalogues of a file, to be searched."""
    for name in parameters:
        if name not in PARAMETERS:
            raise UserError(f"registry has no parameter {name!r}: {nearest(name, [*PARAMETERS])}")
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
        return gzip.decompress(body) if body.startswith(_GZIP) else body
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or "it is damaged"
        raise UserError(f"The registry {path} cannot be read: {why}.") from None


def _document(entry: Mapping[str, Any]) -> Document:
    """What a catalogue is found by: what it says, who has it, its topics and its country."""
    told = [entry.get("description"), _owner(entry), *_texts(entry, "topics"), entry.get("type")]
    extra = {name: _name(entry.get(name)) for name in ("id", "software", "type", "status")}
    extra |= {name: ", ".join(_texts(entry, name)) for name in ("langs", "countries")}
    return Document(
        url=str(entry["link"]),
        title=str(entry.get("name") or ""),
        text=" ".join(str(part) for part in told if part),
        extra={name: text for name, text in extra.items() if text},
    )


def _texts(entry: Mapping[str, Any], name: str) -> list[str]:
    """Return the texts of a list; the whole registry has objects there, and its ids are theirs."""
    told = entry.get(name)
    return [text for text in map(_name, told) if text] if isinstance(told, list) else []


def _name(value: Any) -> str:
    if isinstance(value, Mapping):
        value = value.get("id") or value.get("name")
    return value if isinstance(value, str) else ""


def _owner(entry: Mapping[str, Any]) -> str:
    owner = entry.get("owner")
    return str(owner.get("name") or "") if isinstance(owner, Mapping) else ""
