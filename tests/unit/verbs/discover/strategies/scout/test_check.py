from filon.core import Response
from filon.page.links import Link
from filon.verbs.discover.strategies.page import Page
from filon.verbs.discover.strategies.scout.check import Check, Evidence, LinkModel, waiting
from filon.verbs.discover.strategies.scout.frontier import Candidate
from filon.verbs.discover.strategies.scout.reading import Reading

HOME = "http://a.example/"


def link(name: str, text: str = "", home: str = HOME) -> Link:
    return Link(f"{home}{name}", "/html/body/ul/li.dir/a", text or name, "a")


def page(name: str = "", *files: str) -> Page:
    return Page(url=f"{HOME}{name}", site="a.example", files=tuple(HOME + file for file in files))


def check(*names: str) -> Check:
    one = Check(page(), Candidate(HOME, "a.example"))
    one.read(Reading(page(), tuple(map(link, names))), 0)
    return one


def test_links_that_promise_data_are_read_before_dull_ones() -> None:
    one, model = (
        check("issues", "LICENSE", "tree/shapes", "setup.py", ".github/x", "data"),
        LinkModel(),
    )
    order = [one.next_link(model).url.removeprefix(HOME) for _ in range(3)]
    assert order[:2] == ["data", "tree/shapes"]


def test_what_leads_to_files_is_learnt_across_sites() -> None:
    model = LinkModel()
    for number in range(8):
        home = f"http://s{number}.example/"
        model.learn(waiting(link("tree/cldf", home=home), f"s{number}.example", 1), 1.0)
        model.learn(waiting(link("tree/data", home=home), f"s{number}.example", 1), 0.0)
    one = check("tree/data", "tree/cldf")
    assert one.next_link(model).url == f"{HOME}tree/cldf"


def test_a_check_is_worth_less_with_every_page_that_brings_nothing() -> None:
    one, model = check(*(f"x/{number}" for number in range(9))), LinkModel()
    one.weigh(model, 1.0)
    before = one.worth
    for number in (1, 2, 3):
        one.read(Reading(page(f"y/{number}")), 1)
    one.weigh(model, 1.0)
    assert one.worth < 0.6 * before
    one.read(Reading(page("y/4", "1.csv")), 1)
    one.weigh(model, 1.0)
    assert one.worth == before
    one.weigh(model, 0.5)
    assert one.worth == before / 2


def test_a_check_of_a_site_without_links_is_worth_nothing() -> None:
    one = check()
    one.weigh(LinkModel(), 1.0)
    assert one.worth == 0.0


def test_a_file_and_its_views_are_one_and_enough_is_what_the_user_says() -> None:
    names = ["blob/main/x/1.csv", "raw/main/x/1.csv", "blob/main/x/2.csv", "blob/main/y/2.csv"]
    for least, enough in ((3, True), (4, False)):
        evidence = Evidence(least=least)
        assert evidence.see([HOME + name for name in names], HOME, "A") == 3
        assert evidence.see([HOME + names[1]], HOME, "A") == 0
        assert evidence.enough is enough
        assert evidence.figures()["files"] == 3


def test_a_check_goes_on_from_its_state() -> None:
    one, model = check("data", "about"), LinkModel()
    one.reading = [one.next_link(model)]
    other = Check(Page(url="", site=""), Candidate("", ""))
    other.restore(one.state())
    assert other.state() == one.state()
    assert other.next_link(model) == one.next_link(model)
    assert Response(url=HOME).url == other.entry.url
