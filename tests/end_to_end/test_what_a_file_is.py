"""Every harvest strategy tells the same of the same files, resumed or not, and names them so."""

import csv
from pathlib import Path
from typing import Any

import pytest

import filon
from filon.verbs.harvest.strategies import STRATEGIES
from loopback import Loopback, Page, serving

CSV = {"Content-Type": "text/csv", "Last-Modified": "Wed, 01 Jan 2020 10:00:00 GMT"}
CC = "https://creativecommons.org/licenses/by/4.0/"
HOME = """<!doctype html><title>Office</title><h1>Statistics</h1>
<p><a href="/people">People</a> <a href="/economy">Economy</a>"""
PEOPLE = f"""<!doctype html><title>People | Office</title><h1>People</h1><h2>Regions</h2>
<table><tr><td>Population by region</td><td><a href="/d/2-2-1.csv">CSV</a></td></tr></table>
<h2>Births</h2><ul><li><a href="/d/3-1.csv">2019</a></li><li><a href="/get?id=4">2020</a></li></ul>
<p><a rel=license href="{CC}">Terms</a>"""
ECONOMY = """<!doctype html><title>Economy</title><h1>Economy</h1>
<p><a href="/go/9">Gross product</a> <a href="/d/attachment">Download</a>"""
SITE = {
    "/": Page(body=HOME.encode()),
    "/people": Page(body=PEOPLE.encode()),
    "/economy": Page(body=ECONOMY.encode()),
    "/d/2-2-1.csv": Page(body=b"a,b\n1,1\n", headers=CSV),
    "/d/3-1.csv": Page(body=b"a,b\n1,2\n", headers=CSV),
    "/get?id=4": Page(body=b"a,b\n1,3\n", headers=CSV),
    "/go/9": Page(status=302, headers={"Location": "/d/9.csv"}),
    "/d/9.csv": Page(body=b"a,b\n1,4\n", headers={"Content-Type": "text/csv"}),
    "/d/attachment": Page(
        body=b"a,b\n1,5\n",
        headers={"Content-Type": "text/csv", "Content-Disposition": "attachment; filename=gdp.csv"},
    ),
}
DAY = "2020-01-01T10:00:00Z"
#: By path: name, link_text, around, headings, page_title, licence, modified; the readable name.
FILES = {
    "d/2-2-1.csv": [
        *("2-2-1.csv", "CSV", "Population by region", "People > Regions", "People | Office"),
        *(CC, DAY, "population-by-region.csv"),
    ],
    "d/3-1.csv": [
        *("3-1.csv", "2019", "", "People > Births", "People | Office"),
        *(CC, DAY, "births-2019.csv"),
    ],
    "get?id=4": [
        *("get.csv", "2020", "", "People > Births", "People | Office"),
        *(CC, DAY, "births-2020.csv"),
    ],
    "d/9.csv": ["9.csv", "Gross product", "", "Economy", "Economy", "", "", "gross-product.csv"],
    "d/attachment": ["gdp.csv", "Download", "", "Economy", "Economy", "", "", "gdp.csv"],
}
COLUMNS = ("name", "link_text", "around", "headings", "page_title", "licence", "modified")


def told(run: Path, site: Loopback) -> dict[str, list[str]]:
    """Return what the export of the files tells, by path."""
    folder = filon.export(run, "files", out=run.with_name("files"))
    with (folder / "index.csv").open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file)]
    assert all((folder / row["path"]).is_file() for row in rows)
    return {
        row["url"].removeprefix(site.url): [
            *(row[name] for name in COLUMNS),
            row["path"].rpartition("/")[2],
        ]
        for row in rows
    }


def harvest(site: Loopback, out: Path, strategy: str, **more: Any) -> filon.Run:
    return filon.harvest(site.url, out=out, strategy=strategy, delay=0.0, stop="never", **more)


@pytest.mark.parametrize("strategy", [*STRATEGIES])
def test_every_strategy_tells_it_of_every_file(strategy: str, tmp_path: Path) -> None:
    with serving(SITE) as site:
        run = harvest(site, tmp_path / "run", strategy)
        assert told(run.path, site) == FILES


@pytest.mark.parametrize("strategy", [*STRATEGIES])
def test_a_run_in_pieces_tells_the_same(strategy: str, tmp_path: Path) -> None:
    with serving(SITE) as site:
        budget = 3
        run = harvest(site, tmp_path / "run", strategy, budget=budget)
        while run.stopped == "budget":
            budget += 2
            run = filon.resume(run.path, budget=budget)
        assert budget > 9
        assert told(run.path, site) == FILES
