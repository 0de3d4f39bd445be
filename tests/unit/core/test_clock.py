"""Time that does not go back: by any clock, in one session and the next."""

import asyncio
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from filon.core.clock import Clock, going_on_from, now_s

times = st.lists(st.floats(0, 4e9), min_size=1, max_size=50)


@given(times, st.floats(0, 4e9))
def test_it_never_goes_back_and_passes_as_the_clock_does(wall: list[float], first: float) -> None:
    read = iter(wall)
    clock = Clock(lambda: next(read), first)
    told = [clock() for _ in wall]
    assert told == sorted(told)
    assert told[0] >= first
    for (before, after), (was, now) in zip(pairwise(told), pairwise(wall), strict=True):
        assert after - before <= max(0.0, now - was) + 1e-3


def test_a_session_goes_on_from_the_last_answer_and_others_do_not() -> None:
    far_s = now_s() + 1e6

    async def session() -> float:
        with going_on_from(far_s):
            there_s = await asyncio.create_task(asyncio.sleep(0, now_s()))
        assert now_s() < far_s
        return there_s

    assert asyncio.run(session()) >= far_s
    assert now_s() < far_s
