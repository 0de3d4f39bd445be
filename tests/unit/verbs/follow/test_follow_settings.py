import tomllib
from pathlib import Path
from typing import Any

import pytest

from filon.core import UserError
from filon.run.folder import write_config
from filon.verbs.follow import FollowSettings, seed_uri
from filon.verbs.follow.job import FollowJob
from filon.verbs.lines import read_lines
from filon.web.live import Live
from filon.web.polite import Polite

SEED = "http://example.org/id#7"


def test_settings_come_back_from_the_file_they_are_written_to(tmp_path: Path) -> None:
    trail = FollowSettings(
        seeds=(SEED, "https://b.org/"),
        budget="5req",
        strategy="ldcoc",
        follow=("object",),
        within="domain",
        prefix=("http://example.org/",),
        depth=3,
        shortcuts=False,
        parallel=4,
        per_host=2,
        set={"tau": 0.4},
    )
    write_config(tmp_path / "run.toml", trail.config())
    assert FollowSettings.of(tomllib.loads((tmp_path / "run.toml").read_text())) == trail


def test_many_requests_in_all_are_polite_and_many_to_a_host_are_not() -> None:
    assert FollowSettings(seeds=(SEED,), parallel=20).deviations() == []
    assert "3 requests" in FollowSettings(seeds=(SEED,), parallel=20, per_host=3).deviations()[0]


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ({"seeds": ()}, "Where to start"),
        ({"seeds": SEED}, "list"),
        ({"follow": ("verb",)}, "known are subject"),
        ({"follow": ()}, "Nothing"),
        ({"within": "site"}, "known are any"),
        ({"prefix": ("x",)}, "beginning"),
        ({"per_host": 0}, "nowhere"),
        ({"shortcuts": "no"}, "true or false"),
        ({"strategy": "offline-nb"}, "offline-nb"),
    ],
)
def test_a_wrong_wish_is_refused_in_a_sentence(wish: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says) as caught:
        FollowSettings(**{"seeds": (SEED,), **wish})
    assert str(caught.value).endswith((".", "?"))


def test_only_the_hosts_of_seeds_may_be_private(tmp_path: Path) -> None:
    seeds = (SEED, "http://127.0.0.1:99/a", "http://Example.org/b")
    web = FollowJob(FollowSettings(seeds=seeds)).web(tmp_path)
    assert isinstance(web, Polite)
    assert isinstance(web.web, Live)
    assert web.web.options.allow_hosts == ("http://example.org", "http://127.0.0.1:99")


@pytest.mark.parametrize(
    "text", ["", "a b", "//a.org/x", "http://", "http://a b/", "localhost:80/x"]
)
def test_what_is_no_uri_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="not a URI"):
        seed_uri(text)


def test_seeds_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "seeds"
    file.write_bytes(b"\xef\xbb\xbfhttp://a.org/1\r\n\r\n  <http://a.org/2>\n# http://a.org/3\n")
    assert read_lines(file, seed_uri) == ["http://a.org/1", "http://a.org/2"]
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match="not a text"):
        read_lines(file, seed_uri)
