"""A frontier in rounds: each registered domain has its turn, as a polite guest.

Within a domain the order is the strategy's: first come first served unless it gives a rank.
"""

import heapq
from collections import deque
from collections.abc import Collection
from typing import Any

from filon.core.forms import SAME, each, parts
from filon.page.domain import registered_domain
from filon.page.url import host, split
from filon.verbs.follow.strategies.brief import CANDIDATE, Candidate

#: A rank (the least goes first), the order of arrival, and the candidate.
_Place = tuple[float, int, Candidate]
_PLACES = each(parts(SAME, SAME, CANDIDATE))


class Rounds:
    """Candidates by registered domain, as Algorithm 2 of LDCOC takes them (lines 5 and 6).

    >>> rounds = Rounds()
    >>> for url in ("http://a.org/1", "http://www.a.org/2", "http://b.org/1"):
    ...     rounds.push(Candidate(uri=url, document=url))
    >>> [rounds.pop().document for _ in range(len(rounds))]
    ['http://a.org/1', 'http://b.org/1', 'http://www.a.org/2']
    """

    def __init__(self) -> None:
        self._queues: dict[str, list[_Place]] = {}
        self._turns: deque[str] = deque()
        self._arrived = 0
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def push(self, candidate: Candidate, rank: float = 0.0) -> None:
        """Add a candidate; of one domain the least rank goes first, and of equals the first."""
        domain = registered_domain(host(candidate.document))
        queue = self._queues.get(domain)
        if queue is None:
            queue = self._queues[domain] = []
            self._turns.append(domain)
        heapq.heappush(queue, (rank, self._arrived, candidate))
        self._arrived += 1
        self._size += 1

    def pop(self, busy: Collection[str] = ()) -> Candidate | None:
        """Take the best candidate of the domain whose turn it is.

        busy: hosts that must not be asked now; their domains let others go first.
        """
        for _ in range(len(self._turns) if busy else 0):
            if split(self._queues[self._turns[0]][0][2].document).netloc not in busy:
                break
            self._turns.rotate(-1)
        else:
            if busy or not self._turns:
                return None
        domain = self._turns.popleft()
        queue = self._queues[domain]
        candidate = heapq.heappop(queue)[2]
        self._size -= 1
        if queue:
            self._turns.append(domain)
        else:
            del self._queues[domain]
        return candidate

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: domains are stored in the order of their turns.
        queues = [[domain, _PLACES.write(self._queues[domain])] for domain in self._turns]
        return {"queues": queues, "arrived": self._arrived}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self._arrived = state["arrived"]
        self._turns = deque(domain for domain, _ in state["queues"])
        self._queues = {domain: _PLACES.read(places) for domain, places in state["queues"]}
        self._size = sum(len(queue) for queue in self._queues.values())
