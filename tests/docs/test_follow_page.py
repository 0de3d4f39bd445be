"""The page on Linked Data, done as a reader does it."""

from pathlib import Path

from command import filon
from docs.pages import ROOT, blocks, commands
from filon.demo.linked import truth
from filon.demo.server import serving

PAGE = ROOT / "docs/follow.md"
#: What the reader has and a test has not: the real web, a store that listens.
ELSEWHERE = ("http://dbpedia.org/resource/Quartz", "http://localhost:7878/update")


def test_the_page_does_what_it_says(tmp_path: Path) -> None:
    ran = []
    with serving() as web:
        for block in blocks(PAGE):
            if block.kind == "toml":
                text = block.text.replace("127.0.0.1:8000", f"127.0.0.1:{web.port}")
                (tmp_path / "practice.toml").write_text(text)
            for _, *words in commands(block) if block.kind == "sh" else ():
                if not set(words) & set(ELSEWHERE):
                    ended = filon(tmp_path, *words)
                    assert ended.code == 0, (words, ended.err)
                    ran.append(words[0])
    assert ran == ["follow", "report", "why", "export", "export"]
    lines = (tmp_path / "walk/graph.nq").read_text().splitlines()
    assert len(lines) == sum(truth().values())
    assert (tmp_path / "walk.nq").is_file()
    assert (tmp_path / "store").is_dir()
