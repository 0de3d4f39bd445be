import os
from pathlib import Path

import pytest

from filon.core import UserError
from filon.services.search import AT_HAND, SEARCHERS
from filon.services.search.athand import AtHand
from filon.verbs.discover.services import choose, opened, parse

KEYS = ("BRAVE_API_KEY", "EXA_API_KEY", "MOJEEK_API_KEY", "GOOGLE_API_KEY", "SERPER_API_KEY")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*KEYS, "SOCRATA_APP_TOKEN"):
        monkeypatch.delenv(name, raising=False)


def test_without_a_word_all_that_can_be_asked_are_and_the_others_are_told_with_why() -> None:
    chosen = choose(())
    asked = {one.name for one in chosen.searchers}
    assert asked == {"commoncrawl", "datacite", "mediawiki", "re3data", "socrata"}
    left = {told.split()[0] for told in chosen.unasked}
    assert asked | left == set(SEARCHERS) - AT_HAND
    assert not [told for told in chosen.unasked if ".toml" in told]


def test_a_key_in_the_environment_brings_its_service_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXA_API_KEY", "k-123456")
    assert choose(()).searchers[0].name == "exa"


def test_who_names_services_gets_those_and_what_is_at_hand(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Bees")
    (tmp_path / "b").mkdir()
    (tmp_path / "b/b.html").write_text("<title>Hives</title>")
    chosen = choose(["datacite"], [tmp_path / "a.txt", tmp_path / "b"])
    assert [one.name for one in chosen.searchers] == ["local", "datacite"]
    assert chosen.unasked == ()
    both = os.pathsep.join([str(tmp_path / "a.txt"), str(tmp_path / "b")])
    assert chosen.specs == (f"local:path={both}", "datacite")
    assert [one.name for one in opened(chosen.specs).searchers] == ["local", "datacite"]


def test_paths_hold_from_another_folder_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("Bees")
    monkeypatch.chdir(tmp_path)
    specs = choose(["local:path=a.txt"]).specs
    monkeypatch.chdir("/")
    assert opened(specs).searchers[0].name == "local"


def test_a_text_that_is_nowhere_on_the_web_stands_for_the_addresses_it_names(
    tmp_path: Path,
) -> None:
    (tmp_path / "list.md").write_text("# Bees\nSee http://a.org/bees and <https://b.org/>.")
    (tmp_path / "page.html").write_text(
        '<link rel="canonical" href="http://c.org/"><title>Bees</title>'
    )
    (local,) = choose([f"local:path={tmp_path}"]).searchers
    assert isinstance(local, AtHand)
    found = {hit.url for hit in local.answer("keyword", "bees").hits}
    assert found == {"http://a.org/bees", "https://b.org/", "http://c.org/"}
    body = local.respond(local.request("keyword", "bees").url)
    assert body is not None
    assert b"file:" in body  # told as where it stands, not as a hit
    assert b'"url": "file:' not in body


def test_a_comma_within_a_value_is_part_of_it() -> None:
    assert parse("local:path=/a,b/c,page_size=5") == ("local", {"path": "/a,b/c", "page_size": "5"})


@pytest.mark.parametrize("spec", ["searxng:", "searxng:url=", "searxng:=x", "local:path"])
def test_what_is_not_understood_is_told(spec: str) -> None:
    with pytest.raises(UserError, match="is not understood"):
        parse(spec)


def test_who_takes_no_words_cannot_begin() -> None:
    assert not choose(["commoncrawl"]).can_begin("bees and hives")
    assert not choose(["mediawiki"]).can_begin("bees")
    assert choose(["re3data"]).can_begin("bees")
