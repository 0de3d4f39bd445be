"""The site that changes: its history is one of its seed, and it answers as servers do."""

from pathlib import Path

import pytest

from experiments import revisits, rounds
from experiments.changing import ChangingWeb, sections
from experiments.revisits import (
    ANCHORS,
    BUDGET,
    ENOUGH,
    FROM_ROUND,
    Anchor,
    Round,
    late_finds,
    means,
)
from filon.core import Request
from filon.page.gist import gist, same
from filon.page.links import links
from replicas import PORTAL, Pages, page, write_replica

#: Forty more pages with files of four sections, listed by a page each.
SITE: Pages = {
    **PORTAL,
    "index.html": page("sets", *(f"part{n}/" for n in range(4))),
    **{f"part{n}/index.html": page(*(f"p{i}.html" for i in range(30))) for n in range(4)},
    **{f"part{n}/p{i}.html": page(f"f{i}.csv") for n in range(4) for i in range(30)},
    **{
        f"part{n}/f{i}.csv": ("text/csv", f"a,b\n{n},{i}\n".encode())
        for n in range(4)
        for i in range(30)
    },
}


@pytest.fixture
def replica(tmp_path: Path) -> Path:
    return write_replica(tmp_path, pages=SITE)


def changed(web: ChangingWeb, rounds: int = 6) -> ChangingWeb:
    for _ in range(rounds):
        web.advance()
    return web


def test_the_history_is_that_of_the_seed_whoever_asks(replica: Path) -> None:
    one, other, third = (ChangingWeb(replica, seed) for seed in (1, 1, 2))
    for number in range(1, 5):
        one.answer(Request(url=one.start))
        assert one.advance() == other.advance()
        assert third.advance() is third.truth(number)
    assert [one.truth(n) for n in range(5)] != [third.truth(n) for n in range(5)]


def test_as_much_changes_as_was_said(replica: Path) -> None:
    counts = {"changed": 0, "new": 0, "vanished": 0}
    files = 0
    for seed in range(6):
        web = ChangingWeb(replica, seed)
        for _ in range(6):
            files += sum(not one.is_page and not one.is_gone for one in web.things())
            truth = web.advance()
            for what in counts:
                counts[what] += len(getattr(truth, what))
    shares = {what: number / files for what, number in counts.items()}
    assert shares == {
        "changed": pytest.approx(0.05, abs=0.02),
        "new": pytest.approx(0.02, abs=0.012),
        "vanished": pytest.approx(0.01, abs=0.006),
    }


def test_what_is_new_is_linked_and_there_and_what_vanished_is_neither(replica: Path) -> None:
    web = changed(ChangingWeb(replica, 3))
    pages = [one for one in web.things() if one.is_page and not one.is_gone]
    linked = {
        link.url
        for one in pages
        for link in links(web.answer(Request(url=one.url)).body, one.url, "text/html")
    }
    gone = {url for number in range(7) for url in web.truth(number).vanished}
    moved = {old: new for number in range(7) for old, new in web.truth(number).moved.items()}
    new = {url for number in range(7) for url in web.truth(number).new}
    assert new
    assert gone
    assert new - gone - set(moved) <= linked
    assert not gone & linked
    assert not set(moved) & linked
    for url in gone | set(moved):
        assert web.answer(Request(url=url)).status in (404, 410)
    for url in new - gone - set(moved):
        assert web.answer(Request(url=url)).status == 200


def test_a_version_is_known_by_its_tag_until_it_changes(replica: Path) -> None:
    web = ChangingWeb(replica, 1)
    urls = [one.url for one in web.things()]
    tags = {url: web.answer(Request(url=url)).header("etag") for url in urls}
    bodies = {url: web.answer(Request(url=url)).body for url in urls}
    web.advance()
    for url in urls:
        condition = (("If-None-Match", tags[url]),)
        known = web.answer(Request(url=url, headers=condition)).status == 304
        now = web.answer(Request(url=url))
        is_same = now.status == 200 and same(gist(bodies[url], url=url), gist(now.body, url=url))
        assert known == is_same, url
    assert web.log[-2].conditional
    assert not web.log[-1].conditional


def test_without_tags_every_answer_is_whole_and_its_clock_moves(replica: Path) -> None:
    web = ChangingWeb(replica, 1, etags=False)
    one, other = (web.answer(Request(url=web.start)) for _ in range(2))
    assert not one.header("etag")
    assert one.body != other.body
    assert same(gist(one.body, url=web.start), gist(other.body, url=web.start))


def test_a_changed_file_has_other_bytes(replica: Path) -> None:
    web = ChangingWeb(replica, 1)
    urls = [one.url for one in web.things() if not one.is_page]
    for _ in range(4):
        before = {url: web.answer(Request(url=url)).body for url in urls}
        truth = web.advance()
        after = {url: web.answer(Request(url=url)) for url in urls}
        differ = {
            url for url in urls if after[url].status == 200 and after[url].body != before[url]
        }
        assert differ == truth.changed & set(urls)


@pytest.mark.parametrize("name", ANCHORS)
def test_an_anchor_keeps_to_its_budget_and_finds_all_without_one(replica: Path, name: str) -> None:
    web = ChangingWeb(replica, 2)
    anchor = Anchor(web)
    web.advance()
    assert anchor.go(20, name).requests <= 20
    web.advance()
    whole = anchor.go(10_000, name)
    assert whole.left == 0
    assert whole.found > 0


def test_sections_are_folders_and_else_beginnings_of_names() -> None:
    urls = [f"http://a.test/data/{kind}-{n}.csv" for kind in ("road", "rail") for n in range(9)]
    assert set(sections([*urls, "http://a.test/x"])) == {"/data/road-", "/data/rail-", "/"}


def test_new_files_are_two_in_a_hundred_whatever_came_before(replica: Path) -> None:
    web = ChangingWeb(replica, 3)
    for _ in range(4):
        files = sum(not thing.is_page and not thing.is_gone for thing in web.things())
        assert sum(web.expected_new().values()) == pytest.approx(0.02 * files)
        web.advance()


def test_means_are_of_histories_that_tell_something() -> None:
    def history(refresh: int, robin: int, oracle: int) -> dict[str, list[Round]]:
        found = {"refresh": refresh, "round robin": robin, "oracle": oracle, "clairvoyant": 60}
        rounds = {name: [Round()] * FROM_ROUND + [Round(found=n)] for name, n in found.items()}
        return rounds | {"unbounded": [Round(), Round(found=8), Round(found=1, left=1)]}

    told = means([history(40, 20, 50), history(90, 20, 50), history(1, 9, ENOUGH - 1)])
    assert told.startswith("2 histories")
    assert "refresh / round robin: 3.00 (" in told
    assert "refresh / oracle: 1.20 (" in told
    assert "clairvoyant / round robin: 3.00 (3.00 to 3.00)" in told
    assert "found without a budget: 27 of 30" in told


def test_who_knows_what_has_changed_finds_most(replica: Path) -> None:
    found = {}
    for name in ANCHORS:
        web = ChangingWeb(replica, 2)
        anchor, rounds = Anchor(web), [Round()]
        for _ in range(5):
            web.advance()
            rounds.append(anchor.go(20, name))
        found[name] = rounds
    late = late_finds(found)
    assert late["round robin"] < late["oracle"] <= late["clairvoyant"]


def test_a_model_finds_what_a_refresh_does(
    replica: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for experiment in (revisits, rounds):
        monkeypatch.setattr(experiment, "ROUNDS", 2)
    played = revisits.measure(replica, 1, etags=True, folder=tmp_path / "played")
    modelled = rounds.measure(replica, 1)
    assert all(modelled[name][1:] == played[name][1:] for name in ANCHORS)
    found = {
        kind: {name: sum(one.found for one in told[name][1:]) for name in ("unbounded", "refresh")}
        for kind, told in (("played", played), ("modelled", modelled))
    }
    assert found["played"]["refresh"] > 5
    assert found["modelled"] == pytest.approx(found["played"], abs=2)
    budget = int(BUDGET * played["unbounded"][0].requests)
    assert all(one.requests <= budget for one in modelled["refresh"])
    assert "of" in rounds.line("here", 1, modelled)
