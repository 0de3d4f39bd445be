"""Runs the cells of notebooks by a real kernel."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from patience import PATIENCE_S


class Watched(NotebookClient):
    """Notes the states that displays go through."""

    def process_message(self, msg: Any, cell: Any, cell_index: int) -> Any:
        if msg["msg_type"] == "update_display_data":
            self.resources["states"].append(msg["content"]["data"]["text/plain"])
        return super().process_message(msg, cell, cell_index)


def ran(folder: Path, *sources: str) -> tuple[list[Any], list[str]]:
    """Return the last output of each cell, and the states that displays went through.

    A cell that fails is an error, as is one that has no output.
    """
    cells = [_cell(source) for source in sources]
    whole = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    book = nbformat.reads(json.dumps(whole), as_version=4)
    states: list[str] = []
    kept = {"metadata": {"path": str(folder)}, "states": states}
    most_s = int(PATIENCE_S)
    Watched(book, resources=kept, timeout=most_s, startup_timeout=most_s).execute()
    return [cell["outputs"][-1] for cell in book["cells"]], states


def code_of(path: Path) -> Sequence[str]:
    """Return the cells of a notebook that hold code."""
    book = json.loads(path.read_text("utf-8"))
    return ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]


def _cell(source: str) -> dict[str, Any]:
    parts = {"cell_type": "code", "source": source}
    return {**parts, "metadata": {}, "outputs": [], "execution_count": None}
