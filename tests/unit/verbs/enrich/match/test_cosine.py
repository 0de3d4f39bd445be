"""Names are compared by their rare words, also where a word is spelt in two ways."""

import pytest

from filon.verbs.enrich.match.cosine import Cosine
from filon.verbs.enrich.match.kinds import Text


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("philipp i count of hanau", "philip i count of hanau"),
        ("colombian australians", "colombian australian"),
        ("christoph of hanau", "christopher of hanau"),
        ("jaswant singh", "jashwant singh"),
    ],
)
def test_a_word_that_is_spelt_otherwise_counts_nearly_as_much(ours: str, theirs: str) -> None:
    pair = [Text(ours), Text(theirs)]
    assert Cosine(pair).similarity(*pair) > 0.95


def test_figures_and_short_words_are_equal_or_not() -> None:
    for a, b in (("cup 2011", "cup 2012"), ("tv 32a", "tv 32b"), ("line al", "line alb")):
        pair = [Text(a), Text(b)]
        assert Cosine(pair).similarity(*pair) < 0.5, (a, b)


def test_a_word_is_near_to_one_other_only() -> None:
    once = [Text("marianna"), Text("mariana marianne")]
    twice = [Text("marianna mariana"), Text("marianne")]
    for pair in (once, twice):
        assert 0.5 < Cosine(pair).similarity(*pair) < 0.75
