"""Mistakes in a command that follows Linked Data: one sentence each, and nothing is written."""

from pathlib import Path

import pytest

from filon.cli import run


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "Where to start?"),
        (("quartz",), "is not a URI"),
        (("example.org/id",), "is not a URI"),
        (("urn:isbn:123",), "Only http"),
        (("http://me:secret@example.org/",), "password"),
        (("--seeds", "nowhere.txt"), "cannot be read"),
        (("--seeds", "empty.txt"), "holds no URI"),
        (("--seeds", "wrong.txt"), "Line 2 of wrong.txt"),
        (("http://a.test/", "--follow", "subjects"), "did you mean subject"),
        (("http://a.test/", "--follow", ","), "Nothing would be followed"),
        (("http://a.test/", "--within", "hots"), "did you mean host"),
        (("http://a.test/", "--prefix", "a.test/"), "beginning of a URI"),
        (("http://a.test/", "--depth", "-1"), "depth"),
        (("http://a.test/", "--strategy", "loed"), "did you mean lode"),
        (("http://a.test/", "--strategy", "oracle"), "'oracle'"),
        (("http://a.test/", "--set", "x=1"), "no option"),
        (("http://a.test/", "--out", "taken"), "exists already"),
        (("http://a.test/", "--budget", "many"), "budget"),
        (("http://nowhere.invalid/",), "does not exist"),
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
    (tmp_path / "empty.txt").write_text("# nothing\n")
    (tmp_path / "wrong.txt").write_text("http://a.test/\nquartz\n")
    (tmp_path / "taken/something").mkdir(parents=True)
    before = sorted(tmp_path.iterdir())
    assert run(["follow", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert says in told.err
    assert sorted(tmp_path.iterdir()) == before
