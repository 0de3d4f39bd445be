"""The password of a team: not kept, and guessed slowly."""

import asyncio

import pytest

from filon.core import UserError
from filon.serve import password as module
from filon.serve.password import FREE_TRIES, LONGEST_WAIT_S, Password

WORD = "correct horse battery"


class Clock:
    """A clock that a test sets."""

    now_s = 1000.0

    def monotonic(self) -> float:
        return self.now_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    monkeypatch.setattr(module, "_COST", 2)  # tries cost nothing here
    return made


def tried(password: Password, word: str, visitor: str = "10.0.0.1") -> bool:
    return asyncio.run(password.is_right(word, visitor))


def test_a_short_word_is_none() -> None:
    with pytest.raises(UserError, match="at least 12 characters"):
        Password("x" * 11)


def test_the_word_itself_is_not_kept() -> None:
    kept = str(vars(Password(WORD)))
    assert WORD not in kept
    assert WORD.encode().hex() not in kept
    assert Password(WORD)._hash != Password(WORD)._hash  # by salt


def test_the_right_word_is_right_and_others_are_not() -> None:
    password = Password(WORD)
    assert tried(password, WORD)
    for wrong in ("", WORD[:-1], WORD + "x", WORD.upper(), "\0", "x" * 100_000):
        assert not tried(password, wrong, wrong[:3])


def test_a_try_costs_memory() -> None:
    """32 MB, of which the time follows: what scrypt takes is 128 bytes by block and cost."""
    assert 128 * module._BLOCK * module._COST >= 32 << 20


def test_who_guesses_waits_longer_each_time(clock: Clock) -> None:
    password = Password(WORD)
    waits = []
    for _ in range(FREE_TRIES + 14):
        assert not tried(password, "wrong")
        waits.append(password.wait_s("10.0.0.1"))
        clock.now_s += waits[-1]
    assert waits[: FREE_TRIES - 1] == [0] * (FREE_TRIES - 1)
    assert waits[FREE_TRIES - 1 : FREE_TRIES + 3] == [1, 2, 4, 8]
    assert waits[-1] == LONGEST_WAIT_S


def test_while_one_waits_the_right_word_is_refused_and_others_are_let_in(clock: Clock) -> None:
    password = Password(WORD)
    for _ in range(FREE_TRIES):
        tried(password, "wrong")
    assert not tried(password, WORD)
    assert tried(password, WORD, "10.0.0.2")
    clock.now_s += password.wait_s("10.0.0.1")
    assert tried(password, WORD)
    assert password.wait_s("10.0.0.1") == 0


def test_addresses_are_remembered_up_to_a_bound(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MOST_ADDRESSES", 3)
    password = Password(WORD)
    for number in range(10):
        tried(password, "wrong", f"10.0.0.{number}")
    assert len(password._wrong) == 3
