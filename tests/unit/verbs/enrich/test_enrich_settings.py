import pytest

from filon.core import UserError
from filon.verbs.enrich import EnrichSettings, pairs

ASKED = {"table": "papers.csv", "source": "openalex", "add": "doi"}


def test_a_header_was_once_that_of_the_table() -> None:
    old = EnrichSettings.of({**ASKED, "header": False, "headers": ["A: b"]})
    assert old == EnrichSettings.of({**ASKED, "header_row": False, "header": ["A: b"]})
    assert (old.header_row, old.header) == (False, ("A: b",))


def test_columns_and_fields_are_read_from_an_option() -> None:
    told = {"title": "name", "authors": "author", "year": ""}
    assert pairs("title=name,authors = author, year,") == told
    assert pairs('"a=b, c" = d, "e"') == {"a=b, c": "d", "e": ""}
    assert pairs('5" disk=size,x="y, z"') == {'5" disk': "size", "x": "y, z"}


def test_a_field_without_a_column_is_told() -> None:
    for text in ("=name", "title,=name", '""=name'):
        with pytest.raises(UserError, match="has a field without a column"):
            pairs(text)
    assert pairs("title=,") == {"title": ""}
