"""`filon discover` as a person uses it: words in, a ranked list out, over real sockets."""

import csv
import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from command import filon
from discoverweb import SEARCH, serving
from toydiscovery import REPOSITORIES, TOPIC

SEARXNG = ("--search", f"searxng:url=http://{SEARCH},rate=1000/s")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FILON_CACHE", str(tmp_path / "answers.sqlite"))


def hosts(run: Path) -> set[str]:
    with (run / "sites.csv").open(encoding="utf-8", newline="") as file:
        return {urlsplit(row["url"]).hostname or "" for row in csv.DictReader(file)}


def test_a_topic_leads_to_the_repositories_of_a_small_web(tmp_path: Path) -> None:
    with serving() as web:
        ended = filon(tmp_path, "discover", TOPIC, *SEARXNG, *web.here, "--out", "run", "--json")
    assert ended.code == 0, ended.err
    told = ended.json
    assert (told["verb"], told["stopped"]) == ("discover", "exhausted")
    assert told["requests"] == len(web.log)
    assert max(web.counts().values()) == 1
    assert hosts(tmp_path / "run") == REPOSITORIES
    whole = json.loads((tmp_path / "run/sites.json").read_text())
    first = whole["sites"][0]
    assert (first["rank"], first["kind"]) == (1, "repository")
    assert first["files"] >= 10
    assert first["formats"] == ["csv"]
    assert {site["operator"] for site in whole["sites"]} <= {"keyword", "forward"}
    assert all(site["why"] for site in whole["sites"])
    urls = (tmp_path / "run/harvest.txt").read_text().split()
    assert urls == [site["url"] for site in whole["sites"]]
