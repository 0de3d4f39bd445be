import numpy as np

from filon.verbs.enrich.strategies.lexicon import Lexicon
from unit.verbs.enrich.strategies.prospect.wine import ids, lexicon


def test_a_lexicon_knows_columns_neighbours_and_rows() -> None:
    words = lexicon()
    assert words.trait[words.id["red"]] == 0
    assert words.trait[words.id["b2"]] == 3
    red, wine, bar = (np.array([words.id[word]]) for word in ("red", "wine", "bar"))
    assert words.beside(red, wine).tolist() == words.beside(wine, red).tolist() == [3]
    assert words.beside(red, bar).tolist() == [0]
    assert words.holding(ids(words, "blue noodle")).tolist() == [3, 4]


def test_words_of_other_columns_come_after_those_of_all_named_ones() -> None:
    plain = Lexicon({"title": ["red wine", "noodle bar"]})
    more = Lexicon({"title": ["red wine", "noodle bar"]}, {"note": ["wine 1961", "red"]})
    assert more.words == [*plain.words, "1961"]
    assert [more.words[word] for word in more.of(0)] == ["red", "wine", "1961"]
    assert [more.words[word] for word in more.own_of(0)] == ["red", "wine"]
    assert [more.words[word] for word in more.of(1)] == ["noodle", "bar", "red"]
    assert more.columns == ["title", "note"]
    assert [more.is_other(more.id[word]) for word in ("noodle", "1961")] == [False, True]
    assert more.named_words.tolist() == [True, True, True, True, False]
