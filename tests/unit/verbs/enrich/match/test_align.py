"""Columns and fields that hold the same thing find each other."""

import pytest

from filon.core import Record
from filon.core.errors import UserError
from filon.verbs.enrich.match import align

COLUMNS = {
    "id": ["1", "2", "3"],
    "title": ["The Sea", "Of Mice and Men", "Emma"],
    "authors": ["J Banville", "J Steinbeck", "J Austen"],
    "year": ["2005", "1937", "1815"],
    "shelf": ["north wing", "cellar room", "attic"],
}
RECORDS = [
    Record(
        id="a",
        fields={"id": "1", "name": "Emma", "creator": "Austen, Jane", "issued": "1815-12-23"},
    ),
    Record(
        id="b",
        fields={"id": "2", "name": "Sea", "creator": "Banville, John", "where": "north wing"},
    ),
]


def pairs(said: dict[str, str], records: list[Record] = RECORDS) -> dict[str, tuple[str, str]]:
    found = align(COLUMNS, records, said).pairings
    return {pairing.column: (pairing.field, pairing.kind) for pairing in found}


def test_other_names_of_the_same_thing_are_known() -> None:
    found = pairs({})
    assert found["title"] == ("name", "text")
    assert found["authors"] == ("creator", "names")
    assert found["year"] == ("issued", "date")


def test_content_pairs_what_names_do_not() -> None:
    assert pairs({})["shelf"] == ("where", "text")


def test_the_numbers_by_which_tables_count_rows_are_not_compared() -> None:
    assert "id" not in pairs({})
    assert pairs({"id": "id"})["id"][0] == "id"


def test_only_what_the_user_names_is_compared() -> None:
    assert pairs({"title": "where"}) == {"title": ("where", "text")}


def test_names_are_enough_before_any_record_has_come() -> None:
    found = align(COLUMNS, [], {"title": ""}, fields=["name", "doi"]).pairings
    assert [(pairing.column, pairing.field, pairing.kind) for pairing in found] == [
        ("title", "name", "text")
    ]


def test_the_evidence_is_told() -> None:
    told = [
        str(pairing) for pairing in align(COLUMNS, RECORDS, {"title": "name", "year": ""}).pairings
    ]
    assert told[0] == "title = name (text; as told)"
    assert told[1].startswith("year = issued (date; name 0.80")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"titel": ""}, "the table has no column 'titel'; did you mean 'title'?"),
        ({"title": "nmae"}, "the source has no field 'nmae'; did you mean 'name'?"),
        ({"shelf": "", "title": "where"}, "no field of the source looks like the column 'shelf'"),
    ],
)
def test_a_name_that_is_not_there_is_told(said: dict[str, str], words: str) -> None:
    with pytest.raises(UserError) as caught:
        align(COLUMNS, RECORDS, said)
    assert words in str(caught.value)


def test_tables_without_anything_in_common_are_told() -> None:
    with pytest.raises(UserError, match="no column of the table looks like"):
        align({"colour": ["red"]}, [Record(id="1", fields={"altitude": "812"})], {})
