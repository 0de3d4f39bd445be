"""The experiment that times the pages builds a home whose pages are all there."""

import asyncio
from pathlib import Path

import pytest

from experiments import serving


def test_every_page_of_the_invented_home_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {"RUNS": 10, "STEPS": 4, "TIMES": 1}.items():
        monkeypatch.setattr(serving, name, value)
    question, long = serving.build(tmp_path, 60, 3000)
    asyncio.run(serving.visit(tmp_path, question, long))
    lines = capsys.readouterr().out.splitlines()
    pages = serving.pages(question, long)
    assert len(lines) == 2 + len(pages)
    assert lines[-1].startswith("6 visitors at once: server ")
    refused = [line.split("  ")[0] for line in lines if "status" in line]
    assert refused == ["a row"]  # which is beyond so short a table
