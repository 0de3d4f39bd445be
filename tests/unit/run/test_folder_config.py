import tomllib
from pathlib import Path

import pytest

from filon import __version__
from filon.core import MachineError
from filon.page.url import mask_text, mask_url
from filon.run.disk import mask_headers, read_config
from filon.run.folder import write_config


def test_a_configuration_comes_back_as_it_was_written(tmp_path: Path) -> None:
    config = {
        "verb": "harvest",
        "url": "http://example.org/é?a=b",
        "seed": 7,
        "delay_s": 0.5,
        "robots": True,
        "big": 1e22,
        "endless": float("inf"),
        "connect_to": ["a:1:b:2", "c"],
        "options": {"alpha": 2.8, "odd key.": "x", "deep": {"x": 1}},
        "quotes": 'a "b" \\ c\n\t\x00\x1f\x7f\u2028 😀 [x] # y',
        "table list": [{"a": 1}, {"b": "c"}],
    }
    write_config(tmp_path / "run.toml", config)
    read = read_config(tmp_path / "run.toml")
    assert read.pop("versions")["filon"] == __version__
    assert read == config


def test_what_is_none_is_left_out_and_other_values_are_their_text(tmp_path: Path) -> None:
    write_config(tmp_path / "run.toml", {"budget": None, "out": Path("/data/run")})
    read = read_config(tmp_path / "run.toml")
    assert "budget" not in read
    assert read["out"] == "/data/run"


def test_the_versions_at_work_are_told(tmp_path: Path) -> None:
    write_config(tmp_path / "run.toml", {"versions": {"filon": "of the last session"}})
    versions = read_config(tmp_path / "run.toml")["versions"]
    assert {"filon", "python", "numpy", "fastwarc", "aiohttp"} <= set(versions)
    assert versions["filon"] == __version__


def test_no_secret_is_written(tmp_path: Path) -> None:
    secrets = {
        "proxy": "http://user:hunter2@proxy:3128",
        "api_key": "hunter2",
        "search": {"token": "hunter2", "X-Api-Key": "hunter2"},
        "headers": {"Authorization": "Bearer hunter2", "Cookie": "a=hunter2"},
        "header": ["Authorization: Bearer hunter2", "cookie:a=hunter2", "Accept: x"],
        "password": ["hunter2"],
    }
    write_config(tmp_path / "run.toml", secrets)
    text = (tmp_path / "run.toml").read_text()
    assert "hunter2" not in text
    read = tomllib.loads(text)
    assert read["proxy"] == "http://***@proxy:3128"
    assert read["header"][2] == "Accept: x"


def test_a_lone_surrogate_does_not_spoil_the_file(tmp_path: Path) -> None:
    write_config(tmp_path / "run.toml", {"name": "a\udcffb"})
    assert read_config(tmp_path / "run.toml")["name"] == "a?b"


@pytest.mark.parametrize("damage", [b"verb = ", b"\xff\xfe"])
def test_a_damaged_file_is_one_clear_sentence(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "run.toml").write_bytes(damage)
    with pytest.raises(MachineError, match=r"run\.toml is damaged: "):
        read_config(tmp_path / "run.toml")


def test_a_password_in_a_url_is_hidden_and_the_rest_stays() -> None:
    assert mask_url("https://u:p@h.org:8/a?b=c@d") == "https://***@h.org:8/a?b=c@d"


def test_an_at_sign_in_a_path_is_no_password() -> None:
    for url in ("http://h.org/@me", "http://h.org/?q=a@b", "http://h.org/x//y@z"):
        assert mask_url(url) == url


def test_the_proxy_of_an_error_message_loses_its_password() -> None:
    text = "Cannot connect to http://user:pass@10.0.0.1:3128 for http://h.org/"
    assert mask_text(text) == "Cannot connect to http://***@10.0.0.1:3128 for http://h.org/"


def test_headers_that_let_somebody_in_are_hidden_whatever_their_case() -> None:
    secret = [
        ("AUTHORIZATION", "Bearer key"),
        ("cookie", "sid=key"),
        ("Set-Cookie", "sid=key"),
        ("set-cookie", "key"),
        ("Proxy-Authorization", "Basic key"),
        ("Location", "http://me:key@h.org/"),
    ]
    masked = mask_headers(secret)
    assert [name for name, _ in masked] == [name for name, _ in secret]
    assert "key" not in str(masked)
    assert masked[2] == ("Set-Cookie", "sid=***")
