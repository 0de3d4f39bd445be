"""What a find counts for a topic."""

from filon.core import Find
from filon.verbs.acquire.worth import LEAST, beginnings, promised, worth

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
    telling = beginnings({"prices": 0.5, "inflation": 1.0})
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


def test_a_file_that_has_half_of_what_tells_the_topic_counts_nearly_all() -> None:
    half = worth(FIND, "food security")
    assert 0.9 < half < 1.0
    assert LEAST < worth(FIND, "economics", {"price": 0.05}) < half


def test_of_what_speaks_of_other_files_too_only_words_of_the_user_count() -> None:
    assert worth(FIND, "economics", {"food": 1.0}) == LEAST, "it is in the title of the page"
    assert worth(FIND, "food") == 1.0


def test_a_site_promises_as_sure_as_it_is_against_the_best_on_the_list() -> None:
    rows = [
        {"url": "http://a.example/", "score": 0.99},
        {"url": "http://b.example/", "score": 0.98},
        {"url": "http://c.example/", "score": 0.97, "apart": "off the topic"},
    ]
    sure = {"http://a.example/": 0.8, "http://b.example/": 0.2}
    assert promised(rows, sure) == [1.0, 0.25, 1.0]
    assert promised([], sure) == []
