"""The page on discovery, done as a reader does it."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from command import filon
from docs.pages import ROOT, blocks, commands
from filon.demo.country import truth
from filon.demo.server import serving

PAGE = ROOT / "docs/discover.md"
#: What the reader has and a test has not: the real web.
ELSEWHERE = ("ethiopia food security", "beekeeping")


def test_the_page_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FILON_CACHE", str(tmp_path / "answers.sqlite"))
    ran = []
    with serving() as web:
        for block in blocks(PAGE):
            if block.kind == "toml":
                text = block.text.replace("127.0.0.1:8000", f"127.0.0.1:{web.port}")
                (tmp_path / "practice.toml").write_text(text)
            for _, *words in commands(block) if block.kind == "sh" else ():
                if not set(words) & set(ELSEWHERE):
                    ended = filon(tmp_path, *words, said="y\nq\n")
                    assert ended.code == 0, (words, ended.err)
                    ran.append(words[0])
    assert ran == ["discover", "report", "why", "export", "review"]
    urls = (tmp_path / "water/harvest.txt").read_text().split()
    assert len(urls) >= 10
    assert {urlsplit(url).hostname for url in urls} <= set(truth())
    assert (tmp_path / "water.ttl").is_file()
    assert "accepted" in (tmp_path / "water/sites.csv").read_text()
