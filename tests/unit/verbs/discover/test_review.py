"""What the user says of some sites orders the others."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filon.core import Find, Reason, Request, Response, Step, UserError
from filon.run.folder import RunFolder
from filon.run.readonly import reading
from filon.testing.discovery import BEES, CARS
from filon.verbs.discover.found import Site, numbered, read_sites, write_sites
from filon.verbs.discover.found.verdicts import read_verdicts
from filon.verbs.discover.review import (
    MOST_LIFTED,
    MOST_LOWERED,
    Candidate,
    SiteReview,
    judged,
    ordered,
)
from fuzzing import examples


class Told:
    """A strategy that only tells what it has found."""

    def __init__(self, found: list[dict[str, Any]]) -> None:
        self._found = found

    def propose(self) -> Step | None:
        return None

    def observe(self, step: Step, response: Response) -> list[Find]:
        return []

    def state(self) -> dict[str, Any]:
        return {"version": 1}

    def restore(self, state: dict[str, Any]) -> None:
        pass

    def summary(self) -> dict[str, Any]:
        return {"found": self._found}


def page(words: list[str], n: int) -> bytes:
    turned = [*words[n % 5 :], *words[: n % 3]]
    return f"<title>Site {n}</title><p>{' '.join(turned)}".encode()


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run that has found sites on cars and on bees, by turns."""
    path = tmp_path / "run"
    sites = []
    with RunFolder.create(path, {"verb": "discover", "topic": "bee"}) as run:
        for n in range(12):
            name, words = ("car", CARS) if n % 2 == 0 else ("bee", BEES)
            url = f"http://{name}{n}.example/"
            step = Step(request=Request(url=url), reason=Reason(kind="link"))
            html = (("Content-Type", "text/html"),)
            answer = Response(url=url, status=200, headers=html, body=page(words, n), at_s=n + 1.0)
            run.record(run.begin(step), step, answer, [], idle=False)
            sites.append({"kind": "site", "url": url, "site": f"{name}{n}.example"})
        run.finish("exhausted", Told(sites))
    with reading(path) as ledger:
        write_sites(path, read_sites(path, ledger))
    return path


def names(sites: list[Site]) -> list[str]:
    return [site.site[:3] for site in sites]


def listed(run: Path) -> list[Site]:
    with reading(run) as ledger:
        return read_sites(run, ledger)


def test_without_a_word_the_order_is_the_strategys(run: Path) -> None:
    sites = listed(run)
    assert judged(run, sites) == sites
    assert names(sites[:4]) == ["car", "bee", "car", "bee"]


def test_what_was_accepted_brings_its_like_up_and_what_was_rejected_goes_last(run: Path) -> None:
    hearing = SiteReview(run)
    for _ in range(4):
        question = hearing.next()
        assert question is not None
        hearing.answer(question, question.site.site.startswith("bee"))
    hearing.end()
    after = listed(run)
    said = [site.verdict for site in after if site.verdict]
    assert said == sorted(said)
    assert after[0].verdict == "accepted"
    assert after[-1].verdict == "rejected"
    unsaid = names([site for site in after if not site.verdict])
    bees = unsaid.count("bee")
    assert bees >= 3
    assert unsaid[:bees].count("bee") >= bees - 1
    assert [site.rank for site in after] == list(range(1, 13))
    assert sorted(site.place for site in after) == list(range(1, 13))
    assert "car" not in (run / "harvest.txt").read_text()


def test_after_both_kinds_of_answers_doubtful_ones_are_asked_about_by_turns(run: Path) -> None:
    hearing = SiteReview(run)
    asked = []
    for _ in range(6):
        question = hearing.next()
        assert question is not None
        asked.append(question.site.place)
        hearing.answer(question, question.site.site.startswith("bee"))
    assert len(set(asked)) == 6
    assert asked[:2] == [1, 2]
    assert asked != sorted(asked)


def test_what_was_said_is_kept_at_once_and_not_asked_again(run: Path) -> None:
    hearing = SiteReview(run)
    for good in (True, None):
        question = hearing.next()
        assert question is not None
        hearing.answer(question, good)
    assert [one["said"] for one in read_verdicts(run).values()] == ["accepted", "skipped"]
    again = SiteReview(run, most=1).next()
    assert again is not None
    assert again.site.place == 3
    hearing = SiteReview(run, most=1)
    question = hearing.next()
    assert question is not None
    hearing.answer(question, False)
    assert hearing.next() is None


def test_the_last_answer_is_taken_back_and_asked_again(run: Path) -> None:
    hearing = SiteReview(run)
    first = hearing.next()
    assert first is not None
    hearing.answer(first, True)
    second = hearing.next()
    assert second is not None
    hearing.answer(second, False)
    later = SiteReview(run)
    assert later.undo()
    assert later.next() == second
    assert list(read_verdicts(run)) == [first.site.url]
    assert later.undo()
    assert not later.undo()
    assert later.next() == first


def test_the_list_stands_as_it_would_be_written(run: Path) -> None:
    hearing = SiteReview(run)
    for _ in range(4):
        question = hearing.next()
        assert question is not None
        hearing.answer(question, question.site.site.startswith("bee"))
    standing = hearing.standings(12)
    hearing.end()
    assert [one.key for one in standing] == [site.url for site in listed(run)]
    assert [one.said for one in standing if one.said] == ["accepted"] * 2 + ["rejected"] * 2
    assert len(hearing.standings(5)) == 5


def test_a_question_is_plain_data_too(run: Path) -> None:
    question = SiteReview(run).next()
    assert question is not None
    shown = question.told()
    assert shown.key == shown.url == question.site.url
    assert ("why", question.site.why) in shown.facts


def test_only_rejections_move_nothing_but_themselves(run: Path) -> None:
    hearing = SiteReview(run)
    question = hearing.next()
    assert question is not None
    hearing.answer(question, False)
    hearing.end()
    assert [site.place for site in listed(run)] == [*range(2, 13), 1]


def test_a_run_that_found_nothing_has_nothing_to_review(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path / "run", {"verb": "discover"}) as run:
        run.finish("exhausted", Told([]))
    with pytest.raises(UserError, match="nothing to review"):
        SiteReview(tmp_path / "run")


def test_numbers_are_places_from_1() -> None:
    assert [site.place for site in numbered([Site(), Site()])] == [1, 2]


def test_two_rejections_lift_no_site_of_a_low_score(run: Path) -> None:
    """A site that is like nothing was lifted from rank 16 to 7 when others were turned down."""
    sites = [replace(site, score=0.9 if site.site[:3] == "bee" else 0.019) for site in listed(run)]
    sites = numbered(sorted(sites, key=lambda site: -site.score))
    write_sites(run, sites)
    review = SiteReview(run)
    bees = [site for site in sites if site.site.startswith("bee")]
    for site, good in zip(bees, (True, False, False), strict=False):
        review.answer(Candidate(site=site), good)
    review.end()
    after = [site for site in listed(run) if not site.verdict]
    assert names(after) == ["bee"] * 3 + ["car"] * 6


def test_a_rejected_repository_leaves_harvest_txt_for_good(run: Path) -> None:
    """Also where a later session has found another best page of it."""
    sites = [replace(site, kind="repository") for site in listed(run)]
    write_sites(run, sites)
    review = SiteReview(run)
    review.answer(Candidate(site=sites[0]), False)
    review.end()
    host = sites[0].site
    assert host not in (run / "harvest.txt").read_text()
    later = [replace(sites[0], url=f"{sites[0].url}data/"), *sites[1:]]
    write_sites(run, judged(run, later))
    assert host not in (run / "harvest.txt").read_text()
    assert host not in (run / "catalog.ttl").read_text()


SCORES = st.lists(st.floats(0, 1), min_size=2, max_size=12)
CONTRASTS = st.lists(st.floats(-1, 1), min_size=12, max_size=12)


@examples(200)
@given(SCORES, CONTRASTS)
def test_answers_lift_nothing_above_what_is_far_better(
    scores: list[float], contrasts: list[float]
) -> None:
    sites = numbered(Site(url=str(n), score=score) for n, score in enumerate(sorted(scores)[::-1]))
    after = ordered(sites, {str(n): one for n, one in enumerate(contrasts)})
    assert sorted(site.place for site in after) == [site.place for site in sites]
    for number, high in enumerate(after):
        for low in after[number + 1 :]:
            assert low.score <= high.score * MOST_LIFTED * MOST_LOWERED + 1e-9


@examples(200)
@given(SCORES, CONTRASTS, st.integers(0, 11), st.floats(0, 1))
def test_a_no_lowers_its_like_and_moves_no_other_pair(
    scores: list[float], contrasts: list[float], which: int, more: float
) -> None:
    sites = numbered(Site(url=str(n), score=score) for n, score in enumerate(sorted(scores)[::-1]))
    before = {str(n): one for n, one in enumerate(contrasts)}
    which %= len(sites)
    lowered = before | {str(which): max(-1.0, before[str(which)] - more)}
    old = [site.url for site in ordered(sites, before)]
    new = [site.url for site in ordered(sites, lowered)]
    old.remove(str(which))
    new.remove(str(which))
    assert old == new
