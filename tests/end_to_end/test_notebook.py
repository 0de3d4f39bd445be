"""What a person sees in a notebook: a real kernel runs the cells."""

from pathlib import Path

from notebooks import ran

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


def test_a_run_shows_its_progress_then_itself_and_a_search_is_a_table(tmp_path: Path) -> None:
    (harvest, awaited, catalog), states = ran(tmp_path, HARVEST, AWAITED, CATALOG)
    assert any("40 of 40 requests" in state for state in states), states[:3]
    assert any("20 of 20 requests" in state for state in states)
    assert states[-1] == ""
    assert "<svg" in harvest["data"]["text/html"]
    assert "report.html" in harvest["data"]["text/html"]
    assert awaited["text"] == "20\n"
    assert "<table" in catalog["data"]["text/html"]
