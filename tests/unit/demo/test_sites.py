import hashlib
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import filon
from filon.demo.answer import Answer
from filon.demo.sites import SITES, answer
from patience import PATIENCE_S

Walk = dict[str, Answer]

DIGEST = """
import hashlib, sys
from filon.demo.sites import answer
digest = hashlib.sha256()
for url in sys.stdin.read().split():
    found = answer(url)
    digest.update(repr((found.status, found.headers)).encode() + found.body)
print(digest.hexdigest())
"""


def pages(walk: Walk) -> list[str]:
    return [
        url
        for url, found in walk.items()
        if found.status == 200 and found.header("content-type").startswith("text/html")
    ]


def files(walk: Walk, *endings: str) -> list[str]:
    return [url for url, found in walk.items() if found.status == 200 and url.endswith(endings)]


def digest(urls: list[str]) -> str:
    whole = hashlib.sha256()
    for url in urls:
        found = answer(url)
        whole.update(repr((found.status, found.headers)).encode() + found.body)
    return whole.hexdigest()


def test_every_answer_has_the_same_bytes_in_a_fresh_process(
    portal_walk: Walk, ngo_walk: Walk, blog_walk: Walk
) -> None:
    urls = sorted([*portal_walk, *ngo_walk, *blog_walk])
    source = Path(filon.__file__).parents[1]
    elsewhere = subprocess.run(
        [sys.executable, "-c", DIGEST],
        input="\n".join(urls),
        env={**os.environ, "PYTHONHASHSEED": "4321", "PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
    )
    assert elsewhere.stdout.strip() == digest(urls)


def test_the_portal_has_some_800_pages(portal_walk: Walk) -> None:
    assert 750 <= len(pages(portal_walk)) <= 850


def test_the_portal_is_half_french(portal_walk: Walk) -> None:
    languages = Counter(url.split("/")[3] for url in pages(portal_walk))
    assert abs(languages["en"] - languages["fr"]) < 20
    french = portal_walk["http://statistics.test/fr/donnees"].body.decode()
    assert '<html lang="fr">' in french
    assert "Jeux de données" in french


def test_the_association_has_some_60_pages_and_dozens_of_files(ngo_walk: Walk) -> None:
    assert 50 <= len(pages(ngo_walk)) <= 70
    assert len(files(ngo_walk, ".csv", ".ods")) >= 24
    assert len(files(ngo_walk, ".pdf")) >= 20


def test_the_blog_has_some_80_pages_and_three_files(blog_walk: Walk) -> None:
    assert 70 <= len(pages(blog_walk)) <= 90
    assert len(files(blog_walk, ".csv", ".json", ".xlsx")) == 3


@pytest.mark.parametrize("name", ["ngo_walk", "blog_walk"])
def test_no_link_is_dead_on_the_small_sites(name: str, request: pytest.FixtureRequest) -> None:
    walk: Walk = request.getfixturevalue(name)
    assert [url for url, found in walk.items() if found.status != 200] == []


def test_the_sites_link_to_each_other(portal_walk: Walk, ngo_walk: Walk, blog_walk: Walk) -> None:
    for host, walk in zip(SITES, (portal_walk, ngo_walk, blog_walk), strict=True):
        text = b"".join(found.body for found in walk.values()).decode("utf-8", "replace")
        assert all(f"http://{other}/" in text for other in SITES if other != host)


def test_an_unknown_host_is_not_there() -> None:
    assert answer("http://elsewhere.test/").status == 404
