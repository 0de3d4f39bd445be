"""Webs that differ from the usual ones: their truth, and that strategies can follow them."""

import json
from pathlib import Path

import pytest

from experiments.follow.registry import RegistryWeb
from experiments.follow.seeds import Remembering
from experiments.follow.slow import course as in_time
from experiments.follow.variants import VARIANTS, VariantWeb, course
from filon.core import Request
from filon.verbs.follow.rdf.reader import read
from filon.verbs.follow.rdf.syntaxes import ACCEPT


def rdf(web: VariantWeb, url: str) -> str:
    """Follow redirects; return the last URL if there is RDF, else ""."""
    for _ in range(4):
        answer = web.answer(Request(url=url, headers=(("Accept", ACCEPT),)))
        if not answer.redirects:
            strict = read(answer.body, url, answer.header("content-type")).strict
            return url if answer.ok and strict else ""
        url = answer.header("location")
    raise AssertionError("redirected without end")


@pytest.mark.parametrize("name", ["elsewhere", "hash", "liars"])
def test_a_variant_has_rdf_where_it_says_so(shared: Path, name: str) -> None:
    web = VariantWeb(shared / "data/follow", VARIANTS[name], 1, things=120)
    told = {url: web.plan.has_rdf(place) for url, place in web.plan.places.items()}
    assert 0 < sum(told.values()) < len(told)
    # A page that names its RDF has none itself, and a thing without triples has nothing to say.
    for url, place in web.plan.places.items():
        if place.profile not in ("alternate", "negotiated"):
            assert bool(rdf(web, url)) == told[url], place


def test_documents_elsewhere_stand_on_another_host(shared: Path) -> None:
    web = VariantWeb(shared / "data/follow", VARIANTS["elsewhere"], 1, things=120)
    first = next(p.url for p in web.plan.places.values() if p.profile == "elsewhere")
    last = rdf(web, first)
    assert last.split("/")[2] != first.split("/")[2]
    assert web.thing(last) == web.thing(first)


def test_bfs_and_lode_reach_the_same_of_a_variant(shared: Path) -> None:
    web = Remembering(VariantWeb(shared / "data/follow", VARIANTS["one-folder"], 2, things=150))
    whole = course("bfs", web, 2)
    assert len(course("lode", web, 2)) == len(whole) > 20


def test_a_slow_web_takes_the_same_time_each_time(shared: Path) -> None:
    web = VariantWeb(shared / "data/follow", VARIANTS["few-hosts"], 3, things=60)
    once, again = in_time("bfs", web, 3), in_time("bfs", web, 3)
    assert once == again
    assert once[-1] > 10 * 1.0


def test_a_web_of_a_registry_has_its_names(shared: Path, tmp_path: Path) -> None:
    resources = {
        "one": {"uri_format": "http://one.example/id/$1", "example": "17", "lov": {}},
        "two": {"uri_format": "http://two.example/$1", "homepage": "http://two.example/"},
        "three": {
            "uri_format": "https://bad host/$1",
            "download_owl": "http://three.example/t.owl",
        },
    }
    (tmp_path / "registry.json").write_text(json.dumps(resources), "utf-8")
    web = RegistryWeb(shared / "data/follow", tmp_path / "registry.json", 1)
    alive = {url for url, place in web.plan.places.items() if web.plan.has_rdf(place)}
    assert "http://one.example/id/17" in alive
    assert {"http://two.example/", "http://two.example/0000001"} <= web.plan.places.keys() - alive
    assert not any("bad" in url for url in web.plan.places)
