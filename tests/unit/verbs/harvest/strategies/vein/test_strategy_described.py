"""Files that pages name to machines alone, as `vein` and the strategies of the paper see them."""

import json

import pytest

from filon.core import Request
from filon.page.types import Types
from filon.testing.site import CSV, HOST
from filon.verbs.harvest.strategies import Brief, build
from unit.verbs.harvest.strategies.vein.crawls import Enlarged, crawl, vein

SETS = 12


def portal() -> dict[str, tuple[int, str, bytes]]:
    """Pages of datasets that scripts put together: their files stand in no link."""
    catalogue = {"@type": "DataCatalog", "dataset": [_set(n) for n in range(SETS)]}
    answers = {"/topic/0": _page(catalogue, "<a href=/about>About</a>")}
    for n in range(SETS):
        share = {"@type": "DataDownload", "name": "Table", "contentUrl": f"{HOST}/get?id={n}"}
        menu = "".join(f"<a href=/word/{n}/{i}>Word</a>" for i in range(6))
        answers[f"/described/{n}"] = _page(_set(n) | {"distribution": [share]}, menu)
    answers["/get"] = 200, "text/csv", CSV
    return answers


def _set(n: int) -> dict[str, object]:
    return {"@type": "Dataset", "name": f"Set {n}", "url": f"{HOST}/described/{n}"}


def _page(data: object, more: str) -> tuple[int, str, bytes]:
    told = json.dumps({"@context": "https://schema.org/", "@graph": [data]})
    script = f'<script type="application/ld+json">{told}</script>'
    return 200, "text/html", f"<html><body><nav>{more}</nav>{script}</body></html>".encode()


def test_files_that_only_json_ld_names_are_found_and_their_like_come_first() -> None:
    site = Enlarged(portal)
    asked = [step.request.url for step, _ in crawl(vein(site, stop="never"), site)]
    files = [place for place, url in enumerate(asked) if "/get?" in url]
    words = [place for place, url in enumerate(asked) if "/word/" in url]
    assert len(files) == SETS
    assert sum(word > files[-1] for word in words) > len(words) / 2


def test_why_tells_where_they_stand() -> None:
    site = Enlarged(portal)
    steps = [step for step, _ in crawl(vein(site, stop="never"), site)]
    arms = {step.reason.arm for step in steps if "/get?" in step.request.url}
    assert arms == {"ld+json/DataDownload/contentUrl"}


@pytest.mark.parametrize("name", ["bfs", "dfs", "random", "focused", "sb"])
def test_the_strategies_of_the_papers_take_links_alone(name: str) -> None:
    site = Enlarged(portal)
    strategy = build(name, Brief(start=site.start, types=Types.parse("data"), stop="never"))
    asked = [step.request.url for step, _ in crawl(strategy, site)]
    assert f"{HOST}/about" in asked
    assert not any("/get" in url or "/described/" in url for url in asked)


def test_a_round_meets_them_again() -> None:
    site = Enlarged(portal)
    strategy = vein(site, stop="never")
    step = strategy.propose()
    assert step is not None
    strategy.observe(step, site.answer(step.request))
    page = site.answer(Request(url=f"{HOST}/described/3"))
    found = strategy.reread(step, page)  # type: ignore[attr-defined]
    assert found.links == 6 + 2  # the menu's, the file, and the dataset's own address
