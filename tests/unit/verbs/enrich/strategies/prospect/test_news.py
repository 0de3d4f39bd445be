import numpy as np
import pytest

from filon.core import Record
from filon.verbs.enrich.strategies.prospect.news import News, Tidings
from unit.verbs.enrich.strategies.prospect.wine import ids, lexicon


def records(*texts: str) -> list[Record]:
    return [Record(id=text, fields={"text": text}) for text in texts]


def read(news: News, query: str, texts: list[str], matched: list[list[int]]) -> Tidings:
    words = ids(lexicon(), query)
    return news.read(words, records(*texts), matched, np.zeros(5, dtype=bool))


def test_a_record_is_news_once() -> None:
    news = News(lexicon(), 10)
    first = read(news, "red", ["red wine", "red wine", "red ale"], [[], [], []])
    assert len(first.records) == 2
    assert dict(zip(first.words, first.counts, strict=True))[lexicon().id["red"]] == 2
    news.learn(ids(lexicon(), "red"), first, 3, 3, 5.0)
    assert read(news, "bar", ["red wine", "bar"], [[], []]).records != first.records
    assert len(read(news, "bar", ["red wine", "bar"], [[], []]).records) == 1


def test_rows_that_lack_the_words_of_the_query_are_counted_for_the_words_of_the_record() -> None:
    news = News(lexicon(), 10)
    # Row 3 is a blue noodle bar; row 0 holds the query, which was for it.
    tidings = read(news, "red", ["sunny red noodle", "sunny red bar"], [[3], [0]])
    gains = dict(zip(tidings.words, tidings.gains, strict=True))
    assert tidings.beside == 1
    assert gains["sunny"] == 1
    assert gains[lexicon().id["noodle"]] == 0  # the row has it


def test_words_that_stand_in_records_only_are_offered_by_what_such_records_brought() -> None:
    words = lexicon()
    news, nobody = News(words, 10), np.zeros(len(words.words), dtype=bool)
    assert news.best(5.0, nobody)[0] == -1
    texts = [f"sunny red {n}x" for n in range(4)] + [f"rainy red {n}y" for n in range(4)]
    tidings = read(news, "red", texts, [[3], [4], [], [], [], [], [], []])
    news.learn(ids(words, "red"), tidings, 8, 8, 5.0)
    word, size, value = news.best(5.0, np.ones(len(words.words), dtype=bool))
    assert news.text((word,)) == "sunny"
    assert news.foreign((word,))
    assert size >= 4
    assert value > 0
    news.ask((word,))
    assert news.text((news.best(5.0, np.ones(len(words.words), dtype=bool))[0],)) == "rainy"


def test_the_part_of_all_records_that_was_met_is_learnt_from_totals() -> None:
    words = lexicon()
    news = News(words, 10)
    texts = [f"red {'bar' if n < 5 else 'inn'} {n}z" for n in range(10)]
    news.learn(ids(words, "red"), read(news, "red", texts, [[] for _ in texts]), 10, 10, 5.0)
    before = news.part
    # Five of the ten bars that there are were met before.
    news.learn(ids(words, "bar"), Tidings(), 10, 10, 5.0)
    assert before < news.part == pytest.approx(10 * 6 / 150)


def test_what_pages_bring_beside_falls_with_the_records_that_are_known() -> None:
    words = lexicon()
    news = News(words, 10)
    texts = [f"red noodle {n}x" for n in range(8)]
    tidings = read(news, "red", texts, [[3], [4], *([[]] * 6)])
    news.learn(ids(words, "red"), tidings, 8, 40, 5.0)
    noodle = np.array([words.id["noodle"]])
    few, many = (float(news.beside(noodle, np.array([size]), 5.0)[0]) for size in (10.0, 100.0))
    assert 0 < few < many
    assert news.of_page(ids(words, "red"), 32.0, 5.0) > 0
