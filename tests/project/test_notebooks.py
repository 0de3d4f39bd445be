"""An example notebook with the wheel, by the program of Jupyter that executes notebooks."""

import json
from pathlib import Path

from project.checkout import ROOT
from project.clean import run

EXECUTE = "from nbclient.cli import main; main()"


def test_a_notebook_is_executed_with_the_wheel(clean: Path, tmp_path: Path) -> None:
    book = json.loads((ROOT / "docs/notebooks/enrich.ipynb").read_text("utf-8"))
    book["cells"][-1]["source"].insert(0, "print(filon.__file__)\n")
    (tmp_path / "enrich.ipynb").write_text(json.dumps(book))
    run(clean / "python", "-c", EXECUTE, "enrich.ipynb", "--inplace", cwd=tmp_path)
    cells = json.loads((tmp_path / "enrich.ipynb").read_text("utf-8"))["cells"]
    printed, shown = cells[-1]["outputs"]
    assert Path(printed["text"][0].strip()).is_relative_to(clean.parent)
    assert "filon enrich" in "".join(shown["data"]["text/html"])
