from itertools import pairwise

from filon.page.gist import gist, same
from filon.page.steady import MOST_NAMES, Steady

PAGE = "<h1>Figures</h1><p>All of 2025</p><p>Sun in {} of {} days</p><div id=x>{}</div><p>{}</p>"


def look(days: int = 3, word: str = "Hats", figure: str = "1,204 schools") -> bytes:
    return PAGE.format(days, days + 20, word, figure).encode()


def taught() -> Steady:
    steady = Steady()
    steady.see(look(1, "Hats"), look(2, "Shoes"))
    steady.see(look(2, "Shoes"), look(5, "Cars"))
    return steady


def alike(steady: Steady, old: bytes, new: bytes) -> bool:
    return same(gist(old, noise=steady.noise), gist(new, noise=steady.noise))


def test_what_moved_at_each_look_is_noise() -> None:
    assert not alike(Steady(), look(1, "Hats"), look(7, "Ships"))
    assert alike(taught(), look(1, "Hats"), look(7, "Ships"))


def test_what_stands_beside_it_is_not() -> None:
    assert not alike(taught(), look(), look(figure="1,310 schools"))
    assert not alike(taught(), look(), look() + b"<p>News")
    assert not alike(taught(), look(), look(word="Hats <a href=1.csv>x</a>"))


def test_one_look_teaches_nothing() -> None:
    steady = Steady()
    steady.see(look(1, "Hats"), look(2, "Shoes"))
    assert steady.noise == frozenset()


def test_what_stands_still_as_often_is_no_noise() -> None:
    steady = taught()
    for _ in range(2):
        steady.see(look(), look())
    assert steady.noise == frozenset()


def test_a_row_with_a_file_is_never_noise() -> None:
    steady = Steady()
    rows = [f"<ul><li>Figures of day {n} <a href={n}.csv>x</a></ul>".encode() for n in range(4)]
    for old, new in pairwise(rows):
        steady.see(old, new)
    assert steady.noise == frozenset()


def test_it_goes_on_from_its_state() -> None:
    other = Steady()
    other.restore(taught().state())
    assert other.noise == taught().noise != frozenset()


def test_it_learns_no_more_than_it_has_room_for() -> None:
    steady = Steady()
    for turn in range(3):
        old, new = (
            "".join(f"<div id=x{'y' * n}>{turn} {side}</div>" for n in range(900)).encode()
            for side in "ab"
        )
        steady.see(old, new)
    assert 0 < len(steady.noise) <= MOST_NAMES
