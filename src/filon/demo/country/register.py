"""The register of gauging stations: knows where each of them is, and answers to search words."""

from functools import cache

from filon.demo.answer import Answer, Query
from filon.demo.choice import draw
from filon.demo.country.stations import STATIONS
from filon.demo.search_box import PAGE, SearchBox

HOST = "register.test"
#: What `filon enrich` is told of it.
SOURCE = f"""\
name = "register"
about = "The register of gauging stations of Orvania, which is invented."
terms = "Runs on your own machine: ask as you like."

[request]
url = "http://{HOST}/search"
keywords = "q"

[paging]
how = "page"
parameter = "page"
size = {PAGE}

[answer]
results = "$.stations"
id = "$.code"
total = "$.total"
always = ["station"]

[answer.fields]
station = "$.name"
river = "$.river"
region = "$.region"
altitude = "$.altitude"
catchment = "$.catchment"

[query]
joins = "and"

[limits]
rate = "500/s"
"""


def answer(path: str, query: Query) -> Answer:
    """Answer a search: one station in ten was never registered."""
    return _box().answer(path, query)


@cache
def _box() -> SearchBox:
    known = [station.record() for station in STATIONS if draw(10, "registered", station.name)]
    return SearchBox(known, "stations")
