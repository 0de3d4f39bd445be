from filon.verbs.discover.strategies.page import Page
from filon.verbs.discover.strategies.scout.repositories import FEWEST, Topic

WATER = "water quality of rivers nitrate samples stations"
TRAFFIC = "traffic counts of roads buses stations timetables"
NEWS = "the council talked about the budget and the weather"


def page(site: str, text: str) -> Page:
    return Page(url=f"http://{site}/", site=site, text=text)


def filled(topic: str = "water quality") -> Topic:
    """Return a topic that most repositories are about, so that its words are not rare there."""
    one = Topic(topic)
    for number in range(2 * FEWEST + 2):
        one.add(page(f"water{number}.example", f"{WATER} {'nitrate ' * number}"), "")
    for number in range(2):
        one.add(page(f"traffic{number}.example", TRAFFIC), "bus stops data")
    for number in range(FEWEST):
        one.turn_down(page(f"news{number}.example", NEWS))
    return one


def test_how_much_of_the_topic_a_repository_has_is_told() -> None:
    one = Topic("water quality")
    assert one.add(page("a.example", WATER), "") == 1.0
    assert one.add(page("b.example", "water"), "") == 0.5
    assert one.add(page("c.example", TRAFFIC), "") == 0.0
    assert one.add(page("d.example", "nothing"), "drinking water, its quality") == 1.0


def test_what_most_repositories_speak_of_still_counts() -> None:
    sites = [site for site, _ in filled().ranked()]
    assert all(site.startswith("water") for site in sites[:-2])
    assert {*sites[-2:]} == {"traffic0.example", "traffic1.example"}


def test_who_says_the_same_in_other_words_comes_before_who_does_not() -> None:
    one = filled()
    one.add(page("rivers.example", "nitrate samples of rivers stations"), "")
    sites = [site for site, _ in one.ranked()]
    assert sites.index("rivers.example") < sites.index("traffic0.example")


def test_scores_lie_between_nothing_and_one_and_fall() -> None:
    scores = [score for _, score in filled().ranked()]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert Topic("water").ranked() == []


def test_without_a_topic_all_are_as_near() -> None:
    one = Topic("")
    assert one.add(page("a.example", WATER), "") == 1.0
    assert [score for _, score in one.ranked()] == [0.0]


def test_it_goes_on_from_its_state() -> None:
    one, other = filled(), Topic("water quality")
    other.restore(one.state())
    assert other.ranked() == one.ranked()
    for each in (one, other):
        each.add(page("late.example", WATER), "")
    assert other.ranked() == one.ranked()
