from typing import Any

import pytest

from filon.core import Record
from filon.verbs.enrich.reconciler import NEW, Reconciler, question

RECORDS = [
    Record(
        id=str(number),
        url=f"http://books.example/{number}",
        fields={"title": title, "author": author, "year": year},
    )
    for number, (title, author, year) in enumerate(
        [
            ("The Art of War", "Sun Tzu", "1910"),
            ("The Art of War", "Machiavelli, Niccolò", "1521"),
            ("War and Peace", "Tolstoy, Leo", "1869"),
            ("Ästhetik des Widerstands", "Weiss, Peter; Someone, Else", "1975"),
            ("日本書紀", "", ""),
        ]
    )
]
SERVICE = Reconciler(RECORDS, title="Books", name_field="title", space="http://books.example/")


def candidates(query: Any) -> list[dict[str, Any]]:
    return SERVICE.candidates(question(query))


def test_the_best_candidate_comes_first_with_a_score_and_is_a_match_when_it_stands_out() -> None:
    best = candidates({"query": "war & peace"})[0]
    assert (best["id"], best["name"]) == ("2", "War and Peace")
    assert candidates({"query": "War and Peace"})[0]["match"] is True


def test_two_records_of_one_name_are_no_match_until_a_property_tells_them_apart() -> None:
    assert [one["match"] for one in candidates({"query": "The Art of War"})[:2]] == [False, False]
    query = {
        "query": "The Art of War",
        "properties": [{"pid": "author", "v": "Niccolo Machiavelli"}],
    }
    best = candidates(query)[0]
    assert (best["id"], best["match"]) == ("1", True)
    assert {feature["id"] for feature in best["features"]} == {"title", "author"}


def test_accents_and_misspellings_do_not_hide_a_record() -> None:
    assert candidates({"query": "asthetik des widerstands"})[0]["id"] == "3"
    assert candidates({"query": "Warr andd Peacce"})[0]["id"] == "2"
    assert candidates({"query": "日本書記"})[0]["id"] == "4"


def test_the_limit_of_a_query_is_kept_and_nonsense_limits_are_ignored() -> None:
    assert len(candidates({"query": "war", "limit": 1})) == 1
    assert len(candidates({"query": "war", "limit": -3})) == 3


def test_the_value_of_a_property_is_no_id_of_a_record() -> None:
    by_year = {
        "conditions": [{"matchType": "property", "propertyId": "year", "propertyValue": "4"}]
    }
    for query in ({"properties": [{"pid": "year", "v": "4"}]}, by_year):
        assert not any(one["match"] or one["id"] == "4" for one in candidates(query))
    assert candidates({"query": "4"})[0]["score"] == 100


def test_a_query_without_a_name_goes_by_its_properties() -> None:
    assert candidates({"properties": [{"pid": "title", "v": "War and Peace"}]})[0]["id"] == "2"


def test_an_id_as_a_query_finds_its_record() -> None:
    assert candidates({"query": "3"})[0] | {"features": []} == {
        "id": "3",
        "name": "Ästhetik des Widerstands",
        "description": "Weiss, Peter; Someone, Else · 1975",
        "type": [{"id": "record", "name": "Record"}],
        "score": 100.0,
        "match": True,
        "features": [],
    }


def test_a_data_extension_returns_every_value_of_a_field_and_none_where_there_is_none() -> None:
    wanted = {"ids": ["3", "4", "unheard"], "properties": [{"id": "author"}, {"id": "year"}]}
    answer = SERVICE.extend(wanted)
    assert answer["meta"] == [{"id": "author", "name": "author"}, {"id": "year", "name": "year"}]
    assert answer["rows"] == {
        "3": {
            "author": [{"str": "Weiss, Peter"}, {"str": "Someone, Else"}],
            "year": [{"str": "1975"}],
        },
        "4": {"author": [], "year": []},
        "unheard": {"author": [], "year": []},
    }


def test_the_manifest_names_version_spaces_and_where_properties_are_proposed() -> None:
    manifest = SERVICE.manifest("http://127.0.0.1:9")
    assert manifest["versions"] == ["0.2"]
    assert manifest["identifierSpace"] == "http://books.example/"
    assert "{{id}}" in manifest["view"]["url"]
    place = manifest["extend"]["propose_properties"]
    assert place == {"service_url": "http://127.0.0.1:9", "service_path": "/properties"}
    assert [one["id"] for one in SERVICE.properties()["properties"]] == ["title", "author", "year"]


def test_suggestions_complete_entities_and_properties() -> None:
    names = [one["name"] for one in SERVICE.suggest("entity", "war")["result"]]
    assert names == ["War and Peace", "The Art of War", "The Art of War"]
    assert SERVICE.suggest("property", "aut")["result"] == [{"id": "author", "name": "author"}]
    assert SERVICE.suggest("entity", "war", cursor=3)["result"] == []


def condition(kind: str, value: Any, **more: Any) -> dict[str, Any]:
    return {"matchType": kind, "propertyValue": value, **more}


def test_a_query_of_the_draft_says_the_same_in_conditions() -> None:
    old = {"query": "The Art of War", "properties": [{"pid": "author", "v": "Sun Tzu"}]}
    author = condition("property", "Sun Tzu", propertyId="author")
    assert candidates({"conditions": [condition("name", "The Art of War"), author]}) == (
        candidates(old)
    )
    first_draft = {"matchType": "property", "pid": "author", "v": "Sun Tzu"}
    assert candidates({"conditions": [condition("name", "The Art of War"), first_draft]}) == (
        candidates(old)
    )


def test_what_is_required_keeps_other_records_out() -> None:
    year = condition("property", ["1521", "1522"], propertyId="year", required=True)
    found = candidates({"conditions": [condition("name", "Art of War"), year]})
    assert [one["id"] for one in found] == ["1"]
    not_so = year | {"matchQuantifier": "none"}
    found = candidates({"conditions": [condition("name", "Art of War"), not_so]})
    assert "1" not in [one["id"] for one in found]
    assert found[0]["id"] == "0"


@pytest.mark.parametrize(
    "wrong",
    [
        {"matchType": "colour", "propertyValue": "red"},
        {"matchType": "property", "propertyValue": "red"},
        {"matchType": "name"},
        {"matchType": "name", "propertyValue": "x", "matchQuantifier": "most"},
        "name",
    ],
)
def test_a_condition_that_is_none_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"expected|condition"):
        question({"conditions": [wrong]})


def test_the_draft_lists_the_values_of_a_data_extension() -> None:
    answer = SERVICE.extend({"ids": ["4"], "properties": [{"id": "title"}]}, NEW)
    values = [{"id": "title", "values": [{"str": "日本書紀"}]}]
    assert answer["rows"] == [{"id": "4", "properties": values}]


def test_namesakes_are_told_apart_by_a_description() -> None:
    told = [one["description"] for one in SERVICE.suggest("entity", "the art")["result"]]
    assert sorted(told) == ["Machiavelli, Niccolò · 1521", "Sun Tzu · 1910"]


def test_a_description_is_one_line() -> None:
    record = Record(id="1", url="", fields={"title": "x", "note": "two\n\tlines"})
    assert SERVICE.description(record) == "two lines"


def test_records_that_come_later_are_found_too() -> None:
    service = Reconciler([], title="Books", name_field="title", space="http://books.example/")
    assert service.candidates(question("War and Peace")) == []
    service.hold(RECORDS)
    assert service.candidates(question("War and Peace"))[0]["id"] == "2"
    assert service.suggest("property", "yea")["result"] == [{"id": "year", "name": "year"}]
