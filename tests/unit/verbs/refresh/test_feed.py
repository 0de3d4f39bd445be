"""What changed as an Atom feed."""

from typing import Any
from xml.etree import ElementTree as ET

from filon.verbs.refresh.feed import MOST, atom

ATOM = "{http://www.w3.org/2005/Atom}"


def change(what: str, name: str, at_s: float, **more: Any) -> dict[str, Any]:
    return {
        "what": what,
        "url": f"http://a.test/{name}",
        "name": name,
        "at_s": at_s,
        "sha256": "ab" * 32,
        "size_bytes": 20,
        "size_bytes_before": 10,
        **more,
    }


def test_the_newest_comes_first_and_each_has_an_id_of_its_own() -> None:
    changes = [change("new", f"{n}.csv", float(n)) for n in range(MOST + 5)]
    feed = ET.fromstring(atom(changes, "all", 0.0))
    ids = [one.findtext(f"{ATOM}id") for one in feed.iter(f"{ATOM}entry")]
    assert len(ids) == len({*ids}) == MOST
    titles = [one.findtext(f"{ATOM}title") for one in feed.iter(f"{ATOM}entry")]
    assert titles[0] == f"New: {MOST + 4}.csv"
    assert feed.findtext(f"{ATOM}updated") == "1970-01-01T00:03:24Z"


def test_what_atom_asks_for_is_there() -> None:
    moved = change("moved", "a.csv", 5.0, to="http://a.test/b.csv")
    feed = ET.fromstring(atom([moved], "all", 0.0))
    for name in ("title", "id", "updated", "author"):
        assert feed.find(f"{ATOM}{name}") is not None
    (entry,) = feed.iter(f"{ATOM}entry")
    link = entry.find(f"{ATOM}link")
    assert link is not None
    assert link.get("href") == "http://a.test/b.csv"
    assert entry.findtext(f"{ATOM}summary", "").endswith("to http://a.test/b.csv")


def test_text_from_the_web_is_only_text() -> None:
    odd = change("changed", "<b>&\x00\ud800.csv", 1.0)
    assert ET.fromstring(atom([odd], "<t>", 0.0)).findtext(f"{ATOM}title") == "<t>"
    assert ET.fromstring(atom([], "none", 7.0)).findtext(f"{ATOM}updated") == "1970-01-01T00:00:07Z"
