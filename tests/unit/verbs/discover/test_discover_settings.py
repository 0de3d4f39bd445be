import tomllib
from pathlib import Path
from typing import Any

import pytest

from filon.core import UserError
from filon.run.folder import write_config
from filon.verbs.discover import DiscoverSettings
from filon.verbs.discover.examples import example, examples
from filon.verbs.discover.strategies import DEFAULT


def test_settings_come_back_from_the_file_they_are_written_to(tmp_path: Path) -> None:
    quest = DiscoverSettings(
        topic="  bees   and hives ",
        seeds=("example.org", "https://b.org/"),
        search=("datacite", "local:path=/a,b"),
        unasked=("brave needs a key: BRAVE_API_KEY",),
        strategy="disco",
        sites="host",
        language=("fr", "es"),
        accepted=("http://a.org/",),
        rejected=("http://c.org/",),
        parallel=4,
        set={"mode": "keyword"},
    )
    assert quest.topic == "bees and hives"
    assert quest.url == "https://example.org/"
    write_config(tmp_path / "run.toml", quest.config())
    assert DiscoverSettings.of(tomllib.loads((tmp_path / "run.toml").read_text())) == quest


def test_the_default_strategy_needs_no_word_from_the_user() -> None:
    assert DiscoverSettings(topic="bees").strategy == DEFAULT
    assert DiscoverSettings(seeds=("example.org",)).strategy == DEFAULT


def test_many_requests_in_all_are_polite_and_many_to_a_host_are_not() -> None:
    assert DiscoverSettings(topic="bees", parallel=20).deviations() == []
    assert "3 requests" in DiscoverSettings(topic="bees", parallel=20, per_host=3).deviations()[0]


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ({"topic": " "}, "What is to be discovered"),
        ({"seeds": "http://a.org/"}, "list"),
        ({"seeds": ("mailto:me",)}, "is not a URL"),
        ({"sites": "page"}, "known are domain"),
        ({"language": ("f",)}, "code of a language"),
        ({"per_host": 0}, "nowhere"),
    ],
)
def test_a_wrong_wish_is_refused_in_a_sentence(wish: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says) as caught:
        DiscoverSettings(**{"topic": "bees", **wish})
    assert str(caught.value).endswith((".", "?"))


def test_examples_are_addresses_and_files_of_them(tmp_path: Path) -> None:
    listed = tmp_path / "sites.txt"
    listed.write_text("# clubs\nexample.org\n\nhttp://b.org/x\nhttps://example.org/\n")
    assert examples(listed) == ("https://example.org/", "http://b.org/x")
    assert examples([str(listed), "c.org"])[-1] == "https://c.org/"
    assert examples("http://d.org") == ("http://d.org/",)
    assert examples(()) == ()
    with pytest.raises(UserError, match="can be examples"):
        example("ftp://a.org/")
