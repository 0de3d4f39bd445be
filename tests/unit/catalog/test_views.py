from pathlib import Path

import pytest

from filon.catalog.views import FILE, View, Views, checked, tables_in
from filon.core import UserError

UNION = View("union", ("aa", "bb"))


def test_the_last_view_of_a_name_has_it_and_a_line_cut_off_costs_no_other(tmp_path: Path) -> None:
    views = Views(tmp_path)
    views.keep("mine", View("join", ("aa", "bb"), ("Region",)))
    with (tmp_path / FILE).open("a") as file:
        file.write('{"name": "half", "ho')
    views.keep("mine", UNION)
    again = Views(tmp_path)
    assert list(again) == ["mine"]
    assert again["mine"] == UNION


def test_a_view_is_dropped_until_its_name_is_given_again(tmp_path: Path) -> None:
    views = Views(tmp_path)
    views.keep("mine", UNION)
    views.keep("yours", UNION)
    views.drop("mine")
    assert list(views) == list(Views(tmp_path)) == ["yours"]
    with pytest.raises(UserError, match=r"no view 'mine': there are yours\."):
        views.drop("mine")
    views.keep("mine", UNION)
    assert set(Views(tmp_path)) == {"mine", "yours"}


@pytest.mark.parametrize(
    ("query", "tables"),
    [
        ("SELECT * FROM Rain", {"rain"}),
        ("SELECT rain FROM files WHERE note = 'from rain'", {"files"}),
        ("WITH rain AS (SELECT 1) SELECT * FROM rain", set()),
        ("SELECT (SELECT MAX(a) FROM main.rain)", {"rain"}),
    ],
)
def test_tables_of_a_query_are_told(query: str, tables: set[str]) -> None:
    assert tables_in(query) == tables


def test_a_text_has_no_tables_even_where_a_query_is_only_read_by_its_words() -> None:
    query = "SELECT 'hail''s', $$snow$$ /* fog */ FROM a JOIN Rain USING (x) -- storm"
    assert tables_in(query) == {"select", "from", "a", "join", "rain", "using", "x"}


@pytest.mark.parametrize("name", ["select", "Left", "natural", "case"])
def test_a_word_of_sql_is_refused(name: str) -> None:
    with pytest.raises(UserError, match="it is a word of SQL"):
        checked(name)


@pytest.mark.parametrize("name", ["files", "VIEWS", "1st", "a b", "", "f_00ff00", "é", "x" * 64])
def test_a_name_that_queries_could_not_use_is_refused(name: str) -> None:
    with pytest.raises(UserError, match="cannot be called"):
        checked(name)


def test_a_name_is_in_small_letters() -> None:
    assert checked("Nitrate_2020") == "nitrate_2020"
