"""The crawlers among the baselines, on a web of clubs whose links tell where they lead."""

import asyncio
from collections.abc import Callable

import pytest

from filon.core import Request, Response, Step, Strategy, UserError
from filon.run.checkpoint import Checkpoint, dump, load
from filon.testing.discovery import BEES, CARS, GOOD, OTHERS, SEARCHERS, SEEDS, TOPIC, ToyDiscovery
from filon.verbs.discover.strategies import Brief, Limits, build

Answer = Callable[[str], Response]


def crawler(name: str, limits: Limits | None = None, **options: float | str) -> Strategy:
    return build(
        name,
        Brief(
            topic=TOPIC,
            seeds=SEEDS,
            searchers=SEARCHERS[1:],
            others=OTHERS,
            limits=limits or Limits(),
            options=options,
        ),
    )


def toy() -> Answer:
    web = ToyDiscovery()

    async def fetched(url: str) -> Response:
        return await web.fetch(Request(url=url))

    return lambda url: asyncio.run(fetched(url))


def finish(one: Strategy, answer: Answer | None = None, most: int = 400) -> list[Step]:
    answer = answer or toy()
    steps: list[Step] = []
    while len(steps) < most and (step := one.propose()):
        steps.append(step)
        one.observe(step, answer(step.request.url))
    return steps


def endless(url: str) -> Response:
    """Every page links to twenty clubs and twenty garages; the address tells which is which."""
    name = url.removeprefix("http://").partition(".")[0]
    words = CARS if name.startswith("garage") else BEES
    number = sum(map(ord, name)) % 97
    links = "".join(
        f"<p><a href='http://{kind}{number * 31 + k}.example/'>{kind}</a></p>"
        for k in range(20)
        for kind in ("garage", "club")
    )
    body = f"<title>{name}</title><p>{' '.join(words)}</p>{links}".encode()
    head = (("Content-Type", "text/html"),)
    return Response(url=url, status=200, headers=head, body=body)


def clubs(steps: list[Step]) -> float:
    return sum("//club" in step.request.url for step in steps) / len(steps)


def test_ache_learns_which_links_lead_to_pages_of_the_kind() -> None:
    steps = finish(crawler("ache", every=40), endless, 200)
    assert clubs(steps[2:40]) < 0.75
    assert clubs(steps[60:]) > 0.95


def test_ache_follows_links_of_pages_of_the_kind_only() -> None:
    steps = finish(crawler("ache"), endless, 150)
    assert all("//garage" not in step.parent for step in steps)


@pytest.mark.parametrize(("focus", "last"), [("hard", "garage0"), ("soft", "garage3")])
def test_ache_follows_links_of_other_pages_where_told_to(focus: str, last: str) -> None:
    def chain(url: str) -> Response:
        number = int(url[13:-9]) if "garage" in url else -1
        more = f"<a href='http://garage{number + 1}.example/'>x</a>" if number < 3 else ""
        head = (("Content-Type", "text/html"),)
        body = f"<p>{' '.join(BEES if number < 0 else CARS)}</p>{more}".encode()
        return Response(url=url, status=200, headers=head, body=body)

    steps = finish(crawler("ache", focus=focus), chain)
    assert steps[-1].request.url == f"http://{last}.example/"


def test_ache_finds_what_links_lead_to_and_asks_nobody() -> None:
    one = crawler("ache")
    steps = finish(one)
    assert not [step for step in steps if step.reason.kind == "search"]
    found = {row["site"] for row in one.summary()["found"]}
    assert {"bee5.example", "bee6.example", "moved.example"} <= found <= GOOD


def test_ache_reads_ten_pages_of_a_site_unless_told_otherwise() -> None:
    def one_site(url: str) -> Response:
        links = "".join(f"<a href='/{number}'>x</a>" for number in range(60))
        head = (("Content-Type", "text/html"),)
        body = f"<p>{' '.join(BEES)}</p>{links}".encode()
        return Response(url=url, status=200, headers=head, body=body)

    assert len(finish(crawler("ache"), one_site)) == 20
    assert len(finish(crawler("ache", each=3), one_site)) == 6


def test_bipartite_goes_back_to_hubs_and_forth_to_what_they_link_to() -> None:
    one = crawler("bipartite")
    steps = finish(one)
    searches = [step.request.url for step in steps if step.reason.kind == "search"]
    assert searches
    assert all("op=backlinks&" in url for url in searches)
    parents = {step.parent for step in steps if step.reason.kind == "link"}
    assert any(parent.startswith("http://hub") for parent in parents)
    found = {row["site"] for row in one.summary()["found"]}
    assert len(found & GOOD) >= 8
    assert not any(site.startswith("car") for site in found)
    assert one.summary()["hubs"]["led to pages of the kind"] >= 2


def test_bipartite_follows_the_links_of_hubs_only_and_only_to_other_sites() -> None:
    steps = finish(crawler("bipartite"))
    hubs = {step.request.url for step in steps if "said to link to" in step.reason.text}
    led = [step for step in steps if "links to it, and" in step.reason.text]
    assert led
    assert {step.parent for step in led} <= hubs
    assert all(step.request.url.split("/")[2] != step.parent.split("/")[2] for step in led)


def test_bipartite_takes_what_hubs_link_to_before_the_next_hub() -> None:
    steps = finish(crawler("bipartite"))
    kinds = ["hub" if "said to link to" in s.reason.text else s.reason.kind for s in steps]
    first = kinds.index("hub")
    assert "link" in kinds[first : kinds.index("hub", first + 1)]


def test_bipartite_learns_which_links_and_which_hubs_lead_to_pages_of_the_kind() -> None:
    one = crawler("bipartite", every=10)
    steps = finish(one)
    assert one.summary()["fits"] >= 2
    late = [step for step in steps if step.reason.kind == "link" and step.reason.score > 0]
    bees = [step.reason.score for step in late if "//bee" in step.request.url]
    cars = [step.reason.score for step in late if "//car" in step.request.url]
    assert bees
    assert cars
    assert sum(bees) / len(bees) > sum(cars) / len(cars)


@pytest.mark.parametrize("name", ["ache", "bipartite"])
def test_a_page_that_moved_is_judged_where_it_went(name: str) -> None:
    one = crawler(name)
    finish(one)
    assert "moved.example" in {row["site"] for row in one.summary()["found"]}


@pytest.mark.parametrize("name", ["ache", "bipartite"])
def test_no_more_pages_are_asked_for_than_allowed(name: str) -> None:
    steps = finish(crawler(name, Limits(pages=7)))
    assert sum(step.reason.kind != "search" for step in steps) == 7


@pytest.mark.parametrize("name", ["ache", "bipartite"])
def test_what_cannot_be_done_is_said_in_a_sentence(name: str) -> None:
    with pytest.raises(UserError, match=f"{name} learns from examples"):
        build(name, Brief(topic="x"))
    with pytest.raises(UserError, match="each must be a whole number"):
        crawler(name, each="many")
    with pytest.raises(UserError, match="every must be a whole number"):
        crawler(name, every=0.5)


def test_ache_knows_two_kinds_of_focus() -> None:
    with pytest.raises(UserError, match="hard or soft"):
        crawler("ache", focus="blurred")


@pytest.mark.parametrize("name", ["ache", "bipartite"])
@pytest.mark.parametrize("answers", [30, 60])
def test_goes_on_from_its_state_after_it_has_learnt(name: str, answers: int) -> None:
    answer = endless if name == "ache" else toy()
    first, second = crawler(name, every=5), crawler(name, every=5)
    finish(first, answer, answers)
    assert first.summary()["fits"] >= 1
    second.restore(load(dump(Checkpoint(state=first.state(), flying={}))).state)
    for _ in range(40):
        one, other = first.propose(), second.propose()
        assert one == other
        if one is None or other is None:
            break
        response = answer(one.request.url)
        assert first.observe(one, response) == second.observe(other, response)
    assert first.summary() == second.summary()
