import asyncio
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

from experiments.enrich.datasets import Dataset
from experiments.enrich.hidden import Hidden
from filon.core import MachineError, Record, Request, Response, Step
from filon.verbs.enrich.strategies import Brief
from filon.verbs.enrich.strategies.prospect import Prospect

STEMS = ("ka", "lo", "mi", "nu", "re", "so", "ti", "va")


def word(number: int) -> str:
    return STEMS[number % 8] + STEMS[number // 8 % 8] + STEMS[number // 64 % 8]


def table(rows: int = 120, hidden: int = 600, *, absent: int = 40) -> Dataset:
    """Texts of five words drawn by a fixed rule; some rows are of a topic that is not hidden."""
    chance = np.random.default_rng(5)
    texts = [" ".join(word(int(n)) for n in chance.zipf(1.3, 5) % 400) for _ in range(hidden)]
    strange = [f"zulu {word(int(n))} {word(int(n) + 7)}" for n in chance.integers(0, 400, absent)]
    local = texts[: rows - absent] + strange
    records = [Record(id=str(at), fields={"title": text}) for at, text in enumerate(texts)]
    gold = {str(at): (at,) for at in range(rows - absent)}
    return Dataset(name="toy", columns={"title": local}, hidden=records[::-1], gold=gold)


def crawl(
    dataset: Dataset, hidden: Hidden, calls: int, told: str | None = None, ahead: int = 1
) -> tuple[Prospect, list[Step]]:
    brief = Brief(columns=dataset.columns, provider=hidden, matcher=dataset, calls=calls)
    strategy = Prospect(brief)
    steps: list[Step] = []
    if told is not None:
        strategy.joins = told
    while len(steps) < calls:
        flying: list[Step] = []
        while len(flying) < ahead and (step := strategy.propose()):
            flying.append(step)
        if not flying:
            break
        steps += flying
        for step in flying:
            strategy.observe(step, asyncio.run(hidden.fetch(step.request)))
    return strategy, steps


def covered(strategy: Prospect) -> int:
    return int(strategy.coverage.covered.sum())


def test_one_call_brings_many_rows_where_any_word_is_enough() -> None:
    dataset = table()
    strategy, steps = crawl(dataset, Hidden(dataset.hidden, page_size=10, joins="or"), 12)
    assert covered(strategy) > 4 * len(steps)
    assert steps[0].reason.text.startswith("rare words of ")


@pytest.mark.parametrize("joins", ["and", "or"])
def test_how_words_are_joined_is_heard_from_the_first_answer(joins: str) -> None:
    dataset = table()
    strategy, steps = crawl(dataset, Hidden(dataset.hidden, page_size=10, joins=joins), 3, told="")
    assert strategy.joins == joins
    assert steps[0].reason.text.startswith("rare words of ")


class Lenient(Hidden):
    """Passes over words that no record holds."""

    async def fetch(self, request: Request) -> Response:
        (query,) = parse_qs(urlsplit(request.url).query)["q"]
        known = [some for some in query.split() if len(self.matches(some))]
        return await super().fetch(self.request(" ".join(known or query.split())))


def test_a_service_that_passes_over_unknown_words_is_not_taken_for_one_of_any_word() -> None:
    dataset = table()
    # What is told apart best is in the probe: three rows that are absent, and one that is there.
    odd = [f"far{mark} off{mark} odd{mark} new{mark} own{mark}" for mark in "abcd"]
    dataset = replace(
        dataset,
        columns={"title": [*dataset.columns["title"], *odd]},
        hidden=[*dataset.hidden, Record(id="odd", fields={"title": odd[0]})],
        gold={**dataset.gold, "odd": (120,)},
    )
    strategy, steps = crawl(dataset, Lenient(dataset.hidden, page_size=5), 40, told="")
    assert steps[0].reason.text.startswith("rare words of ")
    assert strategy.joins == "and"
    assert covered(strategy) > 30


def test_rows_that_are_not_there_are_told_from_those_not_reached() -> None:
    dataset = table()
    strategy, _ = crawl(dataset, Hidden(dataset.hidden, page_size=10, joins="or"), 40)
    absent = {row for row, fate in strategy.fates().items() if fate == "absent"}
    assert len(absent & set(range(80, 120))) > 30
    assert covered(strategy) > 70
    assert strategy.summary()["absent"] == len(absent)


def test_without_totals_it_covers_rows_too() -> None:
    dataset = table()
    with_totals, _ = crawl(dataset, Hidden(dataset.hidden, page_size=5), 40)
    without, _ = crawl(dataset, Hidden(dataset.hidden, page_size=5, totals=False), 40)
    assert covered(with_totals) >= 40
    assert covered(without) >= 0.7 * covered(with_totals)


def test_several_in_flight_cost_little_and_go_for_different_rows() -> None:
    dataset = table()
    one, _ = crawl(dataset, Hidden(dataset.hidden, page_size=5), 40)
    many, steps = crawl(dataset, Hidden(dataset.hidden, page_size=5), 40, ahead=8)
    assert len({step.request for step in steps}) == len(steps)
    assert covered(many) >= 0.9 * covered(one)


def test_calls_in_flight_become_more_as_answers_come_in() -> None:
    dataset = table()
    hidden = Hidden(dataset.hidden, page_size=5)
    strategy, _ = crawl(dataset, hidden, 1)
    first = strategy.propose()
    assert first is not None
    assert strategy.propose() is None
    strategy, _ = crawl(dataset, hidden, 10)
    assert all(strategy.propose() for _ in range(4))


def test_what_is_expected_of_a_call_is_seen_without_its_own_discount() -> None:
    dataset = table(rows=300, absent=100)
    hidden = Hidden(dataset.hidden, page_size=5)
    alone, _ = crawl(dataset, hidden, 60)
    many, _ = crawl(dataset, hidden, 60, ahead=8)
    assert many.presence.strength > 0.9 * alone.presence.strength


@pytest.mark.parametrize("takes", [2, 200])
def test_several_in_flight_come_to_an_end_where_few_rows_are_left(takes: int) -> None:
    records = [Record(id=str(n), fields={"title": f"{word(n)} {word(n + 9)}"}) for n in range(20)]
    titles = [record.fields["title"] for record in records[:3]] + ["zulu yankee xray whisky"] * 2
    columns = {"title": titles}
    dataset = Dataset(name="few", columns=columns, hidden=records, gold={"0": (0,)})
    hidden = Hidden(records, page_size=5, joins="or")
    hidden.words = takes
    strategy, steps = crawl(dataset, hidden, 40, ahead=8)
    assert covered(strategy) == 1
    assert len(steps) < 40
    assert strategy.propose() is None


@pytest.mark.parametrize("joins", ["and", "or"])
def test_a_restored_run_goes_on_with_the_same_steps(joins: str) -> None:
    dataset = table()
    hidden = Hidden(dataset.hidden, page_size=5, joins=joins, totals=False)
    first, _ = crawl(dataset, hidden, 15)
    waiting = [first.propose(), first.propose()]
    brief = Brief(columns=dataset.columns, provider=hidden, matcher=dataset, calls=15)
    second = Prospect(brief)
    second.restore(first.state())
    for step in waiting:
        assert step is not None
        response = asyncio.run(hidden.fetch(step.request))
        assert first.observe(step, response) == second.observe(step, response)
    for _ in range(8):
        ours, theirs = first.propose(), second.propose()
        assert ours is not None
        assert ours == theirs
        response = asyncio.run(hidden.fetch(ours.request))
        assert first.observe(ours, response) == second.observe(ours, response)
    assert first.summary() == second.summary()


def test_a_state_of_another_layout_is_refused() -> None:
    dataset = table()
    strategy, _ = crawl(dataset, Hidden(dataset.hidden, page_size=5), 3)
    state = {**strategy.state(), "version": 1}
    with pytest.raises(MachineError, match="another version of Filon"):
        strategy.restore(state)


def test_a_reason_names_words_rows_and_what_is_left() -> None:
    dataset = table()
    _, steps = crawl(dataset, Hidden(dataset.hidden, page_size=5), 6)
    reason = steps[-1].reason
    assert "rows not found yet have" in reason.text
    assert "results are expected" in reason.text
    assert "with the calls left" in reason.outlook


def test_a_query_that_the_service_does_not_take_is_left_out() -> None:
    class Narrow(Hidden):
        def takes(self, query: str) -> bool:
            return len(query.split()) == 1

        def request(self, query: str, page: str = "") -> Request:
            assert self.takes(query)
            return super().request(query, page)

    dataset = table()
    strategy, steps = crawl(dataset, Narrow(dataset.hidden, page_size=5), 20)
    assert steps
    assert covered(strategy) > 0


def test_a_row_of_one_word_is_asked_for_once() -> None:
    """Answers at hand cost nothing: what is asked for again and again would never end."""
    numbers = [f"9780{1000 + 37 * at}" for at in range(30)]
    records = [Record(id=each, fields={"isbn": each}) for each in numbers[:6]]
    gold = {each: (at,) for at, each in enumerate(numbers[:6])}
    dataset = Dataset(name="one", columns={"isbn": numbers}, hidden=records, gold=gold)
    _, steps = crawl(dataset, Hidden(records, page_size=10), calls=100, told="and")
    urls = [step.request.url for step in steps]
    assert len(urls) == len(set(urls)) <= 30
