"""The register of gauging stations: knows where each of them is, and answers to search words."""

from functools import cache

from filon.demo.answer import Answer, Query
from filon.demo.choice import draw
from filon.demo.country.stations import STATIONS
from filon.demo.search_box import SearchBox, described

HOST = "register.test"
_PLAIN = ("river", "region", "altitude", "catchment")
#: What `filon enrich` is told of it.
SOURCE = described(
    HOST,
    "The register of gauging stations of Orvania, which is invented.",
    results="stations",
    id="code",
    always="station",
    fields={"station": "name", **{name: name for name in _PLAIN}},
)


def answer(path: str, query: Query) -> Answer:
    """Answer a search: one station in ten was never registered."""
    return _box().answer(path, query)


@cache
def _box() -> SearchBox:
    known = [station.record() for station in STATIONS if draw(10, "registered", station.name)]
    return SearchBox(known, "stations")
