from filon.verbs.follow.strategies.lode.drought import AHEAD, PATIENCE, Drought


def after(answers: int, found: int = 0) -> Drought:
    """A drought after so many answers, the last find in one of them."""
    drought = Drought()
    for number in range(1, answers + 1):
        drought.note(found=number == found)
    return drought


def test_it_goes_on_as_long_as_something_was_found_lately() -> None:
    assert not after(PATIENCE - 1).is_over(lambda ahead: 0.0)
    assert not after(2 * PATIENCE, found=2 * PATIENCE - 5).is_over(lambda ahead: 0.0)


def test_after_a_long_drought_what_the_next_ones_promise_decides() -> None:
    drought = after(2 * PATIENCE, found=3)
    assert drought.is_over(lambda ahead: 0.3 if ahead == AHEAD else 9.0)
    assert not drought.is_over(lambda ahead: 2.0)


def test_who_has_asked_much_waits_longer() -> None:
    assert after(PATIENCE + 20).is_over(lambda ahead: 0.0)
    assert not after(21 * PATIENCE, found=20 * PATIENCE - 5).is_over(lambda ahead: 0.0)
