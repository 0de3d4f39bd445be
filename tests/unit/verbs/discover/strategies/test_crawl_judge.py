import pytest

from filon.testing.discovery import BEES, CARS, OTHERS
from filon.verbs.discover.strategies import Brief
from filon.verbs.discover.strategies.crawl import TURNED_DOWN, Judge
from filon.verbs.discover.strategies.page import Page
from filon.verbs.discover.strategies.tasks import Tasks


def page(number: int, words: list[str], site: str = "") -> Page:
    site = site or f"site{number}.example"
    turned = [*words[number % 4 :], *words[: number % 3]]
    return Page(url=f"http://{site}/{number}", site=site, text=" ".join(turned))


def judge(others: tuple[str, ...] = OTHERS, examples: int = 3) -> Judge:
    one = Judge(Tasks(Brief(others=others)))
    for number in range(examples):
        one.learn(page(number, BEES))
    one.begin()
    return one


@pytest.mark.parametrize("others", [OTHERS, ()])
def test_pages_like_the_examples_are_told_from_others(others: tuple[str, ...]) -> None:
    one = judge(others)
    for number in range(10, 30):
        assert one.take(page(number, BEES))[0] > 0
        assert one.take(page(number + 100, CARS))[0] <= 0
    assert one.summary()["judged"] == {"of the kind": 20, "others": 20}


def test_without_others_the_pages_turned_down_are_learnt_from_once_there_are_enough() -> None:
    one = judge(())
    enough = TURNED_DOWN * 3
    for number in range(enough + 5):
        assert bool(len(one._model.weights)) == (number >= enough)
        one.take(page(number + 10, CARS))
    assert len(one.state()["others"]) == enough


def test_a_site_is_found_once_and_told_by_its_best_page() -> None:
    one = judge()
    poor = page(12, [*BEES[:6], CARS[0]], "club.example")
    good = page(11, BEES, "club.example")
    scores = [one.take(poor)[0], one.take(good)[0]]
    assert 0 < scores[0] < scores[1]
    assert one.take(poor)[1] == []
    (found,) = one.summary()["found"]
    assert found["url"] == good.url
    assert found["score"] == pytest.approx(scores[1], abs=1e-6)


def test_the_sites_of_examples_are_no_finds() -> None:
    one = judge()
    score, finds = one.take(page(5, BEES, "site0.example"))
    assert score > 0
    assert not finds
    assert not one.summary()["found"]


def test_without_a_single_example_nothing_is_of_the_kind() -> None:
    one = judge(examples=0)
    assert one.take(page(1, BEES)) == (-1.0, [])


@pytest.mark.parametrize("others", [OTHERS, ()])
def test_goes_on_from_its_state_with_the_same_scores(others: tuple[str, ...]) -> None:
    first, second = judge(others), Judge(Tasks(Brief(others=others)))
    for number in range(8):
        first.take(page(number + 10, CARS))
        first.take(page(number + 40, BEES))
    second.restore(first.state())
    for words in (BEES, CARS, [*BEES[:5], *CARS[:5]]):
        assert first.take(page(90, words))[0] == second.take(page(90, words))[0]
    assert first.summary() == second.summary()
