"""The example notebooks, one a verb: a real kernel runs them on the small web."""

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest

from notebooks import code_of, ran

BOOKS = sorted((Path(__file__).parents[2] / "docs/notebooks").glob("*.ipynb"))
#: What each shows at its end.
SHOWN = {
    "acquire": "nitrate",
    "discover": "Water Agency",
    "enrich": "books",
    "follow": "predicate",
    "harvest": "because",
    "refresh": "statistics.test",
}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """All of them, one after the other: a kernel takes as long to start as a notebook to run."""
    cells = [(book.stem, code) for book in BOOKS for code in code_of(book)]
    shown, _ = ran(tmp_path_factory.mktemp("notebooks"), *(code for _, code in cells))
    by_book: dict[str, list[Any]] = {}
    for (name, _), output in zip(cells, shown, strict=True):
        by_book.setdefault(name, []).append(output)
    return by_book


def test_there_is_one_a_verb_and_it_is_listed() -> None:
    assert [book.stem for book in BOOKS] == sorted(SHOWN)
    page = (BOOKS[0].parents[1] / "notebooks.md").read_text("utf-8")
    assert all(f"(notebooks/{book.name})" in page for book in BOOKS)


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_a_notebook_is_whole_and_holds_no_output(book: Path) -> None:
    nbformat.validate(json.loads(book.read_text("utf-8")))
    cells = json.loads(book.read_text("utf-8"))["cells"]
    assert not [cell for cell in cells if cell.get("outputs") or cell.get("execution_count")]


@pytest.mark.parametrize("name", SHOWN)
def test_a_run_is_shown_with_its_curve_and_what_it_brought(
    name: str, outputs: dict[str, list[Any]]
) -> None:
    pages = [str(output.get("data", {}).get("text/html", "")) for output in outputs[name]]
    assert any(f"filon {name}" in page for page in pages)
    # A curve is drawn where there is something: on the small web nothing is ever new.
    assert any("<svg" in page for page in pages) == (name != "refresh")
    assert SHOWN[name] in "".join([*pages, *(str(out.get("text", "")) for out in outputs[name])])
