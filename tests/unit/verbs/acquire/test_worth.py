"""What a find counts for a topic."""

from filon.core import Find
from filon.verbs.acquire.worth import LEAST, worth

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
