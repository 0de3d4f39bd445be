"""What a find counts for a topic."""

from filon.core import Find
from filon.verbs.acquire.worth import LEAST, beginnings, worth

FIND = Find(kind="file", url="http://a.org/prices-2020.csv", page_title="Food prices in regions")


def test_without_a_topic_every_file_counts_the_same() -> None:
    assert worth(FIND, "") == 1.0


def test_more_words_of_the_topic_count_more_and_forms_of_a_word_are_one() -> None:
    assert worth(FIND, "food price") == 1.0
    assert LEAST < worth(FIND, "food security") < 1.0
    assert worth(FIND, "whales") == LEAST


def test_a_row_of_the_ledger_counts_as_the_find_does() -> None:
    row = {"name": "", "link_text": "", "url": FIND.url, "page_title": FIND.page_title}
    assert worth(row, "food security") == worth(FIND, "food security")


def test_words_that_discovery_has_learnt_tell_the_topic_too() -> None:
    telling = beginnings({"regional": 0.5, "inflation": 1.0})
    assert worth(FIND, "economics") == LEAST
    assert LEAST < worth(FIND, "economics", telling) < 1.0
    other = Find(kind="file", url="http://inflation.example/x.csv")
    assert worth(other, "economics", telling) == 1.0


def test_words_of_any_address_say_nothing() -> None:
    find = Find(kind="file", url="https://www.b.example/data/raw/main/index.csv")
    telling = beginnings(dict.fromkeys(["https", "csv", "data", "raw", "example", "main"], 1.0))
    assert worth(find, "economics", telling) == LEAST


def test_an_address_that_is_none_does_no_harm() -> None:
    assert worth({"url": "http://[bad/food.csv", "name": "food.csv"}, "food") == 1.0
