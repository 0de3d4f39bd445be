import math

import numpy as np

from filon.verbs.enrich.strategies.lexicon import Lexicon
from filon.verbs.enrich.strategies.prospect.conjunctive import Miss, Singly
from filon.verbs.enrich.strategies.prospect.shared import Sizes
from filon.verbs.enrich.strategies.prospect.value import Reliability
from unit.verbs.enrich.strategies.prospect.wine import lexicon


def test_what_a_query_says_of_rows_it_missed_is_taken_back_when_such_rows_are_met() -> None:
    miss = Miss()
    miss.share = 1.0
    said = miss.change(0.8)
    assert math.isclose(said, math.log(1 - 0.8))
    miss.met = 6  # and none of their records holds it
    assert 0 < miss.change(0.8) < -said
    assert miss.reliable(0.8) == 2 * 0.8 / 8


def test_rows_without_a_query_left_do_not_keep_others_from_being_asked_for() -> None:
    words = lexicon()
    singly, sizes = Singly(words, 10), Sizes(len(words.columns))
    reliability = Reliability(words, columns=True, words=True)
    own = words.of(0).tolist()
    asked = {tuple(sorted((one, two))) for one in own for two in own}
    weights = np.array([0.9, 0.1, 0.0, 0.0, 0.0])
    row, query, found = singly.best(weights, sizes, reliability, asked)
    assert row == 1
    assert query
    assert found > 0


def test_a_row_is_asked_for_by_the_columns_that_were_named() -> None:
    words = Lexicon({"name": ["ada lovelace", "alan turing"]}, {"born": ["1815", "1912"]})
    reliability = Reliability(words, columns=True, words=True)
    reliability.meet([words.id["1815"]])
    reliability.fit()
    found = Singly(words, 10).best(np.array([0.9, 0.1]), Sizes(2), reliability, set())
    assert words.text(found[1]) == "ada lovelace"
