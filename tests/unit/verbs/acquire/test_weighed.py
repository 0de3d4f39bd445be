"""Files are weighed anew when discovery has learnt what tells the topic."""

from filon.core import Find
from filon.learn.allocation import Allocation
from filon.verbs.acquire.weighed import LATEST, Weighed
from filon.verbs.acquire.worth import LEAST, beginnings, worth


def _file(name: str) -> Find:
    return Find(kind="file", url=f"http://a.test/{name}.csv", name=f"{name}.csv")


def test_files_of_before_count_by_the_words_of_now() -> None:
    files = Weighed("hunger")
    assert files.take("a", _file("food")) == files.take("b", _file("chess")) == LEAST
    assert files.learn({"food": 1.0})
    assert dict(files.means()) == {"a": 1.0, "b": LEAST}
    assert files.take("b", _file("food")) == 1.0


def test_the_same_words_again_or_none_are_nothing_new() -> None:
    files = Weighed("hunger", beginnings({"food": 1.0}))
    assert not files.learn({"food": 1.0})
    assert not files.learn({})
    assert files.take("a", _file("food")) == 1.0


def test_what_is_told_of_a_site_is_what_its_latest_files_count() -> None:
    files = Weighed("hunger")
    for name in ("food", *["chess"] * LATEST):
        files.take("a", _file(name))
    files.learn({"food": 1.0})
    assert dict(files.means())["a"] == worth(_file("chess"), "hunger")


def test_without_a_topic_nothing_is_kept() -> None:
    files = Weighed("")
    assert files.take("a", _file("food")) == 1.0
    assert list(files.means()) == []


def test_a_site_whose_files_turn_out_to_be_on_the_topic_is_gone_on_with() -> None:
    files, allocation = Weighed("hunger"), Allocation()
    for site, name, each in (("early", "food", 1), ("late", "chess", 2)):
        allocation.add(site)
        for _ in range(20):
            counts = [files.take(site, _file(name)) for _ in range(each)]
            allocation.learn(site, 1, sum(counts), number=each)
    assert allocation.choose(["early", "late"], left=100) == "late"
    files.learn({"food": 1.0})
    for site, mean in files.means():
        allocation.weigh(site, mean)
    assert allocation.choose(["early", "late"], left=100) == "early"
    assert allocation.why("early")["finds"] == 20.0
