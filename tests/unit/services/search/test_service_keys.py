"""Keys of search services come from the environment, and a missing one is told by its name."""

import pytest

from filon.core import UserError
from filon.services.search import build
from filon.verbs.job import secrets_of


def test_a_key_is_taken_from_the_environment() -> None:
    assert secrets_of(build("brave"), {"BRAVE_API_KEY": "k-123456"}) == {
        "BRAVE_API_KEY": "k-123456"
    }
    assert secrets_of(build("socrata"), {}) == {}
    assert secrets_of(build("datacite"), {"BRAVE_API_KEY": "k-123456"}) == {}


@pytest.mark.parametrize("name", ["brave", "exa", "mojeek", "serper"])
def test_a_missing_key_is_told_with_where_to_get_it(name: str) -> None:
    searcher = build(name)
    with pytest.raises(UserError, match=f"{name} needs a key .*https://.*{searcher.secrets[0]}"):
        secrets_of(searcher, {})
