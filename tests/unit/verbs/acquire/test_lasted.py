"""The time of a whole: what counts is the time in which any of its runs was at work."""

from filon.verbs.acquire.lasted import Lasted


def test_runs_that_are_at_work_at_once_share_their_time() -> None:
    lasted = Lasted([(100.0, 110.0), (100.0, 108.0), (104.0, 112.0)])
    assert [lasted(at_s) for at_s in (100.0, 108.0, 112.0, 200.0)] == [0.0, 8.0, 12.0, 12.0]


def test_the_time_between_sessions_does_not_count() -> None:
    lasted = Lasted([(100.0, 110.0), (700.0, 705.0)], before_s=3.0)
    assert [lasted(at_s) for at_s in (110.0, 400.0, 705.0)] == [13.0, 13.0, 18.0]


def test_what_was_counted_already_is_not_counted_again() -> None:
    lasted = Lasted([(90.0, 95.0), (98.0, 104.0)], before_s=50.0, until_s=100.0)
    assert [lasted(at_s) for at_s in (95.0, 100.0, 104.0)] == [50.0, 50.0, 54.0]


def test_a_moment_in_which_an_answer_is_written_down_is_no_break() -> None:
    lasted = Lasted([(100.0, 101.0), (101.2, 102.0)])
    assert lasted(102.0) == 2.0


def test_without_a_stretch_no_time_goes_by() -> None:
    assert Lasted([], before_s=7.0)(1e9) == 7.0
