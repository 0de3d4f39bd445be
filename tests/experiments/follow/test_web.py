"""The Linked Data web of the experiments: its answers are what its truth says."""

from collections import Counter
from pathlib import Path

import pytest

from experiments.follow.web import LodWeb
from filon.core import Request
from filon.verbs.follow.rdf.reader import read
from filon.verbs.follow.rdf.syntaxes import ACCEPT


@pytest.fixture(scope="module")
def web(shared: Path) -> LodWeb:
    return LodWeb(shared / "data/follow", seed=3, hosts=120, things=600)


def ask(web: LodWeb, url: str, accept: str = ACCEPT) -> tuple[str, bool, int]:
    """Follow redirects; return the last URL, whether there is RDF, and the number of requests."""
    for requests in range(1, 6):
        answer = web.answer(Request(url=url, headers=(("Accept", accept),)))
        if not answer.redirects:
            document = read(answer.body, url, answer.header("content-type"))
            return url, answer.ok and document.strict, requests
        url = answer.header("location")
    raise AssertionError("redirected without end")


def test_what_is_said_to_have_rdf_has_it_and_nothing_else(web: LodWeb) -> None:
    wrong = []
    for url, place in web.plan.places.items():
        if place.profile == "alternate":
            continue  # its RDF is beside it
        if ask(web, url)[1] != web.relevant(url):
            wrong.append((place.profile, url))
    assert wrong == []


def test_every_way_to_publish_occurs(web: LodWeb) -> None:
    profiles = Counter(place.profile for place in web.plan.places.values())
    assert {"negotiated", "html+jsonld", "html+rdfa", "html", "missing"} <= set(profiles)
    with_rdf = len(web.things) / len(web.plan.places)
    assert 0.1 < with_rdf < 0.4


def test_a_picky_host_gives_html_to_who_names_it(web: LodWeb) -> None:
    places = [place for place in web.plan.places.values() if place.profile == "negotiated"]
    picky = [place for place in places if place.url.split("/")[2] in web.plan.picky]
    assert picky
    for place in picky[:20]:
        assert not ask(web, place.url, f"{ACCEPT}, text/html;q=0.1")[1]
        assert ask(web, place.url)[1]


def test_the_same_seed_makes_the_same_web_and_parts_do_not_overlap(shared: Path) -> None:
    folder = shared / "data/follow"
    one, same = (LodWeb(folder, seed=4, hosts=50, things=200) for _ in range(2))
    other = LodWeb(folder, seed=4, hosts=50, things=200, part="tune")
    assert one.plan.places == same.plan.places
    real = {thing for thing in one.plan.of_thing if not thing.startswith("page:")}
    assert real.isdisjoint(other.plan.of_thing)
