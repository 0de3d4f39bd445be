"""The Linked Data of the small web says what it claims to say, in every syntax."""

from filon.demo.linked import SEED, SITES, truth
from filon.demo.sites import answer
from filon.verbs.follow.rdf.document import Document
from filon.verbs.follow.rdf.reader import read
from filon.verbs.follow.rdf.syntaxes import ACCEPT


def document(url: str, accept: str = ACCEPT) -> Document:
    found = answer(url, accept)
    assert found.status == 200, url
    return read(found.body, url, found.header("content-type"))


def test_every_document_holds_as_many_triples_as_is_claimed() -> None:
    read_back = {url: len(document(url).triples) for url in truth()}
    assert read_back == truth()
    assert all(document(url).strict for url in truth())


def test_it_is_written_in_many_ways() -> None:
    syntaxes = {syntax for url in truth() for syntax in document(url).syntaxes}
    assert syntaxes == {"turtle", "rdfxml", "jsonld", "rdfa"}
    types = {answer(url, ACCEPT).header("content-type").partition(";")[0] for url in truth()}
    assert types == {"text/turtle", "text/html", "text/plain", "application/rdf+xml"}


def test_a_thing_sends_machines_to_data_and_people_to_a_page() -> None:
    machine, person = answer(SEED, ACCEPT), answer(SEED, "text/html,*/*;q=0.5")
    assert (machine.status, person.status) == (303, 303)
    assert machine.header("location").endswith(".ttl")
    page = answer(f"http://data.statistics.test{person.header('location')}")
    assert page.status == 200
    assert not read(page.body, SEED, "text/html").any


def test_all_of_it_is_reached_from_the_seed_and_much_is_mentioned_in_vain() -> None:
    seen, waiting = set(), [SEED]
    useful, vain = set(), set()
    while waiting:
        url = waiting.pop()
        if url in seen:
            continue
        seen.add(url)
        found = answer(url, ACCEPT)
        if found.status == 303:
            waiting.append(f"http://{url.split('/')[2]}{found.header('location')}")
            continue
        said = read(found.body, url, found.header("content-type"))
        if found.status != 200 or not said.strict:
            vain.add(url)
            continue
        useful.add(url)
        for triple in said.triples:
            for term in (triple.subject, triple.object):
                if str(term).startswith("<http") and "w3.org" not in str(term):
                    waiting.append(str(term).strip("<>").partition("#")[0])
    assert useful == set(truth())
    assert len(vain) > len(useful)
    assert {url.split("/")[2] for url in useful} == set(SITES)


def test_a_name_of_thousands_of_digits_is_nobodys() -> None:
    assert answer(f"http://people.test/card/{'9' * 5_000}").status == 404
