"""Which host publishes which thing, at which URI, and how: drawn once under a seed.

Things of one namespace are shared out among hosts of very different sizes. A host has a few
sections; all things of a section are published alike, up to a little noise: that is what can be
learnt. Beside them stand pages without RDF, which descriptions mention as real ones do.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

#: How a section publishes, and how often; the first ones have RDF, the others do not.
WITH_RDF = {
    "negotiated": 26,  # a 303 to a document, by Accept
    "turtle": 7,
    "html+jsonld": 14,
    "html+rdfa": 10,
    "plain": 5,  # Turtle that calls itself text/plain
    "json": 5,  # JSON-LD that calls itself application/json
    "xml": 4,  # RDF/XML that calls itself application/xml
    "alternate": 5,  # a page that names its RDF
}
WITHOUT = {"html": 18, "missing": 8, "soft-missing": 6, "api": 5, "text": 4, "feed": 3}
#: One in so many things is published otherwise than the rest of its section.
NOISE = 33
#: Pages that a description mentions, and of those how many stand on hosts of their own.
PAGES = 2.2
#: Of the hosts, those whose pages carry RDF, as pages with schema.org markup do.
MARKED_UP = 0.12
#: How the name of a thing begins that is such a page.
PAGE = "page:"
_STYLES = (
    "/{section}/{name}",
    "/{section}/{name}.html",
    "/id/{section}/{name}",
    "/{section}?id={name}",
)
_SECTIONS = ("resource", "concept", "term", "thing", "ontology", "class", "dataset", "item", "doc")
#: What pages are, that descriptions mention: mostly HTML, but every hard type occurs.
_PAGES = {"html": 58, "text": 8, "api": 9, "feed": 7, "missing": 9, "image": 9}
_PAGE_SECTIONS = ("page", "news", "wiki", "docs", "view", "doc", "item", "resource")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a thing or a page is published. thing: "" for a page."""

    url: str
    profile: str
    thing: str = ""


@dataclass(slots=True)
class Plan:
    """All places, by URL and by thing. picky: hosts that give HTML to who names it at all."""

    places: dict[str, Place] = field(default_factory=dict)
    of_thing: dict[str, Place] = field(default_factory=dict)
    pages: list[str] = field(default_factory=list)
    picky: set[str] = field(default_factory=set)

    def has_rdf(self, place: Place) -> bool:
        """Say whether a place leads to RDF."""
        return bool(place.thing) and place.profile in WITH_RDF


def draw(things: Iterable[str], seed: int, hosts: int) -> Plan:
    """Share things out among about so many hosts."""
    dice, plan = random.Random(seed), Plan()
    spaces: dict[str, list[str]] = {}
    for thing in things:
        spaces.setdefault(_namespace(thing), []).append(thing)
    count = sum(len(members) for members in spaces.values())
    typical, number = max(1.0, count / hosts), 0
    for space in sorted(spaces):
        members = spaces[space]
        dice.shuffle(members)
        while members:
            size = max(1, min(len(members), int(typical * dice.paretovariate(1.2) / 3)))
            _host(plan, dice, members[:size], f"{_word(space)}{number}.example")
            members = members[size:]
            number += 1
    _pages(plan, dice, int(count * PAGES), hosts // 6)
    return plan


def _host(plan: Plan, dice: random.Random, things: list[str], host: str) -> None:
    sections = dice.sample(_SECTIONS, min(len(_SECTIONS), 1 + len(things) // 12, 4))
    settings = {section: (dice.choice(_STYLES), _profile(dice)) for section in sections}
    if dice.random() < 0.3:
        plan.picky.add(host)
    for thing in things:
        section = dice.choice(sections)
        style, profile = settings[section]
        if dice.randrange(NOISE) == 0:
            profile = _profile(dice)
        path = style.format(section=section, name=_name(thing))
        _publish(plan, Place(f"http://{host}{path}", profile, thing))


def _pages(plan: Plan, dice: random.Random, count: int, extra_hosts: int) -> None:
    hosts = sorted({place.url.split("/")[2] for place in plan.places.values()})
    hosts += [f"pages{number}.example" for number in range(extra_hosts)]
    # A few hosts have most pages, as everywhere.
    weights = [dice.paretovariate(0.9) for _ in hosts]
    sections = {host: dice.choice(_PAGE_SECTIONS) for host in hosts}
    markup = {
        host: dice.choice(("html+jsonld", "html+rdfa"))
        for host in hosts
        if dice.random() < MARKED_UP
    }
    for number in range(count):
        host = dice.choices(hosts, weights)[0]
        ending = dice.choice(("", ".html", "/", ".php"))
        profile = dice.choices(list(_PAGES), list(_PAGES.values()))[0]
        ending = ".png" if profile == "image" else ending
        url = f"http://{host}/{sections[host]}/{number}{ending}"
        marked_up = profile == "html" and host in markup and dice.randrange(NOISE)
        place = Place(url, markup[host], f"{PAGE}{number}") if marked_up else Place(url, profile)
        _publish(plan, place)
        plan.pages.append(url)


def _publish(plan: Plan, place: Place) -> None:
    plan.places[place.url] = place
    if place.thing:
        plan.of_thing[place.thing] = place


def _profile(dice: random.Random) -> str:
    profiles = {**WITH_RDF, **WITHOUT}
    return dice.choices(list(profiles), list(profiles.values()))[0]


def _namespace(thing: str) -> str:
    return thing.rpartition("#")[0] or thing.rpartition("/")[0]


def _name(thing: str) -> str:
    name = thing.rpartition("#")[2] if "#" in thing else thing.rstrip("/").rpartition("/")[2]
    return "".join(letter for letter in name if letter.isalnum() or letter in "-_.") or "x"


def _word(space: str) -> str:
    word = "".join(letter for letter in space.rpartition("/")[2].lower() if letter.isalpha())
    return word[:12] or "data"
