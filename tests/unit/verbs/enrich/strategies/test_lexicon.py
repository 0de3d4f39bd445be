import numpy as np

from unit.verbs.enrich.strategies.prospect.wine import ids, lexicon


def test_a_lexicon_knows_columns_neighbours_and_rows() -> None:
    words = lexicon()
    assert words.trait[words.id["red"]] == 0
    assert words.trait[words.id["b2"]] == 3
    red, wine, bar = (np.array([words.id[word]]) for word in ("red", "wine", "bar"))
    assert words.beside(red, wine).tolist() == words.beside(wine, red).tolist() == [3]
    assert words.beside(red, bar).tolist() == [0]
    assert words.holding(ids(words, "blue noodle")).tolist() == [3, 4]
