import asyncio

import pytest

from experiments.enrich.hidden import Hidden
from filon.core import Answer, Record

RECORDS = [
    Record(id=str(number), fields={"title": title})
    for number, title in enumerate(("Thai Noodle House", "Noodle Bar", "Thai House", "House"))
]


def ask(hidden: Hidden, query: str, page: str = "") -> Answer:
    return hidden.parse(asyncio.run(hidden.fetch(hidden.request(query, page))))


def ids(answer: Answer) -> list[str]:
    return [record.id for record in answer.records]


def test_a_conjunctive_search_returns_records_with_all_words_in_the_order_of_rank() -> None:
    answer = ask(Hidden(RECORDS, page_size=10), "house thai")
    assert (ids(answer), answer.total, answer.more) == (["0", "2"], 2, "")


def test_a_disjunctive_search_ranks_records_with_more_and_rarer_words_first() -> None:
    answer = ask(Hidden(RECORDS, page_size=10, joins="or"), "noodle bar house")
    assert ids(answer) == ["1", "0", "2", "3"]


def test_pages_are_reached_one_after_the_other_and_each_call_is_counted() -> None:
    hidden = Hidden(RECORDS, page_size=2, totals=False)
    first = ask(hidden, "house")
    second = ask(hidden, "house", first.more)
    assert (ids(first), ids(second)) == (["0", "2"], ["3"])
    assert (first.total, second.more, hidden.calls) == (None, "", 2)


def test_pages_beyond_the_reachable_ones_are_not_offered() -> None:
    assert ask(Hidden(RECORDS, page_size=2, pages=1), "house").more == ""


def test_a_word_that_no_record_holds_finds_nothing() -> None:
    assert ask(Hidden(RECORDS, page_size=2), "house unheard").records == ()


@pytest.mark.parametrize("ranks", ["rarity", "length", "count"])
def test_page_after_page_gives_all_matches_in_their_order(ranks: str) -> None:
    words = ("red", "blue", "inn", "bar", "old")
    titles = [" ".join(word for at, word in enumerate(words) if n >> at & 1) for n in range(1, 32)]
    records = [Record(id=str(n), fields={"title": title}) for n, title in enumerate(titles * 2)]
    hidden = Hidden(records, page_size=7, joins="or")
    hidden.ranks = ranks
    everything = [records[row].id for row in hidden.matches("red inn old")]
    paged: list[str] = []
    more = "1"
    while more:
        answer = ask(hidden, "red inn old", more)
        paged, more = paged + ids(answer), answer.more
    assert paged == everything
    assert answer.total == len(everything) == 56
