"""The user's file: what it says, and what it says where there is none."""

from pathlib import Path

import pytest

from filon.core import UserError
from filon.mcp.limits import LimitError, Limits, place


def test_without_a_file_no_host_is_allowed_and_little_may_be_spent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    limits = Limits.load()
    assert limits.file == place() == tmp_path / "filon/mcp.toml"
    assert (limits.hosts, limits.services, limits.folders) == ((), (), ())
    assert limits.run.requests == 100
    assert limits.day.requests == 500
    assert any("not there yet" in line for line in limits.rows())
    with pytest.raises(LimitError, match="No hosts are allowed yet"):
        limits.check_url("https://example.org/")


def test_a_file_says_it_and_its_paths_begin_where_it_lies(tmp_path: Path) -> None:
    file = tmp_path / "mcp.toml"
    file.write_text(
        'folder = "runs"\nhosts = ["a.test"]\nfolders = ["tables", "/data"]\nverbs = ["harvest"]\n'
        '[budget]\nrun = 50\nday = "1GB"\n[settings]\ncontact = "mailto:me@a.test"\ndelay = 2.0\n'
    )
    limits = Limits.load(file)
    assert limits.folder == tmp_path / "runs"
    assert limits.folders == (tmp_path / "tables", Path("/data"))
    assert (limits.run.requests, limits.day.bytes, limits.day.requests) == (50, 10**9, None)
    assert limits.fixed("harvest") == {"contact_": "mailto:me@a.test", "delay_": 2.0}
    with pytest.raises(LimitError, match="harvest"):
        limits.check_verb("follow")


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("hosts = 3", "hosts must be a list of texts"),
        ("hosts = ['https://a.test/']", "is no host"),
        ("hosts = ['a.test evil.test']", "is no host"),
        ("hosts = ['a.test,evil.test']", "is no host"),
        ("host = []", "did you mean hosts"),
        ("budget = 3", r"write \[budget\]"),
        ("[budget]\nyear = 3", "There is no budget 'year'"),
        ("[budget]\nrun = 'much'", "not understood"),
        ("[settings]\nheader = []", "There is no setting 'header'"),
        ("[settings]\ndelay = -1", "0 is the least"),
        ("[settings]\ncontact = 5", "Contact must be a text"),
        ("[settings]\nproxy = 'a.test'", "write it like http://HOST:PORT"),
        ("[settings]\nconnect_to = ['a.test']", "write it like HOST1:PORT1:HOST2:PORT2"),
        ("[settings]\nconnect_to = 5", "connect_to must be a list of texts"),
        ("[settings]\nca_file = 'none.pem'", "cannot be read"),
        ("verbs = ['refresh']", "There is no verb 'refresh'"),
        ("at_once = -1", "at_once must be a whole number"),
        ("services = ['nobody']", "is no service"),
        ("folder = ''", "folder must be a text"),
        ("= 3", "is not TOML"),
    ],
)
def test_what_is_not_understood_is_refused_in_a_sentence(
    said: str, sentence: str, tmp_path: Path
) -> None:
    file = tmp_path / "mcp.toml"
    file.write_text(said)
    with pytest.raises(UserError, match=sentence) as told:
        Limits.load(file)
    assert str(file) in str(told.value)


def test_a_file_that_is_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        Limits.load(tmp_path / "none.toml")


def test_a_folder_that_is_not_there_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    limits = Limits.read({"folders": ["tables", "tabels"]}, tmp_path / "mcp.toml")
    (line,) = (line for line in limits.rows() if line.startswith("folders of tables"))
    assert line.endswith(f"{tmp_path / 'tables'}, {tmp_path / 'tabels'} (which is no folder)")


def test_limits_that_differ_are_told_apart() -> None:
    file = Path("mcp.toml")
    assert Limits.read({}, file).stamp == Limits.read({"at_once": 3}, file).stamp
    assert Limits.read({}, file).stamp != Limits.read({"hosts": ["a.test"]}, file).stamp
    assert Limits.read({}, file).stamp != Limits.read({"budget": {"day": 1}}, file).stamp
