"""The parts of scout, each by itself."""

from collections.abc import Sequence
from dataclasses import dataclass

from filon.core import Request, Response
from filon.core.response import Sent
from filon.core.service import Hit, Hits
from filon.learn.discounted import Discounted
from filon.testing.discovery import BEES, CARS
from filon.verbs.discover.strategies import Brief
from filon.verbs.discover.strategies.page import Met, Mirrors, Page, simhash
from filon.verbs.discover.strategies.scout.frontier import Candidate, Frontier, Hubs, Sources
from filon.verbs.discover.strategies.scout.queries import MOST_EMPTY, MOST_WRONG, Asking, Queries
from filon.verbs.discover.strategies.scout.sites import Kind
from filon.verbs.discover.strategies.scout.tasks import ScoutTask, ScoutTasks


@dataclass
class Service:
    """Answers with what it was given, page by page."""

    answers: list[Hits]
    name: str = "registry"
    operators: tuple[str, ...] = ("seeds",)
    cost: float = 0.0
    longest: int = 100

    def takes(self, operator: str, query: str) -> bool:
        return len(query) <= self.longest

    def request(self, operator: str, query: str, page: str = "") -> Request:
        return Request(url=f"http://{self.name}.example/?q={query}&page={page}")

    def parse(self, operator: str, response: Response) -> Hits:
        return self.answers.pop(0)


def run(service: Service, sent: Sent = "yes") -> tuple[list[str], Asking, Discounted]:
    """Ask until nothing is left; return the results."""
    brief = Brief(topic="bees", searchers=(service,))
    tasks, bandit = ScoutTasks(brief), Discounted(seed=1)
    asking = Asking(brief, tasks, bandit, dollar=100)
    asking.offer("seeds", "bees", 1.0)
    got: list[str] = []

    def take(task: ScoutTask, hits: Sequence[Hit]) -> float:
        got.extend(hit.url for hit in hits)
        return float(len(hits))

    while (arm := asking.best()[0]) and asking.ask(arm, 0.0):
        step = tasks.propose("")
        assert step is not None
        response = Response(url=step.request.url, status=200, sent=sent)
        asking.hear(tasks.landed(step), response, take)
    return got, asking, bandit


def test_a_list_goes_on_after_a_page_without_results() -> None:
    answers = [Hits(more="2"), Hits(hits=(Hit(url="http://a.example/"),))]
    assert run(Service(answers))[0] == ["http://a.example/"]


def test_a_list_of_empty_pages_has_an_end() -> None:
    service = Service([Hits(more=str(number)) for number in range(100)])
    assert run(service)[0] == []
    assert len(service.answers) == 100 - MOST_EMPTY


def test_a_question_that_a_service_does_not_take_is_not_asked() -> None:
    service = Service([], longest=3)
    assert run(service)[0] == []


def test_a_failing_service_sleeps_and_is_told_as_failing() -> None:
    service = Service([Hits(problem="key")])
    got, asking, _ = run(service)
    asking.offer("seeds", "wasps", 1.0)
    assert got == []
    assert asking.best()[0] == ""


def test_money_is_a_cost_and_what_is_at_hand_is_none() -> None:
    dear = run(Service([Hits(hits=(Hit(url="http://a.example/"),))], cost=0.05))[2].summary()
    free = run(Service([Hits(hits=(Hit(url="http://a.example/"),))]), sent="cached")[2].summary()
    assert dear[0]["cost"] == 6.0
    assert free[0]["cost"] == 0.0


def test_a_call_that_was_refused_is_paid_and_one_that_was_withheld_is_not() -> None:
    sent = run(Service([Hits(problem="quota")]))[2].summary()
    withheld = run(Service([Hits(problem="quota")]), sent="withheld")[2].summary()
    assert (sent[0]["cost"], withheld[0]["cost"]) == (1.0, 0.0)


def frontier(wanted: dict[str, float] | None = None) -> Frontier:
    by_site = wanted or {}
    return Frontier(
        Sources(),
        lambda site: by_site.get(site, 1.0),
        lambda one: one.prior,
        lambda _: 1.0,
        lambda _: 0.1,
    )


def candidate(name: str, source: str = "q", text: str = "") -> Candidate:
    url = f"http://{name}.example/"
    met = Met(operator="keyword")
    return Candidate(url, f"{name}.example", text, met, origins=[("keyword", source)])


def test_the_frontier_learns_what_good_pages_look_like() -> None:
    waiting = frontier()
    for number in range(20):
        waiting.learn(candidate(f"a{number}", text="open data portal"), 1.0)
        waiting.learn(candidate(f"b{number}", text="daily football news"), 0.0)
    waiting.add(candidate("news", text="football news"))
    waiting.add(candidate("portal", text="data portal"))
    waiting.add(candidate("plain", text="something else"))
    order = [waiting.take(waiting.best()[0]).site for _ in range(3)]
    assert order == ["portal.example", "plain.example", "news.example"]
    assert waiting.best() == (-1, 0.0)


def test_the_frontier_prefers_sources_that_led_to_good_pages() -> None:
    waiting = frontier()
    for number in range(6):
        waiting.learn(candidate(f"a{number}", "good hub"), 1.0)
        waiting.learn(candidate(f"b{number}", "bad hub"), 0.0)
    waiting.add(candidate("one", "bad hub"))
    waiting.add(candidate("two", "good hub"))
    assert waiting.take(waiting.best()[0]).site == "two.example"


def test_a_page_that_two_name_is_better_than_one() -> None:
    waiting = frontier()
    waiting.add(candidate("one", "a"))
    waiting.add(candidate("two", "a"))
    assert waiting.add(candidate("two", "b")) == 0.0
    assert waiting.take(waiting.best()[0]).site == "two.example"


def test_a_page_of_a_site_that_is_not_wanted_waits_until_it_is() -> None:
    wanted = {"one.example": 0.0}
    waiting = frontier(wanted)
    waiting.add(candidate("one"))
    assert waiting.best()[0] == -1
    wanted["one.example"] = 1.0
    waiting.touch("one.example")
    assert waiting.best()[0] == 0


def page(site: str, text: str = "", **told: object) -> Page:
    return Page(url=f"http://{site}/", site=site, title=site, text=text, **told)  # type: ignore[arg-type]


def test_a_page_becomes_a_hub_when_a_site_that_it_links_to_is_good() -> None:
    hubs = Hubs("host")
    links = ("http://a.example/", "http://b.example/")
    hub = page("list.example", abroad=links, anchors=("A", "B"))
    assert not hubs.remember(hub)
    assert hubs.good("c.example") == []
    told = [("http://list.example/", [(links[0], "A"), (links[1], "B")])]
    assert hubs.good("a.example") == told
    assert hubs.good("b.example") == []
    assert hubs.remember(page("other.example", abroad=links, anchors=("", "")))


def test_a_hub_stands_by_the_good_and_bad_sites_among_its_links() -> None:
    hubs = Hubs("host")
    hubs.good("a.example")
    hubs.bad("b.example")
    hubs.bad("a.example")  # a page of a good site may be bad
    links = [(f"http://{name}.example/", "") for name in "abc"]
    assert hubs.standing(links) == (1, 2)
    sources = Sources()
    sources.believe("list", *hubs.standing(links))
    assert sources.rate("hubs", "list") > sources.rate("hubs", "other")


def test_texts_that_differ_in_a_word_are_mirrors_and_short_ones_never() -> None:
    words = [f"word{number}" for number in range(300)]
    mirrors = Mirrors()
    mirrors.add("a.example", "A", words, [f"t{number}" for number in range(9)])
    assert mirrors.of_text("A", [*words[:150], "other", *words[151:]]) == "a.example"
    assert mirrors.of_text("A", words[::-1]) == ""
    assert mirrors.of_titles(f"T{number}" for number in range(9)) == "a.example"
    assert mirrors.of_titles(["t1", "t2"]) == ""
    assert simhash(words[:10]) == 0
    assert mirrors.of_text("B", words) == ""  # many sites are made from one template
    mirrors.forget("a.example")
    assert mirrors.of_text("A", words) == ""


def test_queries_take_words_that_rejected_pages_lack() -> None:
    queries = Queries("bee", ())
    for number in range(4):
        queries.learn(page(f"a{number}.example", "zest honey harvest website"), "", 1.0)
        queries.learn(page(f"b{number}.example", "football website"), "", 0.0)
    made = queries.more()
    assert {"bee honey", "bee harvest"} <= set(made)
    assert not [query for query in made if "website" in query or "football" in query]
    assert not set(made) & set(queries.more())


def test_repositories_are_asked_for_by_the_users_words_then_by_those_of_the_topic() -> None:
    words = ["nectar", "zest", "apiary"]
    queries = Queries("bee", (), (), lambda used, most, _: [w for w in words if w not in used])
    assert queries.first() == ["bee", "bee data", "bee datasets"]
    assert queries.more() == ["nectar data", "zest data", "apiary data"]
    assert queries.more() == []


def test_where_nothing_is_left_each_word_of_the_user_is_asked_for() -> None:
    queries = Queries("bees in the orchard", (), (), lambda used, most, early: ["hive"] * early)
    assert queries.more() == []
    assert queries.last() == ["bees data", "orchard data", "hive data"]


def test_queries_speak_the_languages_that_were_met_or_asked_for() -> None:
    queries = Queries("miel", ("de",), (), lambda used, most, early: [])
    assert "miel offene Daten" in queries.first()
    french = "les prix des miels dans une ville pour les gens avec des ruches"
    for number in range(2):
        queries.learn(page(f"a{number}.org", french), "", 1.0)
    assert "miel données ouvertes" in queries.more()


def test_the_kind_is_told_by_examples_and_what_was_met() -> None:
    kind = Kind([" ".join(CARS)] * 4)
    kind.examples = [page(f"bee{n}.example", " ".join(BEES[n:])) for n in range(4)]
    kind.begin()
    bee, car = page("x.example", " ".join(BEES)), page("y.example", " ".join(CARS))
    assert kind.add(bee) > 0.5 > kind.add(car)
    assert kind.scores()[0] > kind.scores()[1]


def test_an_operator_that_does_not_answer_as_documented_leaves_the_others_of_its_service() -> None:
    answers = [Hits(problem="schema")] * MOST_WRONG + [Hits(hits=(Hit(url="http://a.example/"),))]
    service = Service(answers, operators=("keyword", "related"))
    brief = Brief(topic="bees", searchers=(service,))
    tasks, bandit = ScoutTasks(brief), Discounted(seed=1)
    asking = Asking(brief, tasks, bandit, dollar=100)

    def hear() -> str:
        step = tasks.propose("")
        assert step is not None
        task = tasks.landed(step)
        asking.hear(task, Response(url=step.request.url, status=200), lambda task, hits: 1.0)
        return task.operator

    for number in range(2 * MOST_WRONG):
        asking.offer("keyword", f"bees {number}", 1.0)
    for _ in range(MOST_WRONG):
        assert asking.ask(asking.best()[0], 0.0)
        assert hear() == "keyword"
    assert asking.best()[0] == ""
    asking.offer("related", "http://b.example/", 1.0)
    assert asking.ask(asking.best()[0], 0.0)
    assert hear() == "related"
    assert service.answers == []
