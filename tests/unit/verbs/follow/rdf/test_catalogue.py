"""Dumps, endpoints and entries that a graph names."""

import pytest

from filon.verbs.follow.rdf.catalogue import Catalogue, catalogue, is_rdf, names_rdf
from filon.verbs.follow.rdf.reader import read

PREFIXES = (
    "@prefix void: <http://rdfs.org/ns/void#> . @prefix dcat: <http://www.w3.org/ns/dcat#> . "
    "@prefix dct: <http://purl.org/dc/terms/> . "
    "@prefix sd: <http://www.w3.org/ns/sparql-service-description#> . "
)


def listed(turtle: str) -> Catalogue:
    document = read((PREFIXES + turtle).encode(), "http://a.example/void", "text/turtle")
    assert not document.broken
    return catalogue(document.triples)


def test_void_names_dumps_with_their_prefix_and_prefers_them_to_the_endpoint() -> None:
    found = listed(
        "<#d> void:dataDump </1.nt.gz>, </2.nt.gz> ; void:uriSpace 'http://a.example/id/' ; "
        "void:sparqlEndpoint </sparql> ; void:exampleResource </id/1> ; void:rootResource </id/0> ."
    )
    space = ("http://a.example/id/",)
    assert found.dumps == {"http://a.example/1.nt.gz": space, "http://a.example/2.nt.gz": space}
    assert found.endpoints == {}
    assert set(found.fallbacks.values()) == {"http://a.example/sparql"}
    assert found.entries == ["http://a.example/id/1", "http://a.example/id/0"]


def test_void_without_a_dump_names_the_endpoint() -> None:
    found = listed("<#d> void:sparqlEndpoint </sparql> ; void:uriSpace 'http://a.example/id/' .")
    assert found.endpoints == {"http://a.example/sparql": ("http://a.example/id/",)}


def test_dcat_names_files_of_rdf_types_only() -> None:
    found = listed(
        "<#1> dcat:downloadURL </1> ; dcat:mediaType "
        "<https://www.iana.org/assignments/media-types/text/turtle> . "
        "<#2> dcat:accessURL </2> ; dct:format "
        "<http://publications.europa.eu/resource/authority/file-type/RDF_XML> . "
        "<#3> dcat:downloadURL </3.nt> . <#4> dcat:downloadURL </4> ; dcat:mediaType 'text/csv' . "
        "<#5> dcat:endpointURL </5/sparql> . <#6> dcat:endpointURL </6/wfs> ."
    )
    names = ["http://a.example/1", "http://a.example/2", "http://a.example/3.nt"]
    assert list(found.dumps) == names
    assert list(found.endpoints) == ["http://a.example/5/sparql"]


@pytest.mark.parametrize("turtle", ["[] a sd:Service ; sd:endpoint </s> .", "</s> a sd:Service ."])
def test_a_service_description_names_its_endpoint(turtle: str) -> None:
    found = listed(turtle)
    assert list(found.endpoints) == ["http://a.example/s"] == list(found.described)


def test_what_is_no_web_address_is_no_dump() -> None:
    assert listed("<#d> void:dataDump <urn:x>, 'words' ; void:sparqlEndpoint _:b .") == Catalogue()


@pytest.mark.parametrize("word", ["RDF", "ttl", "N-Triples", "text/turtle", "JSON-LD", "RDF/XML"])
def test_words_for_rdf_are_known(word: str) -> None:
    assert is_rdf(word)


@pytest.mark.parametrize("word", ["", "CSV", "html", "text/html", "XML", "JSON", "zip"])
def test_other_words_are_not_rdf(word: str) -> None:
    assert not is_rdf(word)


def test_names_of_packed_files_tell_what_is_within() -> None:
    assert names_rdf("http://a.example/x.nq.bz2")
    assert not names_rdf("http://a.example/x.csv.gz")
