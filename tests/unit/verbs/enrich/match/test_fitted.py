"""Tables on which no row is equal to its record: the usual scorer breaks down, and is replaced."""

import random
from dataclasses import replace

import numpy as np
import pytest

from filon.core import Record
from filon.verbs.enrich.match import Matches, align
from filon.verbs.enrich.match.anchored import _line, anchored
from filon.verbs.enrich.match.candidates import Candidates
from filon.verbs.enrich.match.cosine import Cosine
from filon.verbs.enrich.match.kinds import Text

SYLLABLES = [first + last for first in "bdfgklmnprst" for last in ("a", "e", "i", "o", "u")]
FAMILIES = [f"{one}{two}sen".title() for one in SYLLABLES[:8] for two in SYLLABLES[20:28]]


def films(count: int, seed: int) -> list[str]:
    """Return different titles of two to four words, a part of them with an article."""
    dice = random.Random(seed)
    words = ["".join(dice.choices(SYLLABLES, k=dice.choice((2, 3)))) for _ in range(900)]
    found: dict[str, None] = {}
    while len(found) < count:
        title = " ".join(dice.choices(words, k=dice.choice((2, 3, 4)))).title()
        found["The " * (dice.random() < 0.3) + title] = None
    return list(found)


def catalogued(title: str, dice: random.Random) -> str:
    """Return a title as a catalogue sorts it: the article behind, the year in brackets."""
    bare = f"{title[4:]}, The" if title.startswith("The ") else title
    return f"{bare} ({dice.randrange(1930, 2015)})"


def filled(matches: Matches) -> dict[int, str]:
    return {
        match.row: match.record.id for match in matches if match.fate == "matched" and match.record
    }


@pytest.mark.parametrize("present", [600, 200])
def test_titles_with_a_year_behind_and_the_article_last_are_found(present: int) -> None:
    dice = random.Random(5)
    titles = films(600, seed=1)
    columns = {"title": [catalogued(title, dice) for title in titles]}
    hidden = titles[:present] + films(1800, seed=2)
    records = [Record(id=str(at), fields={"title": title}) for at, title in enumerate(hidden)]
    found = filled(Matches(columns, records, align(columns, records, {"title": ""})))
    right = sum(found.get(row) == str(row) for row in range(present))
    assert right == present
    assert right >= 0.95 * len(found)


def test_misspelt_titles_with_a_year_behind_are_found_too() -> None:
    dice = random.Random(6)
    titles = films(600, seed=3)
    spoilt = [title[:3] + title[4:] if at % 2 else title for at, title in enumerate(titles)]
    columns = {"title": [catalogued(title, dice) for title in spoilt]}
    hidden = titles[:400] + films(900, seed=4)
    records = [Record(id=str(at), fields={"title": title}) for at, title in enumerate(hidden)]
    found = filled(Matches(columns, records, align(columns, records, {"title": ""})))
    right = sum(found.get(row) == str(row) for row in range(400))
    assert right >= 360
    assert right >= 0.93 * len(found)


def test_a_second_field_that_mostly_disagrees_does_no_harm() -> None:
    dice = random.Random(7)
    titles = films(500, seed=5)
    actors = [dice.choice(FAMILIES) for _ in titles]
    columns = {"title": [catalogued(title, dice) for title in titles], "actor": actors}
    records = [
        Record(id=str(at), fields={"title": title[:-1], "starring": dice.choice(FAMILIES)})
        for at, title in enumerate(titles[:400] + films(800, seed=6))
    ]
    said = {"title": "title", "actor": "starring"}
    found = filled(Matches(columns, records, align(columns, records, said)))
    right = sum(found.get(row) == str(row) for row in range(400))
    assert right >= 320
    assert right >= 0.93 * len(found)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_where_nothing_is_there_next_to_nothing_is_filled(seed: int) -> None:
    dice = random.Random(seed)
    columns = {"title": [catalogued(title, dice) for title in films(600, seed=seed)]}
    records = [
        Record(id=str(at), fields={"title": title})
        for at, title in enumerate(films(1500, seed=seed + 100))
    ]
    found = filled(Matches(columns, records, align(columns, records, {"title": ""})))
    assert len(found) <= 12


def test_what_one_record_alone_is_like_is_surer_than_what_many_are() -> None:
    columns = {"title": ["Amber basin one", "Cedar delta one"]}
    theirs = ["Amber basin two", "Cedar delta two", "Cedar delta six", "Cedar delta ten"]
    # The last says the same as the one before: it is no other thing.
    theirs += ["Cedar delta ten!"]
    records = [Record(id=str(at), fields={"title": title}) for at, title in enumerate(theirs)]
    pairs = Candidates(columns, records, align(columns, records, {"title": "title"}))
    plain = replace(pairs.table.start, bias=0.0)
    logits = plain.logits(pairs.similarities)
    nexts = dict(zip(pairs.records.tolist(), pairs.nexts(logits).tolist(), strict=True))
    of = dict(zip(pairs.records.tolist(), logits.tolist(), strict=True))
    assert nexts[0] == -np.inf
    assert nexts[3] == max(of[1], of[2])
    floor = of[0] - 4
    sure = pairs.logits(replace(plain, lead=0.5, most=6.0, floor=floor)) - logits
    sure_of = dict(zip(pairs.records.tolist(), sure.tolist(), strict=True))
    assert sure_of[0] == pytest.approx(2.0)
    assert sure_of[3] == pytest.approx(0.5 * (of[3] - nexts[3]))
    assert max(sure_of[each] for each in (1, 2, 3, 4)) < 1.0
    least = pairs.logits(replace(plain, lead=0.5, most=3.0, floor=floor)) - logits
    assert least.max() == pytest.approx(1.5)


def test_it_tells_how_many_rows_have_a_match() -> None:
    dice = random.Random(8)
    titles = films(500, seed=7)
    columns = {"title": [catalogued(title, dice) for title in titles]}
    for present in (400, 250):
        hidden = titles[:present] + films(1000, seed=8)
        records = [Record(id=str(at), fields={"title": title}) for at, title in enumerate(hidden)]
        alignment = align(columns, records, {"title": ""})
        told = anchored(Candidates(columns, records, alignment))
        assert told.expected == pytest.approx(present, rel=0.1)


@pytest.mark.parametrize("present", [0.1, 0.5, 0.67])
def test_probabilities_are_found_however_far_from_them_the_scores_are(present: float) -> None:
    """Newton's first step may be far too long: everything was a match then."""
    is_match = np.arange(1500) < present * 1500
    scores = np.where(is_match, 6.0, -6.0) + np.linspace(-1, 1, 1500)
    chances = np.where(is_match, 0.99, 0.01)
    slope, shift = _line(scores, chances)
    for factor, moved in ((2.0, 10.0), (0.7, -8.0), (3.0, 0.0)):
        told = _line(factor * scores + moved, chances)
        wanted = slope / factor, shift - slope / factor * moved
        assert told == pytest.approx(wanted, rel=0.02, abs=0.02)


def test_nothing_is_learnt_from_nothing() -> None:
    columns = {"title": ["The Owl (1968)"]}
    alignment = align(columns, [], {"title": "title"})
    assert anchored(Candidates(columns, [], alignment)).expected == 0.0
    records = [Record(id="1", fields={"title": "The Owl"})]
    told = anchored(Candidates(columns, records, alignment))
    assert told.expected <= 1.0
    assert np.isfinite(told.scorer.bias)


def test_texts_compared_by_words_leave_the_table_as_it_was() -> None:
    titles = films(50, seed=9)
    columns = {"title": titles}
    records = [Record(id="1", fields={"title": titles[0].replace(" ", " new ")})]
    pairs = Candidates(columns, records, align(columns, records, {"title": ""}))
    before = pairs.similarities.copy()
    other = pairs.by_words(near=True)
    assert np.array_equal(pairs.similarities, before)
    assert not np.array_equal(other.similarities, before)
    assert other.table.index is pairs.table.index


def test_the_cosine_is_that_of_rare_words_in_any_order() -> None:
    texts = [
        Text("nova tv 32"),
        Text("vega tv 32"),
        Text("32 tv nova"),
        Text("ps lx350"),
        Text("x"),
    ]
    alike = Cosine([*texts, Text("pslx350")])
    assert alike.similarity(texts[0], texts[2]) == pytest.approx(1.0)
    assert 0 < alike.similarity(texts[0], texts[1]) < 0.7
    assert alike.similarity(texts[3], Text("pslx350")) == pytest.approx(1.0)
    assert alike.similarity(texts[0], texts[4]) == 0.0
    assert alike.similarity(Text("unheard of"), replace(texts[0])) == 0.0
