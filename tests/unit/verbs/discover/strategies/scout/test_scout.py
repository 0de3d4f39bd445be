import asyncio
import json
from dataclasses import replace

import pytest

from filon.core import Find, MachineError, Step, UserError
from filon.portals import ADAPTERS
from filon.portals.fingerprint import guess, places
from filon.testing.discovery import (
    BEES,
    CARS,
    GOOD,
    OTHERS,
    REPOSITORIES,
    SEARCHERS,
    SEEDS,
    ToyDiscovery,
    ToySearcher,
)
from filon.verbs.discover.found import Site
from filon.verbs.discover.strategies import DEFAULT, Brief, Limits, build
from filon.verbs.discover.strategies.scout import Scout

HOME = "http://city.example/"
FRAME = '<title>City bee data</title><meta name="generator" content="ckan 2.10"><p>Open data.'


def package(number: int) -> dict[str, object]:
    return {
        "id": f"p{number}",
        "name": f"hives-{number}",
        "title": f"Bee hives {number}",
        "license_title": "CC-BY",
        "metadata_modified": f"2024-01-{number + 10}",
        "tags": [{"name": "bees"}],
        "resources": [{"url": f"{HOME}f{number}.csv", "format": "CSV"}],
    }


class Portal(ToyDiscovery):
    """The toy web with a CKAN portal that every search leads to."""

    def __init__(self, packages: int = 12, api: bool = True, words: str = "") -> None:
        super().__init__()
        self.packages, self.api = [package(number) for number in range(packages)], api
        self.frame = f"{FRAME} {words}"

    @property
    def asked(self) -> list[str]:
        return [url for _, url in self.log if not url.startswith("http://toy.example/")]

    def _answer(self, url: str) -> tuple[int, str, str]:
        if url.startswith("http://toy.example/"):
            return 200, "application/json", json.dumps({"urls": [HOME], "more": ""})
        if url == HOME:
            return 200, "text/html", self.frame
        if self.api and "/api/3/action/package_search" in url:
            result = {"count": len(self.packages), "results": self.packages}
            return 200, "application/json", json.dumps({"success": True, "result": result})
        return super()._answer(url)


def portal_brief() -> Brief:
    return Brief(
        topic="bee",
        searchers=SEARCHERS[1:],
        portals=ADAPTERS,
        recognise=lambda response: places(guess(response)),
    )


def finish(strategy: Scout, web: ToyDiscovery, most: int = 600) -> tuple[list[Step], list[Find]]:
    steps: list[Step] = []
    finds: list[Find] = []
    while len(steps) < most and (step := strategy.propose()):
        steps.append(step)
        finds += strategy.observe(step, asyncio.run(web.fetch(step.request)))
    return steps, finds


def site(url: str) -> str:
    return url.split("/")[2]


def test_it_is_the_default() -> None:
    assert isinstance(build(DEFAULT, Brief(topic="bees")), Scout)


def test_a_topic_finds_repositories_and_no_look_alikes() -> None:
    scout = Scout(Brief(topic="bee", searchers=SEARCHERS[1:]))
    _, finds = finish(scout, ToyDiscovery())
    assert {site(find.url) for find in finds} == REPOSITORIES
    assert {find.kind for find in finds} == {"repository"}
    listed = [one for one in scout.found() if not one.apart]
    assert {one.site for one in listed} == REPOSITORIES
    assert all(one.files >= 3 and one.formats == ("csv",) for one in listed)


def test_how_many_files_make_a_repository_is_the_users_choice() -> None:
    for least, names in ((10, REPOSITORIES), (99, set())):
        scout = Scout(Brief(topic="bee", searchers=SEARCHERS[1:], at_least=least))
        _, finds = finish(scout, ToyDiscovery())
        assert {site(find.url) for find in finds} == names
        assert all(one.files >= least for one in scout.found() if not one.apart)


class Deep(ToyDiscovery):
    """Searches bring one page deep within a site, and a list that nobody has proved good."""

    def __init__(self, urls: list[str]) -> None:
        super().__init__()
        self.urls = urls

    def _answer(self, url: str) -> tuple[int, str, str]:
        if "op=keyword" in url:
            return 200, "application/json", json.dumps({"urls": self.urls, "more": ""})
        if url.startswith("http://toy.example/"):
            return 200, "application/json", json.dumps({"urls": [], "more": ""})
        if url == "http://list.example/":
            links = "".join(f"<li><a href=http://data{n}.example/>bee data {n}</a>" for n in "123")
            return 200, "text/html", f"<title>Lists</title><p>about bee things<ul>{links}</ul>"
        if url == "http://ships.example/":
            files = "".join(f"<li><a href={n}.csv>ship</a>" for n in range(9))
            return 200, "text/html", f"<title>Harbour</title>tugs and ferries {files}"
        if url == "http://few.example/":
            files = "".join(f"<li><a href={n}.csv>hive</a>" for n in range(2))
            return 200, "text/html", f"<title>Bee hives</title>bee {' '.join(BEES)} {files}"
        return super()._answer(url)


def test_a_site_with_too_few_files_stands_beside_the_list() -> None:
    scout = Scout(Brief(topic="bee", searchers=SEARCHERS[1:]))
    hits = [f"http://data{n}.example/" for n in range(6)]
    _, finds = finish(scout, Deep(["http://few.example/", *hits]))
    assert {site(find.url) for find in finds} == REPOSITORIES
    beside = [(one.site, one.files, one.apart) for one in scout.found() if one.apart]
    assert beside == [("few.example", 2, "too few files")]
    assert [one.apart for one in scout.ranked()] == [*[""] * len(REPOSITORIES), "too few files"]


def test_a_site_is_entered_at_its_home_page() -> None:
    scout = Scout(Brief(topic="bee", searchers=SEARCHERS[1:]))
    steps, finds = finish(scout, Deep(["http://data2.example/dataset/3"]))
    pages = [step.request.url for step in steps if step.reason.kind != "search"]
    assert pages[0] == "http://data2.example/"
    assert [find.url for find in finds] == ["http://data2.example/"]


def test_a_list_is_followed_before_anything_on_it_is_proved() -> None:
    scout = Scout(Brief(topic="bee", searchers=SEARCHERS[1:]))
    _, finds = finish(scout, Deep(["http://list.example/"]))
    assert {site(find.url) for find in finds} == {f"data{n}.example" for n in "123"}


def test_what_a_page_linked_to_is_told_with_that_page() -> None:
    scout = Scout(Brief(topic="bee", searchers=SEARCHERS[1:]))
    steps, _ = finish(scout, Deep(["http://list.example/"]))
    led = {step.request.url: step.parent for step in steps if step.reason.arm == "forward"}
    assert led["http://data1.example/"] == "http://list.example/"
    told = {Site.of(one.row()).why for one in scout.found()}
    assert told == {"http://list.example/ links to it"}


def test_a_repository_off_the_topic_is_no_find_and_stands_beside_the_list() -> None:
    scout = Scout(Brief(topic="bee", searchers=SEARCHERS[1:]))
    hits = [f"http://data{n}.example/" for n in range(6)]
    steps, finds = finish(scout, Deep(["http://ships.example/", *hits]))
    assert {site(find.url) for find in finds} == REPOSITORIES
    (apart,) = [one for one in scout.found() if one.apart]
    assert (apart.site, apart.apart, apart.files) == ("ships.example", "off the topic", 9)
    asked = [step.request.url for step in steps if "op=related" in step.request.url]
    assert asked
    assert not any("ships" in url for url in asked)


def test_it_says_when_the_topic_seems_to_be_exhausted() -> None:
    class Garages(Deep):
        def _answer(self, url: str) -> tuple[int, str, str]:
            if url.startswith("http://garage"):
                return (
                    200,
                    "text/html",
                    f"<title>Garage</title>{' '.join(CARS)} <a href=/a>tyres</a>",
                )
            return super()._answer(url)

    hits = [f"http://data{n}.example/" for n in range(6)]
    for others, exhausted in ((0, False), (150, True)):
        scout = Scout(Brief(topic="bee", searchers=SEARCHERS[1:]))
        finish(scout, Garages([*hits, *(f"http://garage{n}.example/" for n in range(others))]))
        assert scout.summary()["exhausted"] is exhausted


def test_the_users_own_words_are_asked_for_before_anything_else() -> None:
    steps, _ = finish(Scout(Brief(topic="bee", searchers=SEARCHERS[1:])), ToyDiscovery())
    kinds = [step.reason.kind for step in steps]
    first = steps[: kinds.index("link")]
    assert [step.reason.kind for step in first] == ["search"] * len(first)
    queries = {step.request.url.split("q=")[1].split("&")[0] for step in first}
    assert queries == {"bee", "bee%20data", "bee%20datasets"}


def test_a_service_that_wants_all_words_on_a_page_is_asked_for_each_alone() -> None:
    class Strict(ToyDiscovery):
        def _answer(self, url: str) -> tuple[int, str, str]:
            if "op=keyword" in url and "q=bee%20data" not in url:
                return 200, "application/json", json.dumps({"urls": [], "more": ""})
            return super()._answer(url)

    _, finds = finish(Scout(Brief(topic="bee apiary", searchers=SEARCHERS[1:])), Strict())
    assert {site(find.url) for find in finds} >= REPOSITORIES


def test_no_word_is_asked_for_alone_while_answers_are_awaited() -> None:
    scout = Scout(Brief(topic="bee apiary", searchers=SEARCHERS[1:]))
    steps = []
    while step := scout.propose():
        steps.append(step)
    assert {step.request.url.split("q=")[1].partition("&")[0] for step in steps} == {
        "bee%20apiary",
        "bee%20apiary%20data",
        "bee%20apiary%20datasets",
    }


def test_a_service_that_is_down_ends_it_as_an_outage_and_is_asked_anew_later() -> None:
    class Down(ToyDiscovery):
        down = True

        def _answer(self, url: str) -> tuple[int, str, str]:
            if self.down and url.startswith("http://toy.example/"):
                return 503, "text/plain", "busy"
            return super()._answer(url)

    web, brief = Down(), Brief(topic="bee", searchers=SEARCHERS[1:])
    scout = Scout(brief)
    steps, finds = finish(scout, web)
    assert finds == []
    assert 0 < len(steps) <= 5
    told = scout.summary()
    assert told["stopped"] == "outage"
    assert "toy did not answer" in told["note"]
    later = Scout(brief)
    later.restore(json.loads(json.dumps(scout.state(), default=list)))
    web.down = False
    _, finds = finish(later, web)
    assert {site(find.url) for find in finds} == REPOSITORIES
    assert "stopped" not in later.summary()


def test_a_state_of_another_version_is_refused_in_a_sentence() -> None:
    scout = Scout(Brief(topic="bee"))
    with pytest.raises(MachineError, match="another version of Filon, whose notes scout cannot"):
        Scout(Brief(topic="bee")).restore(scout.state() | {"version": 1})


def test_examples_find_sites_of_the_kind_and_rank_them_first() -> None:
    scout = Scout(Brief(topic="bee", seeds=SEEDS, searchers=SEARCHERS[1:], others=OTHERS))
    finish(scout, ToyDiscovery())
    best = [one.site for one in scout.found()]
    wanted = GOOD - {site(url) for url in SEEDS}
    like = wanted | REPOSITORIES | {"fake.example"}  # these are about bees too
    assert wanted <= set(best)
    assert set(best[: len(wanted)]) <= like


def test_a_portal_is_verified_by_its_page_and_one_call() -> None:
    web, scout = Portal(), Scout(portal_brief())
    _, finds = finish(scout, web)
    assert [find.url for find in finds] == [HOME]
    assert web.asked[0] == HOME
    assert len(web.asked) == 2
    (one,) = scout.found()
    assert (one.software, one.licence, one.modified) == ("ckan", "CC-BY", "2024-01-21")
    assert (one.datasets, one.files, one.formats) == (12, 12, ("csv",))
    assert scout.summary()["by their API"] == 1


def test_a_portal_with_hardly_any_files_is_no_repository() -> None:
    assert finish(Scout(portal_brief()), Portal(packages=2))[1] == []


def test_a_portal_without_its_api_is_read_like_any_site() -> None:
    web = Portal(api=False)
    assert finish(Scout(portal_brief()), web)[1] == []
    assert any("package_search" in url for url in web.asked)


def test_among_sites_a_portal_is_told_as_a_repository() -> None:
    scout = Scout(replace(portal_brief(), seeds=SEEDS, others=OTHERS))
    finish(scout, Portal(words=" ".join(BEES)))
    (one,) = [one for one in scout.found() if one.url == HOME]
    assert (one.kind, one.software, one.files) == ("repository", "ckan", 12)


def test_reasons_name_the_arm_and_read_as_clauses() -> None:
    brief = Brief(topic="bee", seeds=SEEDS, searchers=SEARCHERS[1:], others=OTHERS)
    steps, _ = finish(Scout(brief), ToyDiscovery())
    arms = {step.reason.arm for step in steps}
    assert arms >= {"keyword · toy", "related · toy", "backward · toy", "forward"}
    texts = [step.reason.text for step in steps]
    assert any("a search for “bee" in text for text in texts)
    assert any("links to it, and nothing that waits promises more" in text for text in texts)
    assert all(text[0].islower() and not text.endswith(".") for text in texts)


def test_the_outlook_counts_what_was_found() -> None:
    steps, finds = finish(Scout(Brief(topic="bee", searchers=SEARCHERS[1:])), ToyDiscovery())
    assert steps[0].reason.outlook == "0 repositories"
    assert steps[-1].reason.outlook == f"{len(finds)} repositories"


def test_the_limit_of_pages_is_kept() -> None:
    brief = Brief(topic="bee", searchers=SEARCHERS[1:], limits=Limits(pages=9))
    scout = Scout(brief)
    steps, _ = finish(scout, ToyDiscovery())
    assert sum(step.reason.kind != "search" for step in steps) == 9


def test_rejected_sites_are_not_asked_for_and_accepted_ones_are_asked_about() -> None:
    brief = Brief(
        topic="bee",
        searchers=SEARCHERS[1:],
        rejected=("http://data1.example/",),
        accepted=("http://data2.example/",),
    )
    steps, finds = finish(Scout(brief), ToyDiscovery())
    urls = [step.request.url for step in steps]
    assert urls[0] == "http://data2.example/"
    assert not any(url.startswith("http://data1.example/") for url in urls)
    assert any("op=related&q=http%3A%2F%2Fdata2" in url for url in urls)
    assert {site(find.url) for find in finds} == REPOSITORIES - {"data1.example"}


def test_what_the_registry_has_is_told_as_known() -> None:
    registry = ToySearcher("registry", ("seeds",))

    class Web(ToyDiscovery):
        def _answer(self, url: str) -> tuple[int, str, str]:
            if url.startswith("http://registry.example/"):
                told = {"urls": ["http://data3.example/"], "more": ""}
                return 200, "application/json", json.dumps(told)
            return super()._answer(url)

    scout = Scout(Brief(topic="bee", searchers=(SEARCHERS[1], registry)))
    finish(scout, Web())
    known = {one.site for one in scout.found() if one.known}
    assert known == {"data3.example"}
    assert scout.summary()["outside the registry"] == len(REPOSITORIES) - 1


def test_the_same_page_at_two_addresses_is_one_repository() -> None:
    class Web(ToyDiscovery):
        def _answer(self, url: str) -> tuple[int, str, str]:
            home, copy = "http://data4.example/", "http://copy.example/"
            status, mime, said = super()._answer(url.replace(copy, home))
            words = " ".join(f"{one}{other}" for one in BEES for other in CARS)
            said = said.replace("<ul>", f"{words}<ul>") if home in said else said
            return status, mime, said.replace(home, copy) if url.startswith(copy) else said

    web = Web()
    scout = Scout(Brief(topic="bee", searchers=SEARCHERS[1:], accepted=("http://copy.example/",)))
    finish(scout, web)
    copies = [one for one in scout.found() if one.mirrors]
    assert [{one.url, *one.mirrors} for one in copies] == [
        {"http://copy.example/", "http://data4.example/"}
    ]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"choice": "luck"}, "thompson or ucb"),
        ({"fade": 2.0}, "between 0 and 1"),
        ({"dollar": "much"}, "of 0 or more"),
        ({"mode": "sites"}, "give examples"),
    ],
)
def test_wrong_options_get_a_sentence(options: dict[str, str | float], says: str) -> None:
    with pytest.raises(UserError, match=says):
        Scout(Brief(topic="bees", options=options))


def test_nothing_to_look_for_is_said() -> None:
    with pytest.raises(UserError, match="what is looked for"):
        Scout(Brief())
