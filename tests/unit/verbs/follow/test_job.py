"""Slots go to hosts that may be asked: one that names a delay does not keep the others waiting."""

import heapq
from collections import Counter

import pytest

from filon.core import Request, Response, Step, Strategy
from filon.verbs.follow import FollowSettings
from filon.verbs.follow.job import FollowJob

SEED, SLOW = "http://seed.example/start", "slow.example"
FAST = [f"http://h{host}.example/doc/{n}" for host in range(10) for n in range(10)]
LINKS = [*(f"http://{SLOW}/doc/{n}" for n in range(100)), *FAST]
TURTLE = (("Content-Type", "text/turtle"),)
PLAIN = (("Content-Type", "text/plain"),)
SLOTS = 8


def answer(request: Request, at_s: float) -> Response:
    if request.url.endswith("/robots.txt"):
        rule = b"User-agent: *\nCrawl-delay: 30\n" if SLOW in request.url else b""
        return Response(url=request.url, status=200, headers=PLAIN, body=rule, at_s=at_s, took_s=1)
    if request.url != SEED and "/doc/" not in request.url:
        return Response(url=request.url, status=404, at_s=at_s, took_s=1)
    links = ", ".join(f"<{url}>" for url in LINKS) if request.url == SEED else "1"
    body = f"<> <http://v.example/p> {links} .".encode()
    return Response(url=request.url, status=200, headers=TURTLE, body=body, at_s=at_s, took_s=1)


class Clock:
    """A web of polite requests, each of a second, and a loop with some slots, in its own time."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy, self.now_s = strategy, 0.0
        self.left_s: dict[str, float] = {}
        self.flying: list[tuple[float, int, Step]] = []
        self.came: list[str] = []
        self.most: Counter[str] = Counter()  # the most slots that a host had at a time

    def send(self, step: Step) -> None:
        host = step.request.url.split("/")[2]
        start_s = max(self.now_s, self.left_s.get(host, -99.0) + max(1.0, step.request.delay_s))
        self.left_s[host] = start_s
        heapq.heappush(self.flying, (start_s + 1.0, len(self.came) + len(self.flying), step))
        held = Counter(one.request.url.split("/")[2] for _, _, one in self.flying)
        self.most[host] = max(self.most[host], held[host])

    def run(self, answers: int) -> None:
        while len(self.came) < answers:
            while len(self.flying) < SLOTS and (step := self.strategy.propose()):
                self.send(step)
            if not self.flying:
                return
            self.now_s, _, step = heapq.heappop(self.flying)
            self.came.append(step.request.url)
            self.strategy.observe(step, answer(step.request, self.now_s))


@pytest.mark.parametrize("name", ["lode", "bfs", "heuristic", "ldcoc"])
def test_a_slow_host_never_holds_more_than_one_slot(name: str) -> None:
    settings = FollowSettings(
        seeds=(SEED,), strategy=name, parallel=SLOTS, follow=("object",), stop="never"
    )
    job = FollowJob(settings)
    clock = Clock(job.guard(job.choose()))
    clock.run(400)
    assert clock.most[SLOW] == 1
    done_at = max(at for at, url in enumerate(clock.came) if url in FAST)
    slow_before = sum(SLOW in url for url in clock.came[:done_at])
    assert set(FAST) <= set(clock.came)
    assert slow_before <= 8, "the others have waited for the slow host"
