"""The known-item test of the search: its questions are well formed, and its files are there."""

import sys
from collections import Counter
from pathlib import Path

import pytest

from experiments import known_items
from experiments.known_items import KINDS, MOST_ASKED, drawn, questions
from filon.compare.replica import Replica
from filon.page.url import split


def test_there_are_200_questions_of_all_kinds_and_none_twice() -> None:
    asked = questions()
    assert len(asked) == 200
    assert len({question.words.casefold() for question in asked}) == 200
    kinds = Counter(question.kind for question in asked)
    assert set(kinds) == set(KINDS)
    assert kinds["typo"] == 30
    assert kinds["paraphrase"] == 40


def test_a_question_is_short_and_has_files_of_one_site() -> None:
    sites: Counter[str] = Counter()
    for question in questions():
        assert 2 <= len(question.words.split()) <= 6, question.words
        hosts = {split(url).netloc for url in question.urls}
        assert len(hosts) == 1, question.words
        sites.update(hosts)
    assert len(sites) == 12
    assert max(sites.values()) <= MOST_ASKED


def test_the_files_that_are_asked_for_are_targets_of_the_recorded_sites(shared: Path) -> None:
    of_site: dict[str, list[str]] = {}
    for url in sorted({url for question in questions() for url in question.urls}):
        of_site.setdefault(split(url).netloc.removesuffix(".test"), []).append(url)
    for name, urls in of_site.items():
        replica = Replica.open(shared / f"data/harvest/replicas/{name}.sqlite")
        assert [url for url in urls if replica.kind(url) != "target"] == []


def test_the_drawing_does_not_depend_on_the_order_and_takes_of_each_site() -> None:
    urls = [f"http://large.test/{number}.csv" for number in range(100)]
    urls.append("http://small.test/0.csv")
    chosen = drawn(urls)
    assert chosen == drawn(reversed(urls))
    assert len(chosen) == MOST_ASKED + 1
    assert "http://small.test/0.csv" in chosen[:9]


def test_without_recorded_sites_nothing_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    monkeypatch.setattr(sys, "argv", ["known_items", "--data", str(tmp_path), "build", str(out)])
    assert known_items.main() == 2
    assert "no recorded sites" in capsys.readouterr().err
    assert not out.exists()
