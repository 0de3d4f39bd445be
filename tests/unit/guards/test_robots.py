import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from filon.core import Response, Step
from filon.guards.robots import MAX_WAITING, RobotsGuard
from unit.guards.inner import Listed, answer, run, thawed

RULES = b"User-agent: *\nDisallow: /private\nCrawl-delay: 3\n"
SITE = [f"http://a.org/{path}" for path in ("", "x", "private/y", "z", "private/w")]


def robots_says(status: int, body: bytes = b"", **more: object) -> dict[str, Response]:
    url = "http://a.org/robots.txt"
    return {url: Response(url=url, status=status, body=body, at_s=1.0, **more)}  # type: ignore[arg-type]


def test_robots_txt_is_fetched_before_the_first_step() -> None:
    inner = Listed(SITE)
    steps = run(RobotsGuard(inner, "filon"), robots_says(200, RULES))
    assert [step.request.url for step in steps] == [
        "http://a.org/robots.txt",
        "http://a.org/",
        "http://a.org/x",
        "http://a.org/z",
    ]
    assert steps[0].reason.kind == "robots"
    assert steps[0].reason.text
    assert {step.reason.kind for step in steps[1:]} == {"link"}


def test_denied_steps_come_back_as_answers_that_cost_nothing() -> None:
    inner = Listed(SITE)
    strategy = RobotsGuard(inner, "filon")
    run(strategy, robots_says(200, RULES))
    denied = [(step.request.url, r) for step, r in inner.seen if r.error == "robots"]
    assert [url for url, _ in denied] == ["http://a.org/private/y", "http://a.org/private/w"]
    assert all(r.status == 0 and r.wire_bytes == 0 and r.detail for _, r in denied)
    assert {r.sent for _, r in denied} == {"withheld"}
    assert strategy.summary()["skipped"] == {"traps": 1, "robots": 2}
    assert strategy.summary()["robots"]["http://a.org"]["outcome"] == "read"
    assert strategy.summary()["inner"] == "listed"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"status": 503}, "robots.txt not read"),
        ({"error": "connect"}, "robots.txt not read"),
        ({"error": "private"}, "private address"),
    ],
)
def test_what_is_skipped_is_told_apart_by_why_nobody_may_ask(
    said: dict[str, Any], reason: str
) -> None:
    strategy = RobotsGuard(Listed([*SITE, "http://b.org/1"]), "filon")
    url = "http://b.org/robots.txt"
    says = {**robots_says(200, RULES), url: Response(url=url, at_s=1.0, **said)}
    run(strategy, says)
    assert strategy.summary()["skipped"] == {"traps": 1, "robots": 2, reason: 1}
    again = RobotsGuard(Listed([]), "filon")
    again.restore(thawed(strategy.state()))
    assert again.summary()["skipped"] == strategy.summary()["skipped"]


def test_a_state_with_one_count_for_all_reasons_is_read() -> None:
    strategy = RobotsGuard(Listed(SITE), "filon")
    strategy.restore(strategy.state() | {"denied": 7})
    assert strategy.summary()["skipped"] == {"traps": 1, "robots": 7}


def test_the_crawl_delay_goes_with_each_request_and_the_inner_strategy_sees_its_own_step() -> None:
    inner = Listed(SITE)
    steps = run(RobotsGuard(inner, "filon"), robots_says(200, RULES))
    assert {step.request.delay_s for step in steps[1:]} == {3.0}
    assert [step for step, _ in inner.seen] == inner.proposed


def test_every_host_scheme_and_port_has_its_own_robots_txt() -> None:
    urls = ["http://a.org/1", "https://a.org/1", "http://a.org:81/1", "http://b.a.org/1"]
    steps = run(RobotsGuard(Listed([*urls, "http://a.org/2"]), "filon"), {})
    asked = [step.request.url for step in steps if step.reason.kind == "robots"]
    assert asked == [url.removesuffix("1") + "robots.txt" for url in urls]
    assert len(steps) == 9


@pytest.mark.parametrize("status", [404, 403, 401, 410])
def test_no_robots_txt_allows_all(status: int) -> None:
    assert len(run(RobotsGuard(Listed(SITE), "filon"), robots_says(status))) == 6


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_in_trouble_is_left_alone(status: int) -> None:
    inner = Listed(SITE)
    assert len(run(RobotsGuard(inner, "filon"), robots_says(status))) == 1
    assert {response.error for _, response in inner.seen} == {"robots"}
    assert len(inner.seen) == len(SITE)


def test_a_host_that_cannot_be_reached_is_called_that() -> None:
    inner = Listed(SITE[:1])
    run(RobotsGuard(inner, "filon"), robots_says(0, error="dns"))
    assert [response.error for _, response in inner.seen] == ["dns"]
    inner = Listed(SITE[:1])
    run(RobotsGuard(inner, "filon"), robots_says(0, error="timeout"))
    assert [response.error for _, response in inner.seen] == ["robots"]


def redirect(url: str, to: str) -> dict[str, Response]:
    return {url: Response(url=url, status=301, headers=(("Location", to),))}


def test_redirects_of_robots_txt_are_steps_and_speak_for_the_first_host() -> None:
    answers = {
        **redirect("http://a.org/robots.txt", "https://www.b.org/robots.txt"),
        **redirect("https://www.b.org/robots.txt", "/r.txt"),
        "https://www.b.org/r.txt": replace(robots_says(200, RULES).popitem()[1]),
    }
    steps = run(RobotsGuard(Listed(SITE), "filon"), answers)
    assert [step.request.url for step in steps[:3]] == list(answers)
    assert [step.parent for step in steps[:3]] == ["http://p.org/", *list(answers)[:2]]
    assert len(steps) == 3 + 3


@pytest.mark.parametrize("to", ["/robots.txt", "file:///etc/passwd", "http://[", "//"])
def test_redirects_that_lead_nowhere_mean_there_is_none(to: str) -> None:
    steps = run(RobotsGuard(Listed(SITE), "filon"), redirect("http://a.org/robots.txt", to))
    kinds = Counter(step.reason.kind for step in steps)
    assert kinds["link"] == len(SITE)
    assert kinds["robots"] <= 6


def test_two_hosts_may_be_sent_to_the_same_robots_txt() -> None:
    answers = {
        **redirect("http://a.org/robots.txt", "http://c.org/r"),
        **redirect("http://b.org/robots.txt", "http://c.org/r"),
    }
    inner = Listed(["http://a.org/1", "http://b.org/1"])
    run(RobotsGuard(inner, "filon"), answers, parallel=4)
    assert len(inner.seen) == 2


def test_steps_wait_while_robots_txt_is_on_its_way() -> None:
    strategy = RobotsGuard(Listed(SITE), "filon")
    first = strategy.propose()
    assert first is not None
    assert strategy.propose() is None
    strategy.observe(first, robots_says(404).popitem()[1])
    urls = [step.request.url for _ in SITE if (step := strategy.propose())]
    assert urls == SITE


def test_only_few_steps_are_held_back() -> None:
    inner = Listed([f"http://a.org/{i}" for i in range(1000)])
    strategy = RobotsGuard(inner, "filon")
    assert strategy.propose()
    assert strategy.propose() is None
    assert len(inner.proposed) == MAX_WAITING


def test_other_hosts_go_on_meanwhile() -> None:
    strategy = RobotsGuard(Listed(["http://a.org/1", "http://b.org/1"]), "filon")
    assert [step.request.url for _ in range(3) if (step := strategy.propose())] == [
        "http://a.org/robots.txt",
        "http://b.org/robots.txt",
    ]


def test_after_a_day_robots_txt_is_read_again() -> None:
    strategy = RobotsGuard(Listed(SITE), "filon")
    kinds = []
    for now_s in (1.0, 2.0, 90_000.0, 90_001.0, 90_002.0):
        step = strategy.propose()
        assert step is not None
        kinds.append(step.reason.kind)
        strategy.observe(step, answer(step, {}, at_s=now_s))
    assert kinds == ["robots", "link", "link", "robots", "link"]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("parallel", [1, 3, 8])
def test_no_step_is_lost_or_answered_twice(seed: int, parallel: int) -> None:
    chance = random.Random(seed)
    hosts = ["http://a.org", "https://a.org", "http://b.a.org", "http://c.a.org:8080"]
    urls = [f"{chance.choice(hosts)}/{chance.choice(['', 'private/'])}{i}" for i in range(60)]
    says: dict[str, Response] = {}
    for host in hosts:
        url = f"{host}/robots.txt"
        kind = chance.randrange(4)
        if kind == 0:
            says |= redirect(url, f"{chance.choice(hosts)}/robots.txt")
        elif kind == 1:
            says[url] = Response(url=url, status=chance.choice([404, 503]))
        else:
            says[url] = Response(url=url, status=200, body=RULES)
    inner = Listed(urls)
    steps = run(RobotsGuard(inner, "filon"), says, parallel=parallel, chance=chance)
    assert Counter(step.request.url for step, _ in inner.seen) == Counter(urls)
    assert not any("/private" in step.request.url for step in steps if _read(says, step))


def _read(says: dict[str, Response], step: Step) -> bool:
    host = "/".join(step.request.url.split("/")[:3])
    return says[f"{host}/robots.txt"].status == 200


def test_who_asks_is_no_part_of_a_host() -> None:
    inner = Listed(["http://a.org/x", "http://me:secret@a.org/private/y"])
    strategy = RobotsGuard(inner, "filon")
    steps = run(strategy, robots_says(200, RULES))
    assert [step.request.url for step in steps] == ["http://a.org/robots.txt", "http://a.org/x"]
    assert "secret" not in str(strategy.summary())


def test_calls_of_a_named_service_need_no_permission() -> None:
    """Pages of the same host do."""
    inner = Listed(["http://a.org/api?q=x", "http://a.org/private/page"])
    strategy = RobotsGuard(inner, "filon", exempt=["search"])
    first = strategy.propose()
    assert first is not None
    assert first.request.url == "http://a.org/robots.txt"  # Listed proposes links
    calls = RobotsGuard(Listed(["http://a.org/api?q=x"]), "filon", exempt=["link"])
    step = calls.propose()
    assert step is not None
    assert step.request.url == "http://a.org/api?q=x"
    assert calls.observe(step, Response(url=step.request.url, status=200, at_s=1.0))
