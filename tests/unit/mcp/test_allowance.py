"""The account of what all runs of an agent spend."""

from pathlib import Path

import pytest

from filon.core import Budget, Spent
from filon.mcp.allowance import DAY_S, Allowance
from filon.mcp.limits import LimitError

NONE = Budget()
RUN = Budget.parse("40req,1MB,60s")


class Runs:
    """What runs have spent, and which are over."""

    def __init__(self, tmp_path: Path, day: str) -> None:
        self.path, self.day = tmp_path / "own" / "allowance.sqlite", Budget.parse(day)
        self.spent: dict[str, Spent] = {}
        self.over: set[str] = set()
        self.now = 1_000_000.0
        self.account = self.opened()

    def opened(self) -> Allowance:
        return Allowance(self.path, self.day, "here", self.look, lambda: self.now)

    def look(self, run: str, server: str) -> tuple[Spent, bool]:
        assert server == "here"
        return self.spent.get(run, Spent()), run in self.over

    def begin(self, run: str, asked: str = "") -> Budget:
        charge = self.account.put_aside("", Budget.parse(asked) if asked else NONE, RUN, Spent())
        self.account.begun(charge, run)
        return charge.bound


def test_what_is_put_aside_counts_until_the_run_is_over(tmp_path: Path) -> None:
    runs = Runs(tmp_path, "100req")
    assert runs.begin("a") == Budget.parse("40req,1MB,60s")
    assert runs.begin("b", "30req").requests == 30
    assert runs.begin("c").requests == 30
    with pytest.raises(LimitError, match="24 hours"):
        runs.begin("d")
    runs.spent["a"], runs.over = Spent(requests=15), {"a"}
    assert runs.account.left().requests == 25
    assert runs.begin("d").requests == 25


def test_what_was_spent_counts_for_a_day_and_what_is_open_for_ever(tmp_path: Path) -> None:
    runs = Runs(tmp_path, "80req")
    runs.begin("a"), runs.begin("b")
    runs.spent["a"], runs.over = Spent(requests=40), {"a"}
    assert runs.account.left().requests == 0
    runs.now += DAY_S + 1
    assert runs.account.left().requests == 40  # b may still spend its own
    runs.spent["b"], runs.over = Spent(requests=40), {"a", "b"}
    assert runs.account.left().requests == 40  # and has done so just now, for all we know


def test_a_run_that_goes_on_stays_within_the_budget_of_a_run(tmp_path: Path) -> None:
    runs = Runs(tmp_path, "1000req")
    runs.begin("a", "10req")
    runs.spent["a"], runs.over = Spent(requests=10), {"a"}
    runs.account.settle("a")
    charge = runs.account.put_aside("a", Budget.parse("100req"), RUN, runs.spent["a"])
    assert charge.bound.requests == 40
    runs.account.begun(charge, "a")
    runs.over = set()
    assert runs.account.left().requests == 960
    runs.spent["a"], runs.over = Spent(requests=40), {"a"}
    runs.account.settle("a")
    with pytest.raises(LimitError, match="the run has spent its budget"):
        runs.account.put_aside("a", NONE, RUN, runs.spent["a"])


def test_what_never_began_is_given_back_after_a_while(tmp_path: Path) -> None:
    runs = Runs(tmp_path, "40req")
    runs.account.put_aside("", NONE, RUN, Spent())  # and the server is killed
    assert runs.account.left().requests == 0
    runs.now += 61
    assert runs.account.left().requests == 40
    again = runs.account.put_aside("", NONE, RUN, Spent())
    runs.account.give_back(again)
    assert runs.account.left().requests == 40


def test_requests_before_a_run_are_counted_besides(tmp_path: Path) -> None:
    runs = Runs(tmp_path, "41req")
    charge = runs.account.put_aside("", NONE, RUN, Spent(), besides=1)
    assert charge.bound.requests == 39
    runs.account.begun(charge, "a")
    runs.over = {"a"}
    assert runs.account.left().requests == 40
    assert runs.opened().knows("a")
    assert not runs.account.knows("")


def test_a_run_that_took_too_long_to_begin_is_refused_where_others_have_its_budget(
    tmp_path: Path,
) -> None:
    runs = Runs(tmp_path, "40req")
    slow = runs.account.put_aside("", NONE, RUN, Spent())
    runs.now += 61
    assert runs.begin("b").requests == 40
    with pytest.raises(LimitError, match="took so long"):
        runs.account.begins(slow, "a")
    assert runs.account.left().requests == 0


def test_a_run_of_a_server_that_was_killed_just_then_is_counted(tmp_path: Path) -> None:
    runs = Runs(tmp_path, "40req")
    charge = runs.account.put_aside("", NONE, RUN, Spent())
    runs.account.begins(charge, "a")  # it is in line, and the server is killed
    runs.account.give_back(charge)  # or thought so
    runs.now += 61
    assert runs.account.left().requests == 0
    runs.spent["a"], runs.over = Spent(requests=15), {"a"}
    assert runs.account.left().requests == 25
