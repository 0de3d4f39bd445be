"""Mistakes in a command that discovers: one sentence each, and nothing is written."""

from pathlib import Path

import pytest

from filon.cli import run

LOCAL = ("--search", "local:path=texts")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "What is to be discovered?"),
        (("  ",), "What is to be discovered?"),
        (("--seeds", "nowhere.txt"), "cannot be read"),
        (("--seeds", "empty.txt"), "holds no URI"),
        (("--seeds", "wrong.txt"), "Line 2 of wrong.txt"),
        (("--seeds", "garbage.bin"), "is not a text"),
        (("--seeds", "what is this"), "neither a file of examples nor the address"),
        (("--seeds", "ftp://a.test/"), "neither"),
        (("--seeds", "http://me:secret@a.test/"), "password"),
        (("bees", "--search", "datacit"), "did you mean datacite?"),
        (("bees", "--search", "local:pth=x"), "did you mean path?"),
        (("bees", "--search", "local"), "local must be told path"),
        (("bees", "--search", "local:path=nowhere"), "nothing at"),
        (("bees", "--search", "searxng"), "searxng must be told url"),
        (("bees", "--search", "searxng:url"), "is not understood"),
        (("bees", "--search", "searxng:url=http://me:pw@a.test"), "password"),
        (("bees", "--search", "brave"), "BRAVE_API_KEY"),
        (("bees", "--search", "brave:rate=fast"), "rate must be like"),
        (("bees", "--search", "commoncrawl"), "none takes words"),
        (("bees", *LOCAL, *LOCAL), "named twice"),
        (("bees", "--registry", "wrong.txt"), "is not JSON"),
        (("bees", *LOCAL, "--budget", "many"), "budget"),
        (("bees", *LOCAL, "--sites", "hots"), "did you mean host"),
        (("bees", *LOCAL, "--language", "french"), "code of a language"),
        (("bees", *LOCAL, "--strategy", "scot"), "did you mean scout"),
        (("bees", *LOCAL, "--set", "x=1"), "no option"),
        (("bees", *LOCAL, "--set", "mode=wild"), "wild"),
        (("bees", *LOCAL, "--parallel", "0"), "get nowhere"),
        (("bees", *LOCAL, "--per-host", "0"), "get nowhere"),
        (("bees", *LOCAL, "--out", "taken"), "exists already"),
        (("bees", *LOCAL, "--config", "wrong.toml"), "did you mean search"),
    ],
)
def test_each_mistake_gets_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BRAVE_API_KEY", raising=False)
    (tmp_path / "empty.txt").write_text("# nothing\n")
    (tmp_path / "wrong.txt").write_text("http://a.test/\nquartz\n")
    (tmp_path / "garbage.bin").write_bytes(b"\xff\xfe\x00\x80")
    (tmp_path / "wrong.toml").write_text('serch = "datacite"\n')
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/a.txt").write_text("Bees")
    (tmp_path / "taken/something").mkdir(parents=True)
    before = sorted(tmp_path.iterdir())
    assert run(["discover", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert says in told.err
    assert sorted(tmp_path.iterdir()) == before


def test_who_is_asked_and_who_is_not_is_said_before_anything_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("BRAVE_API_KEY", "EXA_API_KEY", "MOJEEK_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SERPER_API_KEY", "s3cr3t-k3y")
    assert run(["discover", "bees", "--dry-run"]) == 0
    told = capsys.readouterr().out
    assert "Asked: serper, commoncrawl, datacite, mediawiki, re3data, socrata" in told
    assert "brave needs a key: BRAVE_API_KEY" in told
    assert "searxng must be told url" in told
    assert "s3cr3t-k3y" not in told
    assert not list(tmp_path.iterdir())
