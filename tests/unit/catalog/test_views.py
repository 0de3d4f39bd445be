from pathlib import Path

import pytest

from filon.catalog.views import FILE, View, Views, checked
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


def test_views_are_known_by_whole_words_of_a_query(tmp_path: Path) -> None:
    views = Views(tmp_path)
    views.keep("rain", UNION)
    assert views.named_in("SELECT * FROM Rain") == ["rain"]
    assert views.named_in("SELECT rainfall FROM files") == []


@pytest.mark.parametrize("name", ["files", "VIEWS", "1st", "a b", "", "f_00ff00", "é", "x" * 64])
def test_a_name_that_queries_could_not_use_is_refused(name: str) -> None:
    with pytest.raises(UserError, match="cannot be called"):
        checked(name)


def test_a_name_is_in_small_letters() -> None:
    assert checked("Nitrate_2020") == "nitrate_2020"
