"""The final decision, and the quick one."""

import random
from collections import Counter
from itertools import product

import numpy as np
import pytest

from filon.core import Record
from filon.verbs.enrich.match import Labels, Matches, Prefilter, align
from unit.verbs.enrich.match.shelf import library, record

BOOKS = library()
#: The first 40 are in the catalogue; 20 are not, and the catalogue has 40 that are not here.
STRANGERS = library(140, seed=9)
CATALOGUE = [record(BOOKS, row) for row in range(40)] + [
    Record(id=f"s{row}", fields=record(STRANGERS, row).fields)
    for row in range(140)
    if STRANGERS["title"][row] not in BOOKS["title"]
]


def matched(
    columns: dict[str, list[str]],
    records: list[Record],
    labels: Labels | None = None,
    one_to_one: bool = False,
) -> Matches:
    said = {"title": "name", "authors": "creator", "year": "issued"}
    found = align(columns, records, {name: said[name] for name in columns})
    return Matches(columns, records, found, labels, one_to_one=one_to_one)


def fates(matches: Matches) -> Counter[str]:
    return Counter(match.fate for match in matches)


def test_rows_find_their_records_and_the_others_find_none() -> None:
    matches = matched(BOOKS, CATALOGUE)
    filled = {
        match.row: match.record.id for match in matches if match.fate == "matched" and match.record
    }
    assert filled == {row: f"r{row}" for row in range(40)}
    assert len(matches.rows) == 60


def test_the_evidence_stands_beside_the_row() -> None:
    match = matched(BOOKS, CATALOGUE).rows[0]
    assert match.score > 0.9
    assert match.evidence.startswith("title 0.")
    assert match.evidence.endswith("authors equal, year equal")


def test_the_order_of_the_records_does_not_matter() -> None:
    shuffled = list(CATALOGUE)
    random.Random(3).shuffle(shuffled)
    one, other = matched(BOOKS, CATALOGUE), matched(BOOKS, shuffled)
    assert [(m.fate, m.record and m.record.id) for m in one if m.fate == "matched"] == [
        (m.fate, m.record and m.record.id) for m in other if m.fate == "matched"
    ]


def test_the_same_record_twice_is_one() -> None:
    assert matched(BOOKS, CATALOGUE + CATALOGUE).rows == matched(BOOKS, CATALOGUE).rows


def test_equal_rows_share_a_record_unless_each_may_be_used_once() -> None:
    twice = {name: [*cells, cells[0]] for name, cells in BOOKS.items()}
    shared = matched(twice, CATALOGUE)
    assert shared.rows[0].record == shared.rows[60].record
    assert shared.rows[60].fate == "matched"
    once = matched(twice, CATALOGUE, one_to_one=True)
    assert [once.rows[0].fate, once.rows[60].fate] == ["matched", "below threshold"]


def test_two_different_records_that_fit_alike_are_ambiguous() -> None:
    books = {"title": BOOKS["title"], "authors": ["", *BOOKS["authors"][1:]], "year": BOOKS["year"]}
    rival = record(BOOKS, 0, creator="Zweig, Q.")
    rivals = [*CATALOGUE, Record(id="rival", fields=rival.fields)]
    match = matched(books, rivals).rows[0]
    assert match.fate == "ambiguous"
    assert {match.record.id if match.record else "", match.other} == {"r0", "rival"}


def test_a_copy_of_a_record_makes_nothing_ambiguous() -> None:
    copy = Record(id="copy", fields=record(BOOKS, 0).fields)
    match = matched(BOOKS, [*CATALOGUE, copy]).rows[0]
    assert match.fate == "matched"


def test_a_record_goes_to_the_row_that_it_fits_best() -> None:
    later = {name: list(cells) for name, cells in BOOKS.items()}
    later["title"].append(BOOKS["title"][0] + ", revisited")
    later["authors"].append("Z. Quine")
    later["year"].append("2019")
    matches = matched(later, CATALOGUE)
    assert matches.rows[0].fate == "matched"
    assert matches.rows[60].fate != "matched"


def test_what_a_person_said_holds() -> None:
    labels = {(0, "r0"): False, (1, "no such record"): True}
    matches = matched(BOOKS, CATALOGUE, labels)
    assert matches.rows[0].fate != "matched"
    assert matches.rows[1].fate == "matched"
    matches.decide({})
    assert matches.rows == matched(BOOKS, CATALOGUE).rows


@pytest.mark.parametrize(
    "records", [[], [Record(id="1", fields={"name": "", "creator": "", "issued": ""})]]
)
def test_nothing_matches_nothing(records: list[Record]) -> None:
    assert fates(matched(BOOKS, records)) == {"": 60}
    assert matched({name: [] for name in BOOKS}, CATALOGUE).rows == ()


def test_a_title_alone_is_enough() -> None:
    titles = {"title": [f"{title} {row}a" for row, title in enumerate(BOOKS["title"])]}
    exact = [
        Record(id=f"r{row}", fields={"name": title.upper()})
        for row, title in enumerate(titles["title"][:40])
    ]
    filled = [
        match for match in matched(titles, [*exact, *CATALOGUE[40:]]) if match.fate == "matched"
    ]
    assert len(filled) >= 30
    assert all(match.record and match.record.id == f"r{match.row}" for match in filled)


def test_a_few_names_are_enough_where_they_are_equal() -> None:
    names = ["Paris", "Lisbon", "Oslo", "Graz", "Turin", "Ghent", "Malmö", "Brno", "Porto", "Cork"]
    columns = {"city": names}
    records = [Record(id=name, fields={"name": name.upper()}) for name in [*names[:7], "Kiel"]]
    matches = Matches(columns, records, align(columns, records, {"city": "name"}))
    assert [match.fate for match in matches] == ["matched"] * 7 + [""] * 3


def test_a_few_names_are_enough_amid_many_that_are_like_them() -> None:
    """Each answer brings a hundred records, and a small table has few of them."""
    names = [
        f"{first} {last} v{n}"
        for first in ("River", "Hill")
        for last in ("atlas", "survey")
        for n in range(60)
    ]
    records = [Record(id=name, fields={"name": name}) for name in names]
    matches = matched({"title": names[::24]}, records)
    assert [match.record and match.record.id for match in matches] == names[::24]
    assert fates(matches) == {"matched": len(names[::24])}


def test_equal_rows_match_however_common_their_words_are() -> None:
    """Every word is in hundreds of rows: no rare one tells which rows to look at."""
    parts = [[f"{sign}{n}" for n in range(15)] for sign in ("red", "owl", "sea")]
    titles = [" ".join(words) for words in product(*parts)]
    columns = {"title": titles}
    records = [Record(id=title, fields={"title": title.title()}) for title in titles[::2]]
    alignment = align(columns, records, {"title": ""})
    matches = Matches(columns, records, alignment)
    found = [match.record.id if match.record else "" for match in matches if match.row % 2 == 0]
    assert found == titles[::2]
    assert all(match.fate == "matched" for match in matches if match.row % 2 == 0)
    quick = Prefilter(columns, alignment)
    assert all(2 * at in quick.rows(each) for at, each in enumerate(records))


def test_an_equal_row_that_a_person_denies_is_not_filled() -> None:
    columns = {"title": ["the owl", "the sea"]}
    records = [Record(id="1", fields={"name": "The Owl"})]
    assert matched(columns, records).rows[0].fate == "matched"
    assert matched(columns, records, {(0, "1"): False}).rows[0].fate != "matched"


def test_equal_numbers_alone_match_only_where_no_other_is_equal() -> None:
    columns = {"year": ["1968", "1972", "1980"]}
    records = [Record(id=str(n), fields={"issued": year}) for n, year in enumerate(("1968",) * 2)]
    records.append(Record(id="2", fields={"issued": "1980"}))
    assert [match.fate for match in matched(columns, records)] == ["below threshold", "", "matched"]


def test_a_code_is_found_in_the_text_of_the_other_side() -> None:
    dice = random.Random(1)
    codes = [
        f"{dice.choice('KLMN')}{dice.choice('XYZ')}{dice.randrange(1000, 9999)}" for _ in range(80)
    ]
    goods = ["lamp", "chair", "radio", "kettle"]
    columns = {"product": [f"{goods[i % 4]} number {i}" for i in range(80)], "model": codes}
    records = [
        Record(id=str(i), fields={"product": f"{goods[i % 4]} {codes[i].lower()}", "model": ""})
        for i in range(80)
    ]
    matches = Matches(columns, records, align(columns, records, {"product": "", "model": "model"}))
    right = sum(match.record is not None and match.record.id == str(match.row) for match in matches)
    assert right >= 70


def test_other_scripts_match_too() -> None:
    titles = [
        "数据库系统概论",
        "红楼梦研究",
        "Война и мир",
        "Преступление и наказание",
        "ระบบฐานข้อมูล",
    ]
    years = ["1999", "2001", "1869", "1866", "2010"]
    columns = {"title": titles, "year": years}
    records = [
        Record(id=str(i), fields={"title": title + " ", "year": year})
        for i, (title, year) in enumerate(zip(titles, years, strict=True))
    ]
    quick = Prefilter(columns, align(columns, records, {}))
    assert [list(quick.rows(each)) for each in records] == [[0], [1], [2], [3], [4]]


def test_the_quick_decision_knows_the_rows_and_no_strangers() -> None:
    said = {"title": "name", "authors": "creator", "year": "issued"}
    quick = Prefilter(BOOKS, align(BOOKS, [], said))
    found = {each.id: list(quick.rows(each)) for each in CATALOGUE}
    assert all(found[f"r{row}"] == [row] for row in range(40))
    assert sum(bool(rows) for record, rows in found.items() if record[0] == "s") <= 5


def test_the_probability_never_falls_when_a_field_gets_more_alike() -> None:
    scorer = matched(BOOKS, CATALOGUE).scorer
    steps = np.linspace(0, 1, 50)
    for field in range(3):
        table = np.full((50, 3), 0.5)
        table[:, field] = steps
        assert (np.diff(scorer.logits(table)) >= -1e-12).all()


def test_namesakes_are_told_apart_by_when_they_were_born() -> None:
    dice = random.Random(4)
    given, family = ("Kurt", "Anna", "Uwe", "Olaf"), ("Weber", "Wolf", "Lang", "Vogt")
    people = [
        (dice.choice(given), dice.choice(family), dice.randrange(1930, 2000), dice.randrange(1, 32))
        for _ in range(400)
    ]
    columns = {
        name: [str(person[at]) for person in people]
        for at, name in enumerate(("first", "last", "born", "day"))
    }
    records = [  # every family name has a letter too many
        Record(
            id=str(row),
            fields=dict(zip(columns, (a, f"{b[0]}x{b[1:]}", str(c), str(d)), strict=True)),
        )
        for row, (a, b, c, d) in enumerate(people)
    ]
    matches = Matches(columns, records, align(columns, records, {name: name for name in columns}))
    found = [(match.record, str(match.row)) for match in matches]
    right = sum(record is not None and record.id == row for record, row in found)
    assert right > 380
