"""Wrong commands: one sentence, exit code 2, nothing written. None of these needs a network."""

from collections.abc import Callable
from pathlib import Path

import pytest

from filon.cli import run

Refused = Callable[..., str]


@pytest.fixture
def refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Refused:
    """Run a command that must fail, and return its sentence."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> str:
        before = sorted(tmp_path.rglob("*"))
        assert run(arguments) == 2
        assert sorted(tmp_path.rglob("*")) == before
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("filon: ")
        assert err.count("\n") == 1
        return err.removeprefix("filon: ").strip()

    return call


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["exmaple"], "'exmaple' is not a URL"),
        (["ftp://example.org/"], "ftp://"),
        (["http://"], "not a URL"),
        (["http://me:pw@example.org/"], "--header"),
        (["http://a.test/", "--budget", "lots"], "'lots'"),
        (["http://a.test/", "--budget", "0"], "leaves no requests"),
        (["http://a.test/", "--strategy", "sbb"], "did you mean sb?"),
        (["http://a.test/", "--strategy", "omniscient"], "replicas"),
        (["http://a.test/", "--types", "cvs"], "csv"),
        (["http://a.test/", "--stop", "now"], "paper, never"),
        (["http://a.test/", "--delay", "-1"], "delay"),
        (["http://a.test/", "--delay", "nan"], "delay"),
        (["http://a.test/", "--parallel", "0"], "1 is the least"),
        (["http://a.test/", "--parallel", "many"], "--parallel"),
        (["http://a.test/", "--retries", "-1"], "Retries"),
        (["http://a.test/", "--seed", "-1"], "Seed"),
        (["http://a.test/", "--max-size", "big"], "'big'"),
        (["http://a.test/", "--set", "alpha"], "NAME=VALUE"),
        (["http://a.test/", "--strategy", "sb", "--set", "alhpa=2"], "alpha"),
        (["http://a.test/", "--strategy", "sb", "--set", "model=tree"], "lr, svm, nb, pa"),
        (["http://a.test/", "--strategy", "sb", "--set", "alpha=-1"], "from 0 to 1000"),
        (["http://a.test/", "--strategy", "sb", "--set", "theta=nan"], "from 0 to 1"),
        (["http://a.test/", "--strategy", "sb", "--set", "m=40"], "from 1 to 16"),
        (["http://a.test/", "--strategy", "sb", "--set", "m=inf"], "from 1 to 16"),
        (["http://a.test/", "--strategy", "sb", "--set", "n=1.5"], "whole number"),
        (["http://a.test/", "--strategy", "sb", "--set", "w=8"], "at least m"),
        (["http://a.test/", "--strategy", "bfs", "--set", "n=2"], "it has none"),
        (["http://a.test/", "--header", "nonsense"], "Name: value"),
        (["http://a.test/", "--header", "@missing"], "missing"),
        (["http://a.test/", "--connect-to", "a:b"], "HOST1:PORT1:HOST2:PORT2"),
        (["http://a.test/", "--proxy", "socks5://x"], "proxy"),
        (["http://a.test/", "--ca-file", "missing.pem"], "missing.pem"),
        (["http://a.test/", "--config", "missing.toml"], "missing.toml"),
        (["http://a.test/", "--budgt", "5"], "--budget"),
        ([], "URL"),
    ],
)
def test_a_wrong_harvest_is_told_in_one_sentence(
    refused: Refused, arguments: list[str], says: str
) -> None:
    assert says in refused("harvest", *arguments)
    assert says in refused("harvest", *arguments, "--dry-run")


def test_a_question_without_a_url_is_told(refused: Refused) -> None:
    assert "Which URL?" in refused("why", "run", " ")


def test_an_unknown_verb_is_told(refused: Refused) -> None:
    assert "'harvst': did you mean harvest?" in refused("harvst", "http://a.test/")


def test_a_config_file_with_an_unknown_option_is_told(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "filon.toml").write_text("budjet = 5\n")
    assert "budget" in refused("harvest", "http://a.test/", "--config", "filon.toml")
    (tmp_path / "filon.toml").write_text("delay = 'fast'\n")
    assert "number" in refused("harvest", "http://a.test/", "--config", "filon.toml")
    (tmp_path / "filon.toml").write_text("delay =\n")
    assert "TOML" in refused("harvest", "http://a.test/", "--config", "filon.toml")


@pytest.mark.parametrize(
    "arguments",
    [
        ["discover"],
        ["discover", "data", "--experiment", "sites", "--pages", "1000", "--requests", "5"],
        ["enrich", "data", "--experiment", "bars"],
        ["follow", "data", "--strategies", "bfs"],
    ],
)
def test_it_is_told_where_the_experiments_of_other_verbs_went(
    refused: Refused, arguments: list[str]
) -> None:
    assert f"python -m experiments.{arguments[0]}" in refused("compare", *arguments)
