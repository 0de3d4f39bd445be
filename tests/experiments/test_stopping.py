"""Invented sites, and where rules to stop would have stopped."""

import pytest

from experiments.invented import Invented, Plan, Section, sites
from experiments.stopping import Course, Look, choose, follow
from filon.core import Request


def test_the_same_seed_gives_the_same_site() -> None:
    first, again, other = (
        {site.name: (site.requests, site.targets) for site in sites(seed, scale=0.02)}
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other
    assert {"sparse", "archive", "switched", "faq"} < set(first)


@pytest.mark.parametrize("name", ["archive", "switched", "doors", "mixed 1"])
def test_a_harvest_to_the_last_link_finds_every_file_of_an_invented_site(name: str) -> None:
    (site,) = (site for site in sites(1, scale=0.03) if site.name == name)
    course = follow(site, site.requests)
    assert course.targets == site.targets
    assert course.last <= course.looks[-1].requests


def test_dead_links_redirects_and_files_are_answered_as_such() -> None:
    plan = Plan(
        name="small", sections=(Section(name="news", pages=60, files=9),), dead=0.2, moved=0.2
    )
    site = Invented(plan, 1)
    course = follow(site, site.requests)
    assert course.targets == 9
    assert course.looks[-1].requests == pytest.approx(site.requests, abs=4)
    assert site.answer(Request(url="http://invented.test/nowhere")).status == 404


def course(site: str, *looks: Look, targets: int = 100) -> Course:
    last = next(look.requests for look in looks if look.finds == looks[-1].finds)
    return Course(site=site, recorded=True, whole=1000, targets=targets, last=last, looks=looks)


def test_a_rule_stops_at_the_first_look_at_which_little_enough_is_left() -> None:
    made = course(
        "a", Look(100, 50, 500, 1.5, 40), Look(300, 99, 500, 0.5, 60), Look(900, 100, 500, 0.0, 99)
    )
    assert [made.stop(sure).requests for sure in (0.5, 2.0, 6.0)] == [100, 300, 900]
    assert [made.keeps(sure) for sure in (0.5, 2.0, 6.0)] == [False, True, True]


def test_bounds_are_counted_only_where_they_were_told() -> None:
    early, wrong, right = Look(50, 9, 99, 5.0, 0), Look(200, 40, 99, 9.0, 0), Look(300, 90, 9, 4, 0)
    assert course("a", early, wrong, right).told == pytest.approx(2 / 3)
    assert course("a", early, wrong, right).covered == 0.5


def test_nothing_is_over_right_after_a_find() -> None:
    assert (
        course("a", Look(100, 50, 500, 0.0, 3), Look(200, 100, 500, 0.0, 30)).stop(1.0).requests
        == 200
    )


def test_the_constant_of_a_site_is_chosen_on_the_others() -> None:
    easy = course("easy", Look(100, 100, 500, 0.1, 50), Look(900, 100, 500, 0.0, 99))
    hard = course(
        "hard",
        Look(100, 50, 500, 0.3, 50),
        Look(500, 100, 500, 0.2, 99),
        Look(900, 100, 500, 0.0, 99),
    )
    assert choose([easy, hard], easy) == 4.0
    assert choose([easy, hard], hard) == 1.0
