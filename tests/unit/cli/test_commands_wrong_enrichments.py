"""Wrong enrichments: one sentence, exit code 2, nothing sent or written."""

from pathlib import Path

import pytest

from filon.cli import run
from searchbox import SearchBox

BOX = ("--from", "box.toml")
TITLE = (*BOX, "--match", "title")
GOOD = ("t.csv", *TITLE, "--add", "year")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["t.csv"], "Which service"),
        (["t.csv", "--from", "openalx", "--match", "title", "--add", "doi"], "openalex"),
        (["t.csv", "--from", "nominatim", "--match", "title", "--add", "lat"], "refused"),
        (["t.csv", *BOX, "--match", "titel", "--add", "year"], "did you mean 'title'?"),
        (["t.csv", *BOX, "--match", "title=titel", "--add", "year"], "did you mean title?"),
        (["t.csv", *TITLE, "--add", "yeer"], "did you mean year?"),
        (["t.csv", *TITLE], "--add"),
        (["t.csv", *TITLE, "--add", "title"], "at once"),
        (["t.csv", *BOX, "--match", "none", "--add", "year=year"], "empty in every row"),
        (["no.csv", *TITLE, "--add", "year"], "No such file"),
        (["empty.csv", *TITLE, "--add", "year"], "is empty"),
        (["head.csv", *TITLE, "--add", "year"], "no rows"),
        (["pdf.csv", *TITLE, "--add", "year"], "is a PDF"),
        (["t.csv", "--from", "bad.toml", "--match", "title", "--add", "year"], "bad.toml"),
        (["t.csv", "--from", "no.toml", "--match", "title", "--add", "year"], "no.toml"),
        ([*GOOD, "--strategy", "smple"], "did you mean simple?"),
        ([*GOOD, "--strategy", "ideal"], "no strategy 'ideal'"),
        ([*GOOD, "--budget", "lots"], "'lots'"),
        ([*GOOD, "--source-set", "a"], "NAME=VALUE"),
        ([*GOOD, "--source-set", "a=b"], "has no parameter 'a'"),
        ([*GOOD, "--out", "there"], "exists already"),
        ([*GOOD, "--encoding", "x-y"], "encoding"),
        ([*GOOD, "--part", "papers"], "is one table"),
        ([*GOOD, "--sample", "t.csv"], "--sample-ratio"),
        ([*GOOD, "--sample", "none.csv", "--sample-ratio", "0.1"], "no column that is a field"),
        ([*GOOD, "--sample-ratio", "3"], "sample"),
        ([*GOOD, "--delay", "-1"], "delay"),
        ([*GOOD, "--config", "c.toml"], "did you mean columns?"),
        ([], "TABLE"),
    ],
)
def test_a_mistake_is_one_sentence_and_nothing_is_written(
    arguments: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FILON_CACHE", str(tmp_path / "cache/answers.sqlite"))
    (tmp_path / "t.csv").write_text("title;author;none\nAmber;Falk;\nBasin;Esker;\n")
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "none.csv").write_text("foo,bar\n1,2\n")
    (tmp_path / "head.csv").write_text("title;author\n")
    (tmp_path / "pdf.csv").write_bytes(b"%PDF-1.4")
    (tmp_path / "bad.toml").write_text("name = 'bad'\n[request\n")
    (tmp_path / "c.toml").write_text("colums = 'title'\n")
    (tmp_path / "there/something").mkdir(parents=True)
    SearchBox(port=9).source(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    simple = [] if "--strategy" in arguments else ["--strategy", "simple"]
    assert run(["enrich", *simple, *arguments]) == 2
    assert sorted(tmp_path.rglob("*")) == before
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert says in err
