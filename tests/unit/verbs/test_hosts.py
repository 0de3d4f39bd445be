"""No host is asked by two at once, and nobody waits for ever."""

import asyncio
from collections import Counter

from filon.verbs.hosts import Alone, Hosts


class Rounds:
    """Rounds that ask some hosts, and then others that they meet late, one after the other."""

    def __init__(self, at_once: int = 8) -> None:
        self.hosts = Hosts(at_once)
        self.asked: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self.most_at_once = 0

    async def one(self, *names: str, late: tuple[str, ...] = ()) -> None:
        """Be a round."""
        async with self.hosts.given(names) as alone:
            await self._ask(*names)
            await self._meet(alone, late)

    async def _meet(self, alone: Alone, late: tuple[str, ...]) -> None:
        for name in late:
            async with alone(name):
                await self._ask(name)

    async def _ask(self, *names: str) -> None:
        self.asked.update(names)
        self.most |= self.asked
        self.most_at_once = max(self.most_at_once, self.asked.total())
        for _ in range(3):
            await asyncio.sleep(0)
        self.asked.subtract(names)

    def run(self, *rounds: object) -> None:
        """See all through; a second is for ever."""

        async def all_of_them() -> None:
            async with asyncio.timeout(1.0):
                await asyncio.gather(*rounds)  # type: ignore[call-overload]

        asyncio.run(all_of_them())


def test_a_host_has_one_round_at_a_time() -> None:
    rounds = Rounds()
    rounds.run(rounds.one("a", "b"), rounds.one("b"), rounds.one("b", "a"), rounds.one("c"))
    assert set(rounds.most.values()) == {1}
    assert rounds.most_at_once > 1


def test_a_host_that_is_met_late_is_waited_for() -> None:
    rounds = Rounds()
    rounds.run(rounds.one("a", late=("b", "c")), rounds.one("b"), rounds.one("c"))
    assert set(rounds.most.values()) == {1}


def test_rounds_that_meet_each_others_hosts_do_not_wait_for_each_other() -> None:
    rounds = Rounds()
    rounds.run(rounds.one("a", late=("b",)), rounds.one("b", late=("a",)))
    assert set(rounds.most.values()) == {1}


def test_who_waits_for_a_host_that_it_met_late_leaves_its_room_to_others() -> None:
    rounds = Rounds(at_once=1)
    rounds.run(rounds.one("a", late=("b",)), rounds.one("b"), rounds.one("c"))
    assert rounds.most_at_once == 1
