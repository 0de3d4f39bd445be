"""The services of the generated web, as the real providers speak to them."""

import json
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from experiments.discover.backlinks import LinkIndex
from experiments.discover.engine import SEARX
from filon.core.service import Searcher
from filon.services.search import build
from filon.services.search import registry as catalogue_file
from filon.services.search.athand import AtHand
from filon.services.search.service import load_alone

#: Results of a call for related sites: the paper's fifty.
RELATED = "50"


def registry(catalogues: Iterable[dict[str, Any]]) -> AtHand:
    """Return the registry of some catalogues, in memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "registry.jsonl"
        path.write_text("".join(f"{json.dumps(one)}\n" for one in catalogues), encoding="utf-8")
        return catalogue_file.build({"path": str(path)})


def searchers(known: AtHand | None = None) -> tuple[Searcher, ...]:
    """Return who can be asked: an engine, pages like a page, links, and what is known already."""
    similar = load_alone("exa-similar", {"page_size": RELATED})
    told = (build("searxng", {"url": SEARX}), similar, LinkIndex())
    return (*told, known) if known else told
