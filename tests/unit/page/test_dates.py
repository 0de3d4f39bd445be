from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filon.page.dates import dated
from fuzzing import examples

NOON = datetime(2024, 5, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-31T12:00:00Z",
        "2024-05-31T12:00:00.000000",  # CKAN
        "2024-05-31T12:00:00.000Z",  # Socrata
        "2024-05-31T14:00:00+02:00",  # Atom, sitemaps
        "2024-05-31T07:30:00-0430",
        "2024-05-31 12:00:00 UTC",
        "  2024-05-31T12:00:00Z\n",
        "Fri, 31 May 2024 12:00:00 GMT",  # HTTP
        "Fri, 31 May 2024 14:00:00 +0200",  # RSS
        "31 May 2024 08:00:00 EDT",
        "1717156800",
        "1717156800000",  # ArcGIS
    ],
)
def test_one_moment_in_many_forms(text: str) -> None:
    assert dated(text) == (NOON, NOON)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2024", "2024-01-01T00:00:00", "2024-12-31T23:59:59.999999"),
        ("2024-12", "2024-12-01T00:00:00", "2024-12-31T23:59:59.999999"),
        ("2023-02", "2023-02-01T00:00:00", "2023-02-28T23:59:59.999999"),
        ("2024-05-31", "2024-05-31T00:00:00", "2024-05-31T23:59:59.999999"),
        ("2024-05-31T12:30Z", "2024-05-31T12:30:00", "2024-05-31T12:30:59.999999"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59", "2016-12-31T23:59:59"),
    ],
)
def test_what_is_not_told_is_any_moment_of_it(text: str, first: str, last: str) -> None:
    span = dated(text)
    assert span is not None
    assert [moment.isoformat().removesuffix("+00:00") for moment in span] == [first, last]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "R/P1D",
        "yesterday",
        "2024-13-01",
        "2024-02-30",
        "31.05.2024",
        "0000",
        "9999",
        "99" * 40,
        "9999-12-31",
        "2024-05-31T25:00:00Z",
        "0001-01-01T00:00:00+14:00",
        "Mon, 99 Foo 2024",
    ],
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert dated(text) is None


@examples(50)
@given(st.text(alphabet="0123456789-+:TZ., GMTJan/", max_size=40) | st.text(max_size=80))
def test_any_text_is_a_span_or_none(text: str) -> None:
    span = dated(text)
    assert span is None or span.first <= span.last
