"""Algorithms 1 to 4 on sites small enough to follow by hand."""

import math

import pytest

from filon.core import Response, Step, UserError
from filon.verbs.harvest.strategies.parameters import BOUNDS, CHOICES, DEFAULTS
from filon.verbs.harvest.strategies.sb import SleepingBandit
from unit.verbs.harvest.strategies.site import HOME, Site, answer, brief, told, walk

CSV = "a,b\n1,2\n"


def test_the_first_links_are_labelled_by_head_until_a_batch_is_full() -> None:
    """Algorithm 2: the start page is one label of b = 3; errors are none."""
    site: Site = {"": ["dead1", "page1", "page2", "page3", "page4"], "page1": [], "page2": []}
    steps = told(walk(SleepingBandit(brief(options={"b": 3})), site))
    assert steps[:4] == ["GET /", "HEAD /dead1", "HEAD /page1", "HEAD /page2"]
    assert {step for step in steps if step.startswith("HEAD")} == set(steps[1:4])
    assert "GET /dead1" not in steps
    assert "GET /page4" in steps


def test_a_link_taken_for_a_target_is_fetched_at_once_and_rewards_its_page() -> None:
    site: Site = {
        "": ["page1", "page2"],
        "page1": ["data1", "data2", "more1"],
        "page2": [],
        "data1": CSV,
        "data2": CSV,
        "more1": [],
    }
    strategy = SleepingBandit(brief())
    steps = told(walk(strategy, site))
    at = steps.index("HEAD /data1")
    assert steps[at : at + 5] == [
        "HEAD /data1",
        "GET /data1",
        "HEAD /data2",
        "GET /data2",
        "HEAD /more1",
    ]
    pages, more = 0, 1
    assert sorted(strategy.rewards) == [(pages, 0), (pages, 2), (more, 0)]
    assert strategy.arms.bandit.means.tolist() == [1.0, 0.0]


def test_a_dead_link_is_a_pull() -> None:
    site: Site = {"": ["gone1", "gone2"]}
    strategy = SleepingBandit(brief())
    strategy.classifier.skip_heads()
    walk(strategy, site)
    assert strategy.arms.bandit.pulls.tolist() == [2.0]
    assert strategy.arms.bandit.means.tolist() == [0.0]


def test_a_redirect_is_followed_at_once_for_the_arm_that_was_pulled() -> None:
    site: Site = {
        "": ["moved1", "page1"],
        "moved1": "->/new",
        "new": ["data1"],
        "data1": CSV,
        "page1": [],
    }
    strategy = SleepingBandit(brief())
    steps = walk(strategy, site)
    asked = told(steps)
    at = asked.index("GET /moved1")
    assert asked[at + 1] == "GET /new"
    assert steps[at].reason.arm == steps[at + 1].reason.arm != ""
    assert (0, 1) in strategy.rewards


def test_a_page_taken_for_a_target_gets_an_arm_of_its_own_and_a_pull() -> None:
    """Algorithm 4 calls itself on it before the next link of the page."""
    site: Site = {"": ["odd1", "page1"], "odd1": ["deep1"], "page1": [], "deep1": []}
    strategy = SleepingBandit(brief())
    heads = {"odd1": CSV}
    steps: list[Step] = []
    while step := strategy.propose():
        steps.append(step)
        strategy.observe(step, answer({**site, **heads}, step))
        heads = heads if step.request.method == "GET" and step.request.url == HOME else {}
    asked = told(steps)
    assert asked[1:4] == ["HEAD /odd1", "GET /odd1", "HEAD /deep1"]
    assert strategy.arms.examples[0].endswith("div.odd/a")
    assert strategy.arms.bandit.pulls[0] == 1


def test_the_start_page_rewards_no_arm() -> None:
    site: Site = {"": ["data1", "page1"], "data1": CSV, "page1": []}
    strategy = SleepingBandit(brief())
    walk(strategy, site)
    assert strategy.rewards == [(0, 0)]


def test_a_reason_holds_the_score_that_the_arm_was_chosen_by() -> None:
    """s(a) = R_mean + alpha sqrt(log t / (N + epsilon)), before the pull is counted."""
    site: Site = {"": ["page1", "page2", "page3"]}
    strategy = SleepingBandit(brief())
    strategy.classifier.skip_heads()
    pulls = [step for step in walk(strategy, site) if step.reason.kind == "link"]
    expected = [2 * math.sqrt(2) * math.sqrt(math.log(t) / (t - 1 + 1e-6)) for t in (2, 3)]
    assert [step.reason.score for step in pulls[1:]] == pytest.approx(expected)


@pytest.mark.parametrize("status", [400, 403, 405, 500, 501])
def test_a_server_that_refuses_head_is_not_asked_again(status: int) -> None:
    site: Site = {"": [f"page{n}" for n in range(6)], **{f"page{n}": [] for n in range(6)}}
    strategy = SleepingBandit(brief())
    steps: list[Step] = []
    while step := strategy.propose():
        steps.append(step)
        refused = Response(url=step.request.url, status=status)
        strategy.observe(step, refused if step.request.method == "HEAD" else answer(site, step))
    asked = told(steps)
    assert sum(step.startswith("HEAD") for step in asked) == 3
    assert sum(step.startswith("GET") for step in asked) == 7


def test_what_robots_txt_forbids_does_not_end_the_asking() -> None:
    names = [*(f"secret{n}" for n in range(5)), "data1"]
    site: Site = {"": names, "data1": CSV}
    strategy = SleepingBandit(brief())
    steps: list[Step] = []
    while step := strategy.propose():
        steps.append(step)
        denied = Response(url=step.request.url, error="robots")
        strategy.observe(step, denied if "secret" in step.request.url else answer(site, step))
    assert told(steps)[1:] == [*(f"HEAD /{name}" for name in names), "GET /data1"]


def test_the_defaults_are_the_papers() -> None:
    assert {
        "alpha": 2 * math.sqrt(2),
        "n": 2,
        "theta": 0.75,
        "m": 12,
        "w": 15,
        "b": 10,
        "features": "url",
        "model": "lr",
    } == DEFAULTS
    assert DEFAULTS.keys() == BOUNDS.keys() | CHOICES.keys()


@pytest.mark.parametrize(
    ("name", "value"),
    [("n", 0), ("n", 1.5), ("m", 40), ("theta", math.nan), ("alpha", "x"), ("w", 11), ("b", 0)],
)
def test_a_parameter_out_of_bounds_is_the_users_mistake(name: str, value: str | float) -> None:
    with pytest.raises(UserError, match=f"option {name} is"):
        SleepingBandit(brief(options={name: value}))


@pytest.mark.parametrize("features", ["url", "context"])
def test_the_text_round_a_link_is_read_where_the_classifier_looks_at_it(features: str) -> None:
    page = b"<p>Download the figures <a href=/x>here</a></p>"
    strategy = SleepingBandit(brief(options={"features": features}))
    start = strategy.propose()
    assert start is not None
    type_ = (("Content-Type", "text/html"),)
    strategy.observe(start, Response(url=HOME, status=200, headers=type_, body=page))
    ((_, _, (link,), _, _),) = strategy.state()["visits"]
    around = link[-1]
    assert around == ("Download the figures here" if features == "context" else "")
