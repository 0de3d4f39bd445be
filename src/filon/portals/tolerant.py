"""Strangers' JSON and XML: every reading has the shape that was asked for, or is empty."""

import html
import json
import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from filon.core import Response
from filon.page.values import checked, read_json

Tree = dict[str, Any]
#: Descriptions may be whole pages; for ranking and for people this is plenty.
MOST_TEXT = 5_000
#: Of a size or a count: what is beyond fits into no database.
MOST = 1 << 62
_TAG = re.compile(r"<[^<>]*>")
#: What says the same in several languages, and names of people or things, by what is told first.
_SPOKEN = (
    "default",
    "en",
    "eng",
    "name",
    "title",
    "display_name",
    "value",
    "@value",
    "label",
    "#text",
)


def parsed(response: Response) -> Any:
    """Return the JSON of an answer; None where it is none."""
    try:
        return read_json(response.body)
    except ValueError:
        return None


def tree(value: Any, *path: str) -> Tree:
    """Return the object at the end of a path; empty if there is none."""
    found = at(value, *path)
    return found if isinstance(found, dict) else {}


def items(value: Any, *path: str) -> list[Any]:
    """Return the list at the end of a path; a lone thing is a list of one."""
    found = at(value, *path)
    if isinstance(found, list):
        return found
    return [] if found is None or found == "" else [found]


def trees(value: Any, *path: str) -> list[Tree]:
    """Return the objects in the list at the end of a path."""
    return [item for item in items(value, *path) if isinstance(item, dict)]


def at(value: Any, *path: str) -> Any:
    """Return what stands at the end of a path; None if nothing does."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def text(value: Any, *path: str) -> str:
    """Return a text, whatever holds it: several languages, a list, a number.

    >>> text({"title": {"fr": "Écoles", "en": "Schools"}}, "title"), text([None, 3])
    ('Schools', '3')
    """
    found = at(value, *path)
    if isinstance(found, dict):
        parts = [found.get(name) for name in _SPOKEN] + list(found.values())
        return next((words for part in parts if (words := text(part))), "")
    if isinstance(found, list):
        return next((words for part in found if (words := text(part))), "")
    if found is None or isinstance(found, bool):
        return ""
    return " ".join(str(found).split())[:MOST_TEXT]


def prose(value: Any, *path: str) -> str:
    """Return a text without its HTML.

    >>> prose({"notes": "<p>All &amp; more</p>"}, "notes")
    'All & more'
    """
    markup = text(value, *path)
    return " ".join(html.unescape(_TAG.sub(" ", markup)).split())


def texts(value: Any, *path: str) -> tuple[str, ...]:
    """Return the texts of a list, without repeats; a lone text may hold several, by commas."""
    found = at(value, *path)
    parts = found.split(",") if isinstance(found, str) else items(value, *path)
    return tuple(dict.fromkeys(words for part in parts if (words := text(part))))


def number(value: Any, *path: str) -> int | None:
    """Return a whole number that is not negative, also one told as text; None otherwise."""
    found = at(value, *path)
    if isinstance(found, bool) or not isinstance(found, (int, float, str)):
        return None
    try:
        whole = int(float(found))
    except (ValueError, OverflowError):
        return None
    return whole if 0 <= whole < MOST else None


def whole_objects(body: bytes, name: str) -> Iterator[Tree]:
    """Yield the objects of the list `name`, or of the outermost list, that came whole.

    For long answers of which only the beginning is at hand.

    >>> list(whole_objects(b'{"a": 1, "dataset": [{"b": 2}, {"b": 3}, {"b"', "dataset"))
    [{'b': 2}, {'b': 3}]
    """
    document = body.decode("utf-8", "ignore")
    start = 0 if document.lstrip()[:1] == "[" else document.find(f'"{name}"')
    place = document.find("[", start) + 1
    decoder = json.JSONDecoder()
    while 0 < place < len(document):
        while document[place : place + 1] in (" ", "\n", "\r", "\t", ","):
            place += 1
        try:
            found, place = decoder.raw_decode(document, place)
            found = checked(found)
        except (ValueError, RecursionError):
            return
        if isinstance(found, dict):
            yield found


def xml(response: Response) -> Any:
    """Return the root element of an answer; None where it is no XML. Nothing is fetched for it."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=False)
    try:
        return etree.fromstring(response.body, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def local(element: Any) -> str:
    """Return an element's name without its namespace; "" for comments and their like."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def texts_of(element: Any, name: str) -> list[str]:
    """Return the texts of all elements of that local name below one."""
    found = (
        " ".join("".join(inner.itertext()).split())[:MOST_TEXT]
        for inner in element.iter()
        if local(inner) == name
    )
    return [value for value in found if value]
