"""The page on enrichments, done as a reader does it; what it shows is what comes out."""

import subprocess
import sys
from pathlib import Path

import pytest

from command import environment, filon
from docs.pages import ROOT, blocks, commands
from docs.test_tutorial import lines
from filon.demo.server import serving
from patience import PATIENCE_S

PAGE = ROOT / "docs/enrich.md"


def test_the_page_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FILON_CACHE", str(tmp_path / "cache.sqlite"))
    write = [sys.executable, "-m", "filon.demo.library"]
    subprocess.run(write, cwd=tmp_path, env=environment(), check=True, timeout=PATIENCE_S)
    come_out, ran = "", 0
    with serving() as web:
        for block in blocks(PAGE):
            text = block.text.replace("127.0.0.1:8000", f"127.0.0.1:{web.port}")
            if block.kind == "toml":
                (tmp_path / "practice.toml").write_text(text)
            elif block.kind == "sh":
                come_out = ""
                for _, *words in commands(block):
                    if "openalex" in words or "serve" in words:
                        continue  # the reader's own table; a service without an end
                    ended = filon(tmp_path, *words)
                    assert ended.code == 0, (words, ended.err)
                    come_out += ended.out
                    ran += 1
            elif block.kind == "text" and block.follows:
                told = set(lines(come_out))
                assert [line for line in lines(text) if line not in told] == []
    assert ran == 7
