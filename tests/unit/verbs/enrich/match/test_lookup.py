"""A record by its name and facts, whatever was asked before."""

import pytest

from filon.core import Record
from filon.verbs.enrich.match.lookup import Fact, Lookup

FILMS = [
    Record(id=str(n), fields={"title": title, "year": year, "by": by})
    for n, (title, year, by) in enumerate(
        [
            ("The Matrix", "1999", "Wachowski, Lana"),
            ("Matrix Reloaded", "2003", "Wachowski, Lana"),
            ("Heat", "1995", "Mann, Michael"),
            ("Heat", "1986", "Richards, Dick"),
            ("", "", ""),
        ]
    )
]


def name(*titles: str) -> Fact:
    return Fact(field="title", values=titles)


@pytest.fixture(scope="module")
def films() -> Lookup:
    return Lookup(FILMS, "title")


def ids(films: Lookup, *facts: Fact) -> list[str]:
    return [near.record.id for near in films.near(facts)]


def test_articles_and_brackets_do_not_matter(films: Lookup) -> None:
    first, second = films.near([name("Matrix, The (1999)")])
    assert (first.record.id, first.sure) == ("0", True)
    assert not second.sure


def test_namesakes_are_not_sure_until_a_fact_tells_them_apart(films: Lookup) -> None:
    assert [near.sure for near in films.near([name("Heat")])[:2]] == [False, False]
    best = films.near([name("Heat"), Fact(field="year", values=("1986",))])[0]
    assert (best.record.id, best.sure) == ("3", True)
    assert best.alike == {"title": 1.0, "year": 1.0}


def test_any_of_several_values_will_do_or_all_must(films: Lookup) -> None:
    years = ("1986", "1995")
    either = films.near([name("Heat"), Fact(field="year", values=years)])
    assert {near.score for near in either[:2]} == {either[0].score}
    every = films.near([name("Heat"), Fact(field="year", values=years, how="all")])
    assert every[0].score < either[0].score


def test_what_is_required_or_excluded_is_kept_out(films: Lookup) -> None:
    lately = Fact(field="year", values=("2003",), required=True)
    assert ids(films, name("Matrix"), lately) == ["1"]
    others = Fact(field="year", values=("2003",), how="none", required=True)
    assert "1" not in ids(films, name("Matrix"), others)


def test_a_slip_of_the_pen_finds_what_is_nearest(films: Lookup) -> None:
    assert ids(films, name("Matrixx"))[0] in ("0", "1")


def test_a_slip_beside_a_word_of_others_does_not_hide_a_record() -> None:
    states = ["Mauritius Island", "Long Island", "Malta"]
    islands = Lookup([Record(id=name, fields={"name": name}) for name in states], "name")
    best = islands.near([Fact(field="name", values=("Mauritus Iland",))])[0]
    assert best.record.id == "Mauritius Island"
    best = islands.near([Fact(field="name", values=("Mauritus Island",))])[0]
    assert best.record.id == "Mauritius Island"
    found = islands.near([Fact(field="name", values=("Maltha Island",))])
    assert "Malta" in [near.record.id for near in found]


@pytest.mark.parametrize("facts", [[], [name("")], [name("?!")], [Fact(field="x", values=("y",))]])
def test_nothing_is_found_by_nothing(films: Lookup, facts: list[Fact]) -> None:
    assert films.near(facts) == []
    assert Lookup([], "title").near(facts) == []


def test_an_answer_does_not_depend_on_the_questions_before() -> None:
    asked = [[name("Matrix")], [name("Heat"), Fact(field="by", values=("M. Mann",))]]
    fresh = [Lookup(FILMS, "title").near(facts) for facts in asked]
    one = Lookup(FILMS, "title")
    assert [one.near(facts) for facts in asked[::-1]][::-1] == fresh
