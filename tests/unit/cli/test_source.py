"""`filon source` as a person types it."""

import json
from pathlib import Path

import pytest

from filon.cli import run
from filon.services.describe import shipped
from filon.services.source import Source
from unit.services.answers import openlibrary
from unit.services.server import serving

OWN = """
name = "own"
about = "Our own books."
[parameters]
host = { about = "where it is" }
[request]
url = "http://{host}/search.json"
keywords = "q"
[key]
how = "header"
name = "X-Key"
secret = "OWN_KEY"
[paging]
how = "offset"
parameter = "offset"
size = 50
size_parameter = "limit"
[answer]
results = "$.docs"
id = "$.key"
total = "$.numFound"
fields = { title = "$.title" }
[query]
joins = "or"
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OWN_KEY", "s3cr3t-key")
    (tmp_path / "own.toml").write_text(OWN)
    return "own.toml"


def test_the_list_names_every_source_and_its_terms(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["source", "list"]) == 0
    shown = capsys.readouterr().out
    assert all(f"{name}: " in shown for name in shipped())
    assert "Refused: the usage policy" in shown
    assert run(["source", "list", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["sources"]
    assert [each["name"] for each in told] == shipped()
    assert all(each["terms"] for each in told)


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["source"]) == 0
    assert "check" in capsys.readouterr().out


def test_what_is_shown_is_a_file_to_start_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["source", "show", "gbif"]) == 0
    copy = tmp_path / "copy.toml"
    copy.write_text(capsys.readouterr().out, "utf-8")
    assert Source.load(copy).request("a") == Source.load("gbif").request("a")


def test_a_check_compares_the_service_with_its_file(
    own: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("filon.verbs.enrich.probe.STARTERS", ("river",))
    with serving(openlibrary) as served:
        where = ["--set", "host=own.test", "--connect-to", served.rule, "--delay", "0"]
        assert run(["source", "check", own, *where]) == 0
        out, err = capsys.readouterr()
        assert run(["source", "check", own, *where, "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
    assert "records an answer: 50 (described: 50)" in out
    assert "differs: words are joined by and, not by or" in out
    assert err.count("GET http://own.test/") == told["calls"] == len(served.calls) // 2 <= 12
    assert (told["joins"], told["described"]["joins"], told["page_size"]) == ("and", "or", 50)
    assert served.calls[0].headers["x-key"] == "s3cr3t-key"
    assert "s3cr3t" not in out + err + json.dumps(told)


def test_a_check_takes_pace_and_network_from_the_file_of_an_enrichment(
    own: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(openlibrary) as served:
        told = [f'connect-to = "{served.rule}"', "delay = 0", 'contact = "me@example.org"']
        told += ['source-set = ["host=own.test"]', 'match = "title"', 'out = "books"']
        (tmp_path / "practice.toml").write_text("\n".join(told))
        check = ["source", "check", own, "--word", "river", "--config", "practice.toml"]
        assert run(check) == 0
        assert run([*check, "--contact", "you@example.org", "--set", "host=other.test"]) == 0
    agents = [call.headers["user-agent"] for call in served.calls]
    assert "me@example.org" in agents[0]
    assert "you@example.org" in agents[-1]
    assert "GET http://own.test/" in (err := capsys.readouterr().err)
    assert "GET http://other.test/" in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["show", "gbiff"], "did you mean gbif?"),
        (["check", "gbiff"], "did you mean gbif?"),
        (["check", "nominatim"], "forbids bulk geocoding"),
        (["check", "ckan"], "must be told url"),
        (["check", "ckan", "--set", "url"], "write NAME=VALUE"),
        (["check", "ckan", "--set", "ulr=http://a.test"], "did you mean url?"),
        (["check", "own.toml"], "must be told host: where it is"),
        (["check", "none.toml"], "cannot be read"),
        (["check", "own.toml", "--config", "none.toml"], "none.toml cannot be read"),
        (["check", "own.toml", "--config", "own.toml"], "There is no option"),
        (["check", "own.toml", "--set", "host=127.0.0.1:1", "--delay", "0"], "could not be probed"),
    ],
)
def test_a_wrong_command_is_told_in_one_sentence(
    own: str, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    assert run(["source", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err.splitlines()[-1]
    assert err.splitlines()[-1].startswith("filon: ")


def test_a_missing_key_is_told_before_anything_is_sent(
    own: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OWN_KEY")
    with serving(openlibrary) as served:
        where = ["--set", "host=own.test", "--connect-to", served.rule]
        assert run(["source", "check", own, *where]) == 2
        assert served.calls == []
    assert "set the environment variable OWN_KEY" in capsys.readouterr().err
