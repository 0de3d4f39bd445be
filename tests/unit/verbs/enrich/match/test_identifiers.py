"""Identifiers in any spelling, and tables that have nothing else."""

import random

import pytest

from filon.core import Record
from filon.verbs.enrich.match import Matches, Prefilter, align
from filon.verbs.enrich.match.identifiers import identifiers
from filon.verbs.enrich.match.kinds import guess, normalise
from filon.verbs.enrich.match.similarity import code_similarity


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0306406152", "9780306406157"),
        ("0-306-40615-2", "978-0-306-40615-7"),
        ("ISBN 0306406152 (pbk.)", "ISBN-13: 978 0 306 40615 7"),
        ("306406152", "0306406152"),
        ("080442957X", "080442957x"),
        ("9780306406157.0", "9780306406157"),
        ("10.1000/ABC.182", "https://doi.org/10.1000/abc.182"),
        ("doi: 10.1000/182", "http://dx.doi.org/10.1000%2F182"),
        ("PMID: 31452104", "https://pubmed.ncbi.nlm.nih.gov/31452104"),
        ("012345678905", "0012345678905"),
        ("512.0", "512"),
        ("https://www.wikidata.org/wiki/Q42", "q42"),
    ],
)
def test_spellings_of_one_identifier_fall_together(one: str, other: str) -> None:
    assert normalise("code", one) == normalise("code", other) is not None


@pytest.mark.parametrize(
    "text", ["2019-03-12", "1 234 567 890", "12.50", "1968", "a book of 31452104 pages", "", "; ;"]
)
def test_what_is_no_identifier_is_not_taken_for_one(text: str) -> None:
    assert identifiers(text) == ()


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("", ["9780306406157", "9780140328721"], "code"),
        ("", ["0306406152", "080442957X", "0140328726"], "code"),
        ("", ["31452104", "7654321"], "code"),
        ("pmid", ["1", "512", "77"], "code"),
        ("", ["9780140328721; 0140328726", "9780306406157"], "code"),
        ("population", ["12500000", "8400000", "3200000"], "number"),
        ("price", ["12.50", "8"], "number"),
        ("year", ["1968", "1972"], "date"),
    ],
)
def test_long_digits_are_codes_and_measures_are_not(
    name: str, values: list[str], kind: str
) -> None:
    assert guess(values, name) == kind


def test_another_identifier_is_another_thing_however_alike() -> None:
    assert code_similarity("9780306406157", "9780306406158") == 0.0
    assert code_similarity("9780306406157", "31452104 9780306406157") == 1.0
    assert code_similarity("dcs1100", "dcs1100l") > 0.7


def numbers(count: int, seed: int = 0) -> list[str]:
    dice = random.Random(seed)
    return [f"978{number}" for number in dice.sample(range(10**9, 10**10), count)]


def test_every_row_with_nothing_but_an_isbn_is_filled() -> None:
    isbn = numbers(400)
    records = [
        Record(id=str(at), fields={"isbn": f"{each[:3]}-{each[3:]}"})
        for at, each in enumerate([*isbn[:399], *numbers(300, seed=1)])
    ]
    columns = {"isbn": isbn}
    alignment = align(columns, records, {"isbn": ""})
    matches = Matches(columns, records, alignment)
    assert [match.fate for match in matches] == ["matched"] * 399 + [""]
    assert all(match.record and match.record.id == str(match.row) for match in matches.rows[:399])
    quick = Prefilter(columns, align(columns, [], {"isbn": ""}, ["isbn"]))
    assert [list(quick.rows(record)) for record in records[:399]] == [[row] for row in range(399)]


def test_the_same_identifier_outweighs_titles_that_differ() -> None:
    pmid = [number[3:11] for number in numbers(60)]
    columns = {"title": [f"a study of {n} owls" for n in range(60)], "pmid": pmid}
    records = [
        Record(id=str(at), fields={"title": f"Étude {at}: les hiboux, suite", "pmid": each})
        for at, each in enumerate(pmid)
    ]
    matches = Matches(columns, records, align(columns, records, {"title": "", "pmid": ""}))
    assert [match.record and match.record.id for match in matches] == [str(n) for n in range(60)]
    assert all(match.fate == "matched" for match in matches)


def test_a_record_with_many_identifiers_is_found_by_each() -> None:
    isbn = numbers(50)
    records = [
        Record(id=str(at), fields={"isbn": f"{isbn[at]}; {isbn[at + 25]}"}) for at in range(25)
    ]
    columns = {"isbn": isbn}
    matches = Matches(columns, records, align(columns, records, {"isbn": ""}))
    assert [match.record and match.record.id for match in matches] == [
        str(at % 25) for at in range(50)
    ]
