"""Keys come from the environment or the keyring, and a missing one is told by name."""

from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from filon.core import UserError
from filon.services.source import Source
from filon.verbs.job import secrets_of


class Drawer(KeyringBackend):
    """A keyring of one entry; locked where it has none."""

    priority = 1

    def __init__(self, password: str = "") -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.password = password

    def get_password(self, service: str, username: str) -> str | None:
        if not self.password:
            raise KeyringLocked
        return self.password if (service, username) == ("filon", "OPENALEX_API_KEY") else None

    def set_password(self, service: str, username: str, password: str) -> None:
        raise NotImplementedError

    def delete_password(self, service: str, username: str) -> None:
        raise NotImplementedError


@pytest.fixture
def drawer() -> Iterator[Drawer]:
    before = keyring.get_keyring()
    drawer = Drawer()
    keyring.set_keyring(drawer)
    yield drawer
    keyring.set_keyring(before)


@pytest.fixture
def openalex() -> Source:
    return Source.load("openalex")


def test_the_environment_comes_first(openalex: Source, drawer: Drawer) -> None:
    drawer.password = "from the drawer"
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
