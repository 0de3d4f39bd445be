import tomllib
from pathlib import Path
from typing import Any

import pytest

from filon.core import UserError
from filon.run.folder import write_config
from filon.verbs.harvest import HarvestSettings

URL = "http://example.org/"


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ({"strategy": "bsf"}, "did you mean bfs"),
        ({"stop": "soon"}, "paper, never"),
        ({"parallel": 0}, "1 is the least"),
        ({"parallel": 1.5}, "whole number"),
        ({"parallel": True}, "whole number"),
        ({"delay": float("inf")}, "delay"),
        ({"delay": "1"}, "number"),
        ({"timeout": 0.0}, "timeout"),
        ({"budget": 5}, "text"),
        ({"robots": "no"}, "true or false"),
        ({"header": ("x\r\ny: z",)}, "header"),
        ({"header": ("A: b\r\nC: d",)}, "header"),
        ({"url_rule": ("drop_www",)}, "drop_www"),
        ({"url_rule": ("drop_all=on",)}, "drop_tracking"),
        ({"connect_to": "::a:1"}, "list"),
        ({"include": ("data/*",)}, "begins with /"),
        ({"exclude": ("",)}, "glob"),
        ({"depth": -1}, "depth"),
        ({"files_from": "anywhere"}, "linked-hosts"),
        ({"more_urls": ("nonsense",)}, "not a URL"),
    ],
)
def test_a_wrong_wish_is_refused_in_a_sentence(wish: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says) as caught:
        HarvestSettings(url=URL, **wish)
    assert str(caught.value).endswith((".", "?"))


def test_settings_come_back_from_the_file_they_are_written_to(tmp_path: Path) -> None:
    settings = HarvestSettings(
        url=URL,
        budget="5req",
        types="csv,pdf",
        strategy="bfs",
        delay=0.25,
        cookies=False,
        connect_to=("::127.0.0.1:80",),
        url_rule=("drop_www=on",),
        set={"alpha": 2.0, "model": "nb"},
        contact="me@example.org",
    )
    write_config(tmp_path / "run.toml", settings.config())
    assert HarvestSettings.of(tomllib.loads((tmp_path / "run.toml").read_text())) == settings


def test_secrets_are_neither_written_nor_shown_and_asked_for_again(tmp_path: Path) -> None:
    settings = HarvestSettings(
        url=URL, header=("X-Token: s3cret", "Accept: s3cret"), proxy="http://me:s3cret@proxy:3128"
    )
    assert settings.secret_headers() == (("X-Token", "s3cret"), ("Accept", "s3cret"))
    write_config(tmp_path / "run.toml", settings.config())
    written = (tmp_path / "run.toml").read_text()
    assert "s3cret" not in written
    assert "s3cret" not in repr(settings)
    again = HarvestSettings.of(tomllib.loads(written))
    with pytest.raises(UserError, match="X-Token"):
        again.secret_headers()
    with pytest.raises(UserError, match="--proxy"):
        again.proxy_url()


def test_every_deviation_from_the_polite_defaults_is_said() -> None:
    assert HarvestSettings(url=URL).deviations() == []
    rude = HarvestSettings(
        url=URL, delay=0.0, parallel=8, robots=False, insecure=True, user_agent="Mozilla"
    )
    told = " ".join(rude.deviations())
    assert len(rude.deviations()) == 5
    for word in ("robots.txt", "0 s", "8 requests", "TLS", "Mozilla"):
        assert word in told


def test_a_slower_harvest_is_no_deviation() -> None:
    assert HarvestSettings(url=URL, delay=5.0, contact="me@example.org").deviations() == []


def test_a_header_that_is_not_understood_is_not_shown() -> None:
    with pytest.raises(UserError, match="header") as caught:
        HarvestSettings(url=URL, header=("Authorization Bearer s3cret",))
    assert "s3cret" not in str(caught.value)


def test_words_of_earlier_versions_are_still_read() -> None:
    written = {
        "url": URL,
        "delay_s": 0.25,
        "timeout_s": 9.0,
        "cookie_jar": False,
        "verify_tls": False,
        "headers": ["Accept: text/csv"],
        "options": {"alpha": 2.0},
        "max_bytes": 1000,
        "url_rules": ["drop_www=on"],
        "portals": True,
    }
    assert HarvestSettings.of(written) == HarvestSettings(
        url=URL,
        delay=0.25,
        prior="none",  # there was none
        timeout=9.0,
        cookies=False,
        insecure=True,
        header=("Accept: text/csv",),
        set={"alpha": 2.0},
        max_size=1000,
        url_rule=("drop_www=on",),
    )


def test_more_starts_are_of_the_same_site_and_each_counts_once(tmp_path: Path) -> None:
    more = ("www.example.org/a", "http://data.example.org/", URL, "http://data.example.org/")
    settings = HarvestSettings(url=URL, more_urls=more, include=("/a/*",), depth=2)
    assert settings.more_urls == ("https://www.example.org/a", "http://data.example.org/")
    write_config(tmp_path / "run.toml", settings.config())
    assert HarvestSettings.of(tomllib.loads((tmp_path / "run.toml").read_text())) == settings
    for other in ("http://example.com/", "http://other.co.uk/", "http://127.0.0.1/"):
        with pytest.raises(UserError, match=f"start another one with filon harvest {other}"):
            HarvestSettings(url=URL, more_urls=(other,))


def test_a_run_from_before_there_was_a_scope_has_the_papers() -> None:
    settings = HarvestSettings.of({"url": URL})
    assert (settings.more_urls, settings.include, settings.exclude) == ((), (), ())
    assert (settings.depth, settings.files_from) == (0, "site")
