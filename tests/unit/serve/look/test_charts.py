"""What the values of a column are like."""

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from filon.serve.look.charts import Chart, chart, connected, told


@pytest.fixture
def drawn(stored: Callable[..., Path]) -> Callable[..., Chart | None]:
    def draw(cells: list[Any], kind: str, name: str = "c", different: int = 0) -> Chart | None:
        with connected() as connection:
            return chart(connection, stored({name: cells}), name, kind, different)

    return draw


def bars(found: Chart | None) -> dict[str, int]:
    assert found is not None
    return {bar.label: bar.count for bar in found.bars}


def test_numbers_are_counted_in_round_ranges(drawn: Callable[..., Chart | None]) -> None:
    found = drawn([n / 10 for n in range(1000)] + [None] * 7, "number")
    assert bars(found) == {f"{n} – {n + 5}": 50 for n in range(0, 100, 5)}
    assert found is not None
    assert (found.missing, found.others, found.is_range) == (7, 0, True)


def test_whole_numbers_have_whole_ranges(drawn: Callable[..., Chart | None]) -> None:
    found = bars(drawn(list(range(1900, 2020)), "integer"))
    assert found["1900 – 1904"] == 5
    assert sum(found.values()) == 120


def test_a_few_different_numbers_have_a_bar_each(drawn: Callable[..., Chart | None]) -> None:
    assert bars(drawn([3, 1, 1, 2], "integer", different=3)) == {"1": 2, "2": 1, "3": 1}


def test_what_lies_far_out_does_not_flatten_the_rest(drawn: Callable[..., Chart | None]) -> None:
    found = bars(drawn([n / 10 for n in range(1000)] + [1e9, -1e9], "number"))
    assert sum(found.values()) == 1002
    first, *_, last = found
    assert first.startswith("<")
    assert last.startswith("≥")
    assert max(found.values()) < 200


def test_numbers_that_are_none_have_no_range(drawn: Callable[..., Chart | None]) -> None:
    found = bars(drawn([float("nan"), float("inf"), 1.0, 2.0, 3.0], "number"))
    assert sum(found.values()) == 3
    assert drawn([float("nan")], "number") is None


def test_dates_are_counted_by_time_also_where_there_are_none(
    drawn: Callable[..., Chart | None],
) -> None:
    days = [date(2020, 1, 15), date(2020, 4, 1), date(2020, 4, 30), date(2021, 12, 30)]
    months = bars(drawn(days, "date"))
    assert len(months) == 24
    assert {label: number for label, number in months.items() if number} == {
        "2020-01": 1,
        "2020-04": 2,
        "2021-12": 1,
    }
    years = [date(1900, 1, 1) + timedelta(days=366 * n) for n in range(100)]
    assert bars(drawn(years, "date"))["1900"] == 10


def test_texts_are_counted_the_most_frequent_first(drawn: Callable[..., Chart | None]) -> None:
    cells = ["a"] * 5 + ["b"] * 3 + [f"v{n % 20}" for n in range(40)]
    found = drawn(cells, "text", different=22)
    assert list(bars(found).items())[:3] == [("a", 5), ("b", 3), ("v0", 2)]
    assert found is not None
    assert found.others == 48 - sum(bars(found).values())
    assert not found.is_range


@pytest.mark.parametrize(
    ("cells", "kind", "different"),
    [
        ([f"name {n}" for n in range(100)], "text", 100),
        (["same"] * 10, "text", 1),
        ([f"v{n % 40}" for n in range(400)], "text", 40),
        ([5] * 10, "integer", 1),
        ([None, None], "text", 0),
        ([], "number", 0),
    ],
)
def test_what_says_nothing_has_no_picture(
    drawn: Callable[..., Chart | None], cells: list[Any], kind: str, different: int
) -> None:
    assert drawn(cells, kind, different=different) is None


def test_a_name_of_a_column_is_no_sql(drawn: Callable[..., Chart | None]) -> None:
    name = "\"; DROP TABLE x; -- {of} {c} ' ?"
    assert bars(drawn([1, 2, 2], "integer", name=name, different=2)) == {"1": 1, "2": 2}


def test_a_picture_is_told_in_words(drawn: Callable[..., Chart | None]) -> None:
    found = drawn([1, 1, 3], "integer", different=2)
    assert found is not None
    assert told("Rain", found) == "Rain: 1: 2, 3: 1"
