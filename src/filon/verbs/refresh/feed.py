"""What changed as an Atom feed (RFC 4287), for readers of news."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree as ET

from filon.core.version import __version__
from filon.run.text import plain, size

_NAMESPACE = "http://www.w3.org/2005/Atom"
#: Entries that a feed has at most: the newest.
MOST = 200
_TITLES = {
    "new": "New: {}",
    "changed": "Changed: {}",
    "moved": "Moved: {}",
    "vanished": "Vanished: {}",
    "back": "Back: {}",
}


def atom(changes: Sequence[Mapping[str, Any]], title: str, now_s: float) -> bytes:
    """Return a feed of changes, the newest first; see `History.changes` for what each has."""
    ET.register_namespace("", _NAMESPACE)
    feed = ET.Element(f"{{{_NAMESPACE}}}feed")
    newest = sorted(changes, key=lambda change: -float(change["at_s"]))[:MOST]
    updated_s = float(newest[0]["at_s"]) if newest else now_s
    _add(feed, "title", title)
    _add(feed, "id", f"urn:filon:{_name(title)}")
    _add(feed, "updated", _when(updated_s))
    _add(feed, "generator", "Filon", version=__version__)
    _add(_add(feed, "author"), "name", "Filon")
    for change in newest:
        _entry(feed, change)
    ET.indent(feed)
    made: bytes = ET.tostring(feed, encoding="utf-8", xml_declaration=True)
    return made


def _entry(feed: ET.Element, change: Mapping[str, Any]) -> None:
    entry = _add(feed, "entry")
    url = str(change.get("to") or change["url"])
    _add(entry, "title", _TITLES[change["what"]].format(change["name"] or url))
    marks = (change["what"], change["url"], change["sha256"], repr(change["at_s"]))
    _add(entry, "id", f"urn:filon:{_name(*map(str, marks))}")
    _add(entry, "updated", _when(float(change["at_s"])))
    _add(entry, "link", href=url)
    _add(entry, "category", term=str(change["what"]))
    _add(entry, "summary", summary(change))


def summary(change: Mapping[str, Any]) -> str:
    """Say in a line what happened to a file."""
    before, now = size(change["size_bytes_before"]), size(change["size_bytes"])
    told = {
        "new": f"a new file of {now}",
        "changed": change.get("difference", {}).get("text") or f"{before} before, {now} now",
        "moved": f"from {change['url']} to {change.get('to', '')}",
        "vanished": "it is no longer there; what was found before is kept",
        "back": f"it is there again, with {now}",
    }
    return f"{change['url']}: {told[change['what']]}"


def _add(parent: ET.Element, name: str, text: str = "", **attributes: str) -> ET.Element:
    marks = {key: plain(value) for key, value in attributes.items()}
    child = ET.SubElement(parent, f"{{{_NAMESPACE}}}{name}", marks)
    child.text = plain(text) or None
    return child


def _name(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def _when(at_s: float) -> str:
    return datetime.fromtimestamp(at_s, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
