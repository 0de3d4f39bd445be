"""What may have been meant by a name that is not known."""

import pytest

from filon.core.suggest import did_you_mean, nearest, unknown


@pytest.mark.parametrize(
    ("name", "known", "near"),
    [
        ("sbb", ["vein", "sb"], ["sb"]),
        ("hots", ["host", "page"], ["host"]),
        ("titel", ["year", "title"], ["title"]),
        ("xyz", ["vein", "sb"], []),
        ("sb", [], []),
    ],
)
def test_slips_of_the_hand_find_their_word(name: str, known: list[str], near: list[str]) -> None:
    assert nearest(name, known) == near


def test_the_end_of_a_complaint_names_the_nearest_else_all_else_that_there_are_none() -> None:
    assert did_you_mean("vien", {"vein": 1, "sb": 2}) == "did you mean vein?"
    assert did_you_mean("xyz", (name for name in ("vein", "sb"))) == "known are vein, sb."
    assert did_you_mean("xyz", ()) == "it has none."


def test_the_whole_complaint_is_the_users_fault() -> None:
    assert str(unknown("strategy", "vien", ["vein"])) == (
        "There is no strategy 'vien': did you mean vein?"
    )
