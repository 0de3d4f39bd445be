"""What every search service promises (`filon.testing`), on those that come with Filon."""

from pathlib import Path

import pytest

from filon.services.search import AT_HAND, SEARCHERS, build
from filon.testing import check_searcher
from unit.services.search.answers import SERVICES


@pytest.mark.parametrize("name", sorted({*SEARCHERS} - AT_HAND))
def test_it_keeps_the_contract(name: str) -> None:
    check_searcher(build(name, SERVICES[name].parameters))


@pytest.mark.parametrize("name", sorted(AT_HAND))
def test_what_is_at_hand_keeps_the_contract(name: str, tmp_path: Path) -> None:
    held = {
        "local": ("river.html", "<title>River</title><p>A river."),
        "registry": ("portals.jsonl", '{"link": "https://river.example/", "name": "Rivers"}\n'),
    }
    file, text = held[name]
    (tmp_path / file).write_text(text)
    check_searcher(build(name, {"path": str(tmp_path / file)}))
