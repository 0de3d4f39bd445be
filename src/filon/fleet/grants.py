"""What a worker may spend: it draws of the one budget, a little at a time, and gives back."""

from dataclasses import replace

from filon.core import Account, Budget, Spent
from filon.fleet.fence import now_s
from filon.fleet.model import Spending
from filon.fleet.store import Store

#: Requests that are drawn at a time: for this long at the pace of late, within bounds.
DRAW_S, DRAW_LEAST, DRAW_MOST = 60.0, 20, 2000
#: And at most this share of what is left, for each worker, so that none has it all at the end.
DRAW_SHARE = 1 / 4
#: Bytes that are drawn at a time: this share of what is left, for each worker, and at least.
BYTES_SHARE, BYTES_LEAST = 1 / 16, 256 << 20
#: Where the budget had nothing, it is asked again after so long.
AGAIN_S = 1.0


class Drawn(Account):
    """An account of what a worker has drawn: where that is spent, there may be more."""

    is_over = False

    def refusal(self, seconds: float) -> str:
        """Say why no further request is allowed now."""
        refusal = super().refusal(seconds)
        return "wait" if refusal == "budget" and not self.is_over else refusal


class Grants:
    """Draws for a worker. parallel: requests that it may have in flight."""

    def __init__(self, parallel: int) -> None:
        self.account = Drawn(Budget(), parallel, Spent())
        self.left_requests: float | None = None  # of the whole budget, for this worker
        self._bounds = Budget()
        self._free = Budget()
        self._workers = 1
        self._began_s = now_s()
        self._dry_s = float("-inf")

    def look(self, seen: Spending) -> None:
        """Take in how all stands."""
        bounds = [seen.budget.get(name) for name in ("requests", "bytes")]
        requests, size = (None if bound is None else int(bound) for bound in bounds)
        self._bounds = Budget(requests=requests, bytes=size)
        self._workers = max(1, seen.workers)
        mine = self.account.budget
        self.account.budget = Budget(
            requests=None if requests is None else mine.requests or 0,
            bytes=None if size is None else mine.bytes or 0,
        )
        self._free = Budget(
            requests=max(0, (requests or 0) - seen.drawn_requests),
            bytes=max(0, (size or 0) - seen.drawn_bytes),
        )
        self.left_requests = None
        if requests is not None:
            own = max(0, (mine.requests or 0) - self.account.spent.requests)
            self.left_requests = max(1.0, (self._free.requests or 0) / self._workers + own)

    @property
    def can_send(self) -> bool:
        """There is something left of what was drawn, or to be heard of it."""
        budget, spent = self.account.budget, self.account.spent
        requests = budget.requests is None or budget.requests > spent.requests
        size = budget.bytes is None or budget.bytes > spent.bytes
        return bool(self.account.in_flight) or (requests and size)

    async def draw(self, store: Store, worker: str) -> bool:
        """Draw where little is left; return whether the budget had nothing."""
        requests, size = self._wanted()
        if not (requests or size) or now_s() - self._dry_s < AGAIN_S:
            return False
        grant = await store.draw(worker, requests, size)
        budget = self.account.budget
        if requests:
            budget = replace(budget, requests=(budget.requests or 0) + (grant.requests or 0))
        if size:
            budget = replace(budget, bytes=(budget.bytes or 0) + (grant.bytes or 0))
        is_dry = budget == self.account.budget
        self.account.budget = budget
        if is_dry:
            self._dry_s = now_s()
        return is_dry

    def _wanted(self) -> tuple[int, int]:
        account, free = self.account, self._free
        requests = size = 0
        if self._bounds.requests is not None:
            left = (account.budget.requests or 0) - account.spent.requests
            pace = account.spent.requests / max(1.0, now_s() - self._began_s)
            most = min(DRAW_MOST, (free.requests or 0) * DRAW_SHARE / self._workers)
            want = int(max(DRAW_LEAST, min(most, pace * DRAW_S)))
            requests = want if left < max(4, want // 4) else 0
        if self._bounds.bytes is not None:
            left = (account.budget.bytes or 0) - account.spent.bytes - account.reserved_bytes
            share = 1.0 if self._workers == 1 else BYTES_SHARE / self._workers
            want = max(BYTES_LEAST, int((free.bytes or 0) * share))
            size = want if left < want // 4 else 0
        return requests, size

    async def give_back(self, store: Store, worker: str) -> None:
        """Return what was not spent."""
        budget, spent = self.account.budget, self.account.spent
        requests = max(0, (budget.requests or 0) - spent.requests)
        size = max(0, (budget.bytes or 0) - spent.bytes)
        if requests or size:
            await store.give_back(worker, requests, size)
            self.account.budget = replace(
                budget,
                requests=None if budget.requests is None else budget.requests - requests,
                bytes=None if budget.bytes is None else budget.bytes - size,
            )
