"""Keys go to the keyring; a page tells where one is, never what it is."""

from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backends.fail import Keyring as NoKeyring

from filon.serve.keys import secrets
from keyrings import Drawer, opened
from unit.serve.visitor import Browser, visiting

SECRET = "s3cr3t-of-brave"


@pytest.fixture
def drawer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Drawer]:
    for secret in secrets():
        monkeypatch.delenv(secret.name, raising=False)
    with opened() as drawer:
        yield drawer


def test_needed_keys_come_first_and_each_stands_once(drawer: Drawer) -> None:
    found = secrets()
    names = [secret.name for secret in found]
    assert len(names) == len(set(names))
    assert [secret.required for secret in found] == sorted(
        (secret.required for secret in found), reverse=True
    )
    assert {"BRAVE_API_KEY", "GITHUB_TOKEN"} <= set(names)


def test_a_key_goes_to_the_keyring_and_to_no_page_or_file(drawer: Drawer, tmp_path: Path) -> None:
    async def visit(browser: Browser) -> None:
        kept = await browser.post(
            "/keys", {"name": "BRAVE_API_KEY", "secret": SECRET, "do": "keep"}
        )
        assert kept.status == 303
        assert drawer.kept == {("filon", "BRAVE_API_KEY"): SECRET}
        page = await browser.text("/keys")
        assert "It is in the keyring." in page
        assert SECRET not in page
        await browser.post("/keys", {"name": "BRAVE_API_KEY", "do": "forget"})

    visiting(visit, tmp_path)
    assert drawer.kept == {}
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in files if SECRET.encode() in path.read_bytes()]


def test_a_key_of_the_environment_is_told_and_cannot_be_changed_here(
    drawer: Drawer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", SECRET)

    async def visit(browser: Browser) -> None:
        page = await browser.text("/keys")
        assert "environment of this server" in page
        assert SECRET not in page
        assert 'value="BRAVE_API_KEY"' not in page

    visiting(visit, tmp_path)


def test_without_a_keyring_the_page_says_what_to_do(
    drawer: Drawer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyring, "get_keyring", NoKeyring)

    async def visit(browser: Browser) -> None:
        page = await browser.text("/keys")
        assert "set a key as a variable in the environment" in page
        assert "<input id=" not in page
        refused = await browser.post("/keys", {"name": "BRAVE_API_KEY", "secret": SECRET})
        assert refused.status == 400
        assert "no keyring that could be used" in await refused.text()

    visiting(visit, tmp_path)
    assert drawer.kept == {}


def test_names_that_no_service_knows_and_empty_keys_are_refused(
    drawer: Drawer, tmp_path: Path
) -> None:
    async def visit(browser: Browser) -> None:
        unknown = await browser.post("/keys", {"name": "PATH", "secret": "x"})
        assert unknown.status == 404
        empty = await browser.post("/keys", {"name": "BRAVE_API_KEY", "secret": " "})
        assert empty.status == 400

    visiting(visit, tmp_path)
    assert drawer.kept == {}
