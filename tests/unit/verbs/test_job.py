"""Keys come from the environment or the keyring, and a missing one is told by name."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from filon.core import UserError
from filon.services.source import Source
from filon.verbs.job import secrets_of
from keyrings import Drawer, opened


@pytest.fixture
def drawer() -> Iterator[Drawer]:
    """A keyring that stays locked."""
    with opened() as drawer:
        drawer.locked = True
        yield drawer


@pytest.fixture
def openalex() -> Source:
    return Source.load("openalex")


def test_the_environment_comes_first(openalex: Source, drawer: Drawer) -> None:
    drawer.locked = False
    drawer.kept["filon", "OPENALEX_API_KEY"] = "from the drawer"
    assert secrets_of(openalex, {"OPENALEX_API_KEY": " k1 "}) == {"OPENALEX_API_KEY": "k1"}
    assert secrets_of(openalex, {}) == {"OPENALEX_API_KEY": "from the drawer"}


def test_a_missing_key_is_told_with_both_places(openalex: Source, drawer: Drawer) -> None:
    with pytest.raises(UserError) as told:
        secrets_of(openalex, {})
    for words in ("OPENALEX_API_KEY", "keyring set filon", "https://openalex.org/settings/api"):
        assert words in str(told.value)


def test_an_optional_key_may_be_missing(drawer: Drawer) -> None:
    assert secrets_of(Source.load("github"), {}) == {}
    assert secrets_of(Source.load("gbif"), {}) == {}


def test_a_key_with_a_line_break_is_refused(openalex: Source, drawer: Drawer) -> None:
    with pytest.raises(UserError, match="cannot be sent") as told:
        secrets_of(openalex, {"OPENALEX_API_KEY": "k1\nHost: evil"})
    assert "evil" not in str(told.value)


def test_client_credentials_are_two_secrets(tmp_path: Path, drawer: Drawer) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        'name = "own"\nabout = "Own."\n[request]\nurl = "https://a.test/"\nkeywords = "q"\n'
        '[key]\nhow = "oauth2"\nclient = "C_ID"\nsecret = "C_SEC"\ntoken_url = "https://a.test/t"\n'
        '[paging]\nsize = 5\n[answer]\nresults = "$.r"\nfields = "*"\n'
    )
    source = Source.load(path)
    assert secrets_of(source, {"C_ID": "me", "C_SEC": "x"}) == {"C_ID": "me", "C_SEC": "x"}
    with pytest.raises(UserError, match="C_SEC"):
        secrets_of(source, {"C_ID": "me"})
    assert dict(source.request("a").headers)["Authorization"] == "Bearer {token:C_ID}"
