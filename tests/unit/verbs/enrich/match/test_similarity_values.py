"""Words, kinds of columns and how alike values are."""

import math

import numpy as np
import pytest

from filon.verbs.enrich.match.kinds import Person, Text, guess, normalise, people, words
from filon.verbs.enrich.match.similarity import Rarity, similarities


def alike(kind: str, a: str, b: str, table: tuple[str, ...] = ()) -> float:
    texts = [normalise("text", text) for text in (*table, a, b)]
    rarity = Rarity([text for text in texts if isinstance(text, Text)])
    return float(similarities(kind, [(normalise(kind, a), normalise(kind, b))], rarity)[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Crème Brûlée", ["creme", "brulee"]),
        ("Łódź, Øresund", ["lodz", "oresund"]),
        ("한국어 정보", ["한국어", "정보"]),
        ("がくせい", ["がく", "くせ", "せい"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("ΣΊΣΥΦΟΣ", ["σισυφοσ"]),
        ("", []),
    ],
)
def test_words_are_bare_in_every_script(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1999", "2004", "1987"], "date"),
        (["2020-05-01", "1.12.2019", "2003/7/9"], "date"),
        (["2020-05-01T10:30:00Z", "2003-07-09 12:00"], "date"),
        (["1998 Malaysian Super Cup", "2014-15 winter season", "2003 in music"], "text"),
        (["$1,299.00", "12,50 €", "7"], "number"),
        (["10.1145/3318464", "10.14778/34", "10.1/x9"], "code"),
        (["978-3-16-148410-0", "0-306-40615-2"], "code"),
        (["A. Codd, J. Gray", "M. Ng & K. Ito", "P. Chen"], "names"),
        (["The art of war", "On the road, again", "War and peace"], "text"),
        (["", " "], "text"),
    ],
)
def test_the_kind_of_a_column_shows_in_its_values(values: list[str], kind: str) -> None:
    assert guess(values) == kind


def test_single_names_are_told_by_the_column() -> None:
    assert guess(["Jane Campion", "Agnès Varda"], "director") == "names"


@pytest.mark.parametrize(
    "text",
    [
        "Edgar F. Codd and Jim Gray",
        "Codd, Edgar F.; Gray, Jim",
        "E F Codd , J Gray",
        "Codd, E. F., Gray, J.",
        "Codd E F & Gray J, et al.",
    ],
)
def test_people_are_the_same_however_they_are_written(text: str) -> None:
    assert people(text) == (Person("codd", "ef"), Person("gray", "j"))


def test_a_missing_value_is_no_evidence() -> None:
    assert all(math.isnan(alike(kind, "", "x 1")) for kind in ("text", "names", "code", "date"))


@pytest.mark.parametrize(
    ("kind", "near", "far"),
    [
        ("text", ("query optimisation", "query optimization"), ("query optimisation", "cooking")),
        ("text", ("数据库系统概论", "数据库系统导论"), ("数据库系统概论", "红楼梦研究")),
        ("names", ("E Codd, J Gray", "J. Gray"), ("E Codd, J Gray", "K Gray")),
        ("number", ("100", "101"), ("100", "200")),
        ("date", ("1999", "2000"), ("1999", "2009")),
        ("date", ("2001-03-04", "2001"), ("2001-03-04", "2001-05-04")),
        ("code", ("DCS-1100", "dcs1100/b"), ("DCS-1100", "DCS-1200")),
    ],
)
def test_what_is_nearer_is_more_alike(
    kind: str, near: tuple[str, str], far: tuple[str, str]
) -> None:
    close, apart = alike(kind, *near), alike(kind, *far)
    assert 0 <= apart < close <= 1


def test_a_rare_word_tells_more_than_a_common_one() -> None:
    pair = ("guide for zymurgy", "story about zymurgy")
    rare = alike("text", *pair, tuple(f"guide story number{i}" for i in range(50)))
    common = alike("text", *pair, tuple(f"zymurgy number{i}" for i in range(50)))
    assert rare > common + 0.1


def test_similarities_are_the_same_either_way_round() -> None:
    pairs = [("a tale of two cities", "two cities"), ("x", "y z"), ("one", "one")]
    there = [alike("text", a, b) for a, b in pairs]
    assert np.allclose(there, [alike("text", b, a) for a, b in pairs])
