"""atlas.test: places, each a page with JSON-LD in its head, and maps, which are only pages."""

from functools import cache

from filon.demo.answer import Answer, page, text
from filon.demo.choice import draw
from filon.demo.html import slug
from filon.demo.linked.things import ATLAS, Thing, jsonld_page
from filon.demo.linked.things import page as frame
from filon.demo.words import LAST_NAMES, REGIONS

_TOWNS = 6
_REGIONS = {slug(region.en): region.en for region in REGIONS}
#: Towns by their names, and the regions they lie in.
TOWNS = {
    slug(f"{LAST_NAMES[(7 * number + 3 * place) % len(LAST_NAMES)]} {region}"): region
    for number, region in enumerate(_REGIONS)
    for place in range(_TOWNS)
}
NAMES = (*_REGIONS, *TOWNS)


def uri(name: str) -> str:
    """Return the address of a place."""
    return f"http://{ATLAS}/place/{name}"


def answer(where: str, accept: str) -> Answer:
    """Show a place or its map; this host does not care what is asked for."""
    kind, _, name = where.removeprefix("/").partition("/")
    if kind == "place" and name in things():
        return page(jsonld_page(things()[name]))
    if kind == "map" and name in things():
        return page(frame(f"Map of {things()[name].title}", "<p>A map.</p>"))
    return text("text/plain", "No such place.\n", 404)


@cache
def things() -> dict[str, Thing]:
    """Return the places by name."""
    return {name: _place(name) for name in NAMES}


def truth() -> dict[str, int]:
    """Return the documents with RDF and their triples."""
    return {uri(name): len(thing.triples()) for name, thing in things().items()}


def _place(name: str) -> Thing:
    links = [("map", f"http://{ATLAS}/map/{name}"), ("flag", f"http://{ATLAS}/flags/{name}.svg")]
    if name in TOWNS:
        links.append(("within", uri(TOWNS[name])))
    else:
        links += [("town", uri(town)) for town, region in TOWNS.items() if region == name]
    title = _REGIONS.get(name) or name.replace("-", " ").title()
    kind = "Town" if name in TOWNS else "Region"
    people = 2_000 + draw(90_000, "people", name)
    return Thing(uri(name), kind, title, links, [("population", str(people))])
