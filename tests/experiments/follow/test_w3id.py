"""The rules of w3id.org answer as they were recorded, and a learnt Accept pays on them."""

import asyncio
import random
from pathlib import Path

import pytest

from experiments.follow.accepts import best, first_hop, fixed, learnt, of_part, to_the_end
from experiments.follow.w3id import Rules, W3idWeb
from filon.verbs.follow.strategies import Brief, build
from filon.verbs.follow.strategies.negotiation import VARIANTS


@pytest.fixture(scope="module")
def web(shared: Path) -> W3idWeb:
    return W3idWeb(shared / "data" / "follow")


def test_every_recorded_answer_is_given_and_leads_to_the_same_document(web: W3idWeb) -> None:
    assert len(web.answers) == 4_429
    for uri, each in web.answers.items():
        for accept, (code, target, document) in zip(web.accepts.values(), each, strict=True):
            assert web.rules.resolve(uri, accept) == (code, target)
            assert web.end(uri, accept) is (web.pages[document] if document else None)


def test_a_learnt_header_brings_more_than_the_usual_one_and_nearly_the_best(web: W3idWeb) -> None:
    uris = [uri for uri in web.answers if of_part(uri, "report")]
    usual = fixed(web, uris, VARIANTS["rdf"], first_hop).hits
    most = best(web, uris, first_hop).hits
    for seed in range(3):
        assert learnt(web, uris, seed, first_hop).hits > usual + 0.4 * (most - usual)


def test_a_learnt_header_ends_in_more_documents_with_rdf(web: W3idWeb) -> None:
    uris = [uri for uri in web.reachable if of_part(uri, "report")]
    usual = fixed(web, uris, VARIANTS["rdf"], to_the_end)
    known = learnt(web, uris, 0, to_the_end)
    assert known.hits > usual.hits
    assert known.per_request > usual.per_request


def test_rules_are_read_as_apache_does() -> None:
    rules = Rules(
        {
            "a": [
                {
                    "path": "^x/(.*)$",
                    "target": r"http://t/$1\%20%1",
                    "code": 303,
                    "accept": [["(turtle)"]],
                },
                {
                    "path": "!^y",
                    "target": "http://t%{REQUEST_URI}",
                    "code": 302,
                    "other": [["QUERY_STRING ^$"]],
                },
                {"path": "", "target": None, "code": 406},
            ],
            "a/b": [{"path": "^$", "target": "http://b/", "code": 301}],
        }
    )
    assert rules.resolve("https://w3id.org/a/x/1", "text/turtle") == (303, "http://t/1%20turtle")
    assert rules.resolve("https://w3id.org/a/x/1", "text/html") == (302, "http://t/a/x/1")
    assert rules.resolve("https://w3id.org/a/y", "text/html") == (406, None)
    assert rules.resolve("https://w3id.org/a/b", "*/*") == (301, "http://b/")
    assert rules.resolve("https://w3id.org/a/b/c", "*/*") == (404, None)
    assert rules.resolve("https://w3id.org/none", "*/*") == (404, None)


@pytest.mark.parametrize("name", ["bfs", "lode"])
def test_terms_of_a_vocabulary_that_was_read_are_not_asked_for_one_by_one(
    web: W3idWeb, name: str
) -> None:
    seeds = tuple(random.Random(1).sample(web.reachable, 40))
    found: dict[bool, set[str]] = {False: set(), True: set()}
    requests = {False: 0, True: 0}
    for shortcuts in (False, True):
        one = build(name, Brief(seeds=seeds, shortcuts=shortcuts))
        while (step := one.propose()) and requests[shortcuts] < 3_000:
            requests[shortcuts] += 1
            answer = asyncio.run(web.fetch(step.request))
            # Without its ending: another Accept header brings another syntax of the same.
            found[shortcuts] |= {find.url.rpartition(".")[0] for find in one.observe(step, answer)}
    assert found[True] >= found[False] > set()
    assert requests[True] < 0.6 * requests[False]
