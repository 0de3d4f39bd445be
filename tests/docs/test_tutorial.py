"""The tutorial and the README, done as a reader does them; what they show is what comes out."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import filon, finish, start_python
from docs.pages import ROOT, blocks, commands
from filon.demo.server import Server, serving

TUTORIAL, README = ROOT / "docs/tutorial.md", ROOT / "README.md"
#: How long something took is another time on another machine.
_TIME = re.compile(r"\b(in )?[\d.]+ (min|s|h)\b.*|(?<=127\.0\.0\.1:)\d+")


@pytest.fixture
def small_web() -> Iterator[Server]:
    with serving() as server:
        yield server


def lines(text: str) -> list[str]:
    """What must be there: lines without times, and none that is cut short by an ellipsis."""
    kept = (line.rstrip() for line in text.splitlines() if not re.search(r"…\]?$|, …", line))
    return [line for line in (_TIME.sub("", line).rstrip() for line in kept) if line.strip()]


def run_python(folder: Path, code: str) -> str:
    ended = finish(start_python(folder, "-c", code))
    assert ended.code == 0, ended.err
    return ended.out


def test_the_tutorial_does_what_it_says(tmp_path: Path, small_web: Server) -> None:
    come_out, ran = "", 0
    for block in blocks(TUTORIAL):
        text = block.text.replace("127.0.0.1:8000", f"127.0.0.1:{small_web.port}")
        if block.kind == "toml":
            (tmp_path / "practice.toml").write_text(text)
        elif block.kind == "python":
            assert ".csv" in run_python(tmp_path, text)
        elif block.kind == "sh":
            come_out = ""
            for _, *words in commands(block):
                if any("example.org" in word for word in words):
                    continue  # the reader's own site
                ended = filon(tmp_path, *words)
                assert ended.code == 0, (words, ended.err)
                come_out += ended.out + ended.err
                ran += 1
        elif block.kind == "text" and block.follows:
            told = set(lines(come_out))
            assert [line for line in lines(text) if line not in told] == []
    assert ran > 10
    (row,) = re.findall(r"^\| statistics.test \|.+$", TUTORIAL.read_text("utf-8"), re.M)
    assert row in (tmp_path / "compared/comparison.md").read_text("utf-8").splitlines()


def test_the_readme_shows_what_the_demo_prints(tmp_path: Path) -> None:
    shown = next(block.text for block in blocks(README) if block.kind == "text")
    ended = filon(tmp_path, "demo", "--out", "demo")
    told = {line.rstrip() for line in lines(ended.out + ended.err)}
    assert [line for line in lines(shown) if line not in told] == []


def test_the_readme_python_runs(tmp_path: Path) -> None:
    (code,) = (block.text for block in blocks(README) if block.kind == "python")
    first, *finds = run_python(tmp_path, code).splitlines()
    assert first == f"budget 200 {len(finds)}"
