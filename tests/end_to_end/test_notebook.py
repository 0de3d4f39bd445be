"""What a person sees in a notebook: a real kernel runs the cells."""

import json
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from patience import PATIENCE_S

HARVEST = """
import filon, filon.verbs.cell
from filon.demo.server import serving
filon.verbs.cell.EVERY_S = 0
with serving() as web:
    run = filon.harvest("http://statistics.test/", budget=40, delay=0, out="run",
                        connect_to=(web.connect_to,))
run
"""
AWAITED = """
with serving() as web:
    again = await filon.aharvest("http://statistics.test/", budget=20, delay=0, out="again",
                                 connect_to=(web.connect_to,))
print(again.spent.requests)
"""
CATALOG = """
catalog = filon.Catalog(".")
catalog.search("households")
"""


class Watched(NotebookClient):
    """Notes the states that displays go through."""

    def process_message(self, msg: Any, cell: Any, cell_index: int) -> Any:
        if msg["msg_type"] == "update_display_data":
            self.resources["states"].append(msg["content"]["data"]["text/plain"])
        return super().process_message(msg, cell, cell_index)


def _cell(source: str) -> dict[str, Any]:
    parts = {"cell_type": "code", "source": source}
    return {**parts, "metadata": {}, "outputs": [], "execution_count": None}


def ran(folder: Path, *sources: str) -> tuple[list[Any], list[str]]:
    """Return the last output of each cell, and the states that displays went through."""
    cells = [_cell(source) for source in sources]
    whole = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    book = nbformat.reads(json.dumps(whole), as_version=4)
    states: list[str] = []
    kept = {"metadata": {"path": str(folder)}, "states": states}
    most_s = int(PATIENCE_S)
    Watched(book, resources=kept, timeout=most_s, startup_timeout=most_s).execute()
    return [cell["outputs"][-1] for cell in book["cells"]], states


def test_a_run_shows_its_progress_then_itself_and_a_search_is_a_table(tmp_path: Path) -> None:
    (harvest, awaited, catalog), states = ran(tmp_path, HARVEST, AWAITED, CATALOG)
    assert any("40 of 40 requests" in state for state in states), states[:3]
    assert any("20 of 20 requests" in state for state in states)
    assert states[-1] == ""
    assert "<svg" in harvest["data"]["text/html"]
    assert "report.html" in harvest["data"]["text/html"]
    assert awaited["text"] == "20\n"
    assert "<table" in catalog["data"]["text/html"]
