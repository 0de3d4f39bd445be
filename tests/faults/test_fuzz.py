"""Any order of faults, by any clock, without a socket or a wait: no single one costs a file."""

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from filon.core import Account, Budget, MachineError, Request, Response, drive
from filon.guards.stack import guarded
from filon.run.folder import RunFolder
from filon.testing.case import harvest_brief
from filon.testing.site import HOST, ToySite
from filon.verbs.harvest.strategies import build
from fuzzing import examples

TRIES = 3
DAY_S = 86_400.0
#: What may befall a request, besides the machine and the run's own time.
FAILED: dict[str, dict[str, object]] = {
    **{error: {"error": error} for error in ("connect", "closed", "timeout", "dns")},
    "cut": {"status": 200, "error": "closed"},
    **{str(status): {"status": status} for status in (429, 500, 502, 503, 521)},
    "later": {"status": 503, "headers": (("Retry-After", "9999"),)},
}
FAULTS = [*FAILED, "late", "cut off", "machine"]
segments = st.lists(
    st.tuples(st.integers(1, 25), st.sampled_from(FAULTS), st.integers(1, 16)), max_size=6
)


class Faulty:
    """A site that is well for some requests, fails for some, and so on; then it is well.

    told: for each URL that was asked for and failed, in which faults that was.
    """

    def __init__(self, parts: list[tuple[int, str, int]], clocks: list[float]) -> None:
        self._site = ToySite(topics=2, datasets=3, news=3)
        self._plan = self._unfold(parts)
        self._clocks = clocks
        self._now_s = 1_750_000_000.0
        self.asked = 0
        self.told: dict[str, list[int]] = {}

    @staticmethod
    def _unfold(parts: list[tuple[int, str, int]]) -> Iterator[tuple[int, str]]:
        for number, (good, fault, bad) in enumerate(parts):
            yield from ((number, "") for _ in range(good))
            yield from ((number, fault) for _ in range(bad))

    async def fetch(self, request: Request) -> Response:
        await asyncio.sleep(0)
        self.asked += 1
        assert self.asked < 5000, "it does not end"
        jump_s = self._clocks[self.asked % len(self._clocks)] if self._clocks else 0.0
        self._now_s = max(self._now_s + jump_s, request.not_before_s) + 1.0
        number, fault = next(self._plan, (0, ""))
        if not fault:
            return replace(await self._site.fetch(request), at_s=self._now_s)
        if fault == "machine":
            raise MachineError("Too many files are open.")
        bare = Response(url=request.url, at_s=self._now_s)
        if fault in ("late", "cut off"):
            return replace(bare, cut="time", sent="withheld" if fault == "late" else "yes")
        self.told.setdefault(request.url, []).append(number)
        return replace(bare, **FAILED[fault])  # type: ignore[arg-type]

    async def close(self) -> None:
        pass


def see_through(web: Faulty, folder: Path, parallel: int) -> tuple[set[str], int]:
    """Drive a run over as many sessions as it takes; return what was found, and what was told."""
    for _ in range(200):
        new = not folder.exists()
        with RunFolder.create(folder, {}) if new else RunFolder.open(folder) as run:
            inner = build("bfs", harvest_brief())
            strategy = guarded(inner, robots="filon", retries=TRIES - 1, homes=[HOST])
            stopped = ""
            with suppress(MachineError):
                again = run.rewind(strategy)
                account = Account(Budget(seconds=1e9), parallel, run.spent)
                stopped = asyncio.run(
                    drive(strategy, web, account, run, parallel=parallel, again=again)
                )
                run.finish(stopped, strategy)
            if stopped == "exhausted":
                return {find.url for find in run}, run.spent.requests
    raise AssertionError("it is never done")


def truth() -> set[str]:
    with tempfile.TemporaryDirectory() as folder:
        return see_through(Faulty([], []), Path(folder) / "run", 1)[0]


TRUTH = truth()


@example([(2, "connect", 5), (2, "later", 4)], [], 1)
@examples(40)
@given(segments, st.lists(st.floats(-DAY_S, DAY_S), max_size=5), st.sampled_from([1, 3]))
def test_no_single_fault_costs_a_file(
    parts: list[tuple[int, str, int]], clocks: list[float], parallel: int
) -> None:
    web = Faulty(parts, clocks)
    with tempfile.TemporaryDirectory() as folder:
        found, _ = see_through(web, Path(folder) / "run", parallel)
    assert found <= TRUTH
    hit = [numbers for numbers in web.told.values() if len(set(numbers)) > 1]
    assert found == TRUTH or any(len(numbers) >= TRIES for numbers in hit), (
        "a file was lost though each page was hit by one fault at most"
    )


@examples(25)
@given(
    st.lists(st.tuples(st.integers(1, 9), st.sampled_from(FAULTS[-3:]), st.integers(1, 9))),
    st.sampled_from([1, 3]),
)
def test_what_is_no_failure_of_the_site_never_costs_anything(
    parts: list[tuple[int, str, int]], parallel: int
) -> None:
    web = Faulty(parts, [])
    with tempfile.TemporaryDirectory() as folder:
        found, requests = see_through(web, Path(folder) / "run", parallel)
    late = sum(bad for _, fault, bad in parts if fault == "late")
    assert found == TRUTH
    assert web.asked - late <= requests + late <= web.asked + late
