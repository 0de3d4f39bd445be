"""What is told of `vein` and the others on a small site made here."""

from pathlib import Path

import pytest

from experiments.elsewhere import FLOOR, OTHERS, SHIPPED, crawls, figures, main, stops
from experiments.rebuild import write
from filon.compare.replica import Replica
from filon.page.types import Types

PAGES = 30
#: All files are behind the last page.
LINKS = "".join(f'<a href="/page/{number}.html">{number}</a>' for number in range(PAGES))
FILES = "".join(f'<a href="/data/{number}.csv">{number}</a>' for number in range(10))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = [("index.html", LINKS.encode())]
    files += [(f"page/{number}.html", b"<p>nothing") for number in range(PAGES - 1)]
    files += [(f"page/{PAGES - 1}.html", FILES.encode())]
    files += [(f"data/{number}.csv", f"a,b\\n1,{number}\\n".encode()) for number in range(10)]
    write(tmp_path / "small.sqlite", "small", {"start": "/", "hosts": []}, files)
    return tmp_path


def test_requests_and_area_are_shares_of_a_full_crawl(folder: Path) -> None:
    types = Types.parse("paper")
    runs = crawls(Replica.open(folder / "small.sqlite", types), 1, types)
    whole = 1 + PAGES + 10
    assert runs["bfs"][0].requests == pytest.approx((whole - 1) / whole)
    assert runs[FLOOR][0].requests == pytest.approx((2 + 9) / whole)
    assert runs[FLOOR][0].area == pytest.approx((2 + 9 / 2) / whole)
    assert all(run.last == 10 for of in runs.values() for run in of)


def test_the_tables_name_each_crawler_and_site(folder: Path) -> None:
    types = Types.parse("paper")
    sites = {"small": crawls(Replica.open(folder / "small.sqlite", types), 1, types)}
    table = list(figures(sites, "requests"))
    assert all(name in table[0] for name in (*OTHERS, FLOOR, SHIPPED))
    assert table[2].startswith("| small |")
    assert "At least 98% of the files: 1 of 1 runs" in list(stops(sites))


def test_a_folder_without_sites_is_a_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 2
    assert "no recorded sites" in capsys.readouterr().err
