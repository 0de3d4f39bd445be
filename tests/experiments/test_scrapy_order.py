from pathlib import Path

import pytest

from experiments import scrapy_order
from experiments.scrapy_order import WAYS, crawl, main, requests_to


def entry(kind: str, target: str = "/x") -> dict[str, object]:
    return {"class": kind, "target": target}


def test_requests_are_counted_up_to_the_last_file_that_it_takes() -> None:
    log = [entry("html"), entry("target", "/1"), entry("target", "/1"), entry("redirect")]
    log += [entry("target", "/2"), entry("html")]
    assert requests_to(log, 1) == 2
    assert requests_to(log, 2) == 5
    assert requests_to(log, 3) is None


def test_one_site_is_crawled_in_the_order_of_vein(shared: Path) -> None:
    """ipho in Scrapy's own order takes 515 requests, and a harvest about 104."""
    assert 28 * 0.9 < crawl(shared / "data/harvest", "ipho", "vein", 1) < 150


def test_every_way_and_the_ratios_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    counts = dict(zip(WAYS, (400, 200, 100, 80), strict=True))
    monkeypatch.setattr(scrapy_order, "crawl", lambda data, site, way, parallel: counts[way])
    monkeypatch.setattr("sys.argv", ["scrapy_order", "ipho", "cantabria"])
    assert main() == 0
    told = capsys.readouterr().out.splitlines()
    assert told[1] == "ipho | 400 | 200 | 100 | 80"
    assert told[3:] == [
        "of own: 0.25, worst 0.25",
        "of breadth-first: 0.50, worst 0.50",
        "of harvest: 1.25, worst 1.25",
    ]


def test_recorded_sites_that_are_not_there_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["scrapy_order", "--data", str(tmp_path)])
    assert main() == 2
    assert str(tmp_path) in capsys.readouterr().err
