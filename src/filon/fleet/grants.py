"""What a worker may spend: it draws of the one budget, a little at a time, and gives back.

What is left of that stands in its folder as well, so that its next life can give back what one had
that was killed.
"""

import contextlib
import os
import sys
from dataclasses import replace
from pathlib import Path

from filon.core import Account, Budget, Request, Response, Spent
from filon.core.budget import Grant as Reservation
from filon.fleet.fence import now_s
from filon.fleet.model import Grant, Spending
from filon.fleet.run_folders import read_text
from filon.fleet.store import Store
from filon.run.disk import writing

#: Requests that are drawn at a time: for as long as a worker has been at work, since it may die as
#: soon and takes them with it; at most for this long, and within bounds.
DRAW_S, DRAW_LEAST, DRAW_MOST = 60.0, 20, 2000
#: And at most this share of what is left, for each worker, so that none has it all at the end.
DRAW_SHARE = 1 / 4
#: Bytes that are drawn at a time: this share of what is left, for each worker, and at least. Where
#: an answer did not fit, all that is left is shared among the workers.
BYTES_SHARE, BYTES_LEAST = 1 / 16, 256 << 20
#: Names the time since the machine was started; only Linux has it.
_BOOT = Path("/proc/sys/kernel/random/boot_id")
#: Where the budget had nothing, it is asked again after so long.
AGAIN_S = 1.0


class Drawn(Account):
    """An account of what a worker has drawn: where that is spent, there may be more."""

    is_over = False
    unspent: "Unspent | None" = None

    @property
    def is_spent(self) -> bool:
        """No further request can leave with what was drawn."""
        return super().refusal(0.0) == "budget"

    def refusal(self, seconds: float) -> str:
        """Say why no further request is allowed now."""
        refusal = super().refusal(seconds)
        return "wait" if refusal == "budget" and not self.is_over else refusal

    def grant(self, request: Request, seconds: float) -> Reservation:
        """Reserve for a request that was not refused."""
        reserved = super().grant(request, seconds)
        self.note(*self.left)
        return reserved

    def settle(self, grant: Reservation, response: Response, finds: int, seconds: float) -> None:
        """Turn a reservation into what it cost."""
        super().settle(grant, response, finds, seconds)
        self.note(*self.left)

    @property
    def left(self) -> tuple[int, int]:
        """The requests and bytes that were drawn and are neither spent nor reserved."""
        requests = (self.budget.requests or 0) - self.spent.requests
        size = (self.budget.bytes or 0) - self.spent.bytes - self.reserved_bytes
        return max(0, requests), max(0, size)

    def note(self, requests: int, size: int) -> None:
        """Write down what is left, for the next life."""
        if self.unspent:
            self.unspent.note(requests, size)


class Unspent:
    """What is left of what a worker has drawn, in a file of its folder.

    It says so before a request leaves, and so never too much, also after a `kill -9`. Where the
    machine itself went down nothing is believed: the last of it may not have got to the disk.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._boot = path, read_text(_BOOT)
        self.before = self._read()
        self._file = -1

    def _read(self) -> Grant:
        boot, *figures = read_text(self._path).split() or [""]
        with contextlib.suppress(ValueError):
            if boot and boot == self._boot:
                requests, size = map(int, figures)
                return Grant(requests=requests, bytes=size)
        return Grant(requests=0, bytes=0)

    def note(self, requests: int, size: int) -> None:
        """Say something else from now on, all of it at once."""
        if sys.platform == "linux" and self._boot:
            with writing(self._path.parent, self._path):
                if self._file < 0:
                    self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT, 0o644)
                os.pwrite(self._file, f"{self._boot} {requests:20} {size:20}\n".encode(), 0)

    def close(self) -> None:
        """Let go of the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


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
        self._may_draw = False  # the last time there was something

    def keep(self, path: Path) -> None:
        """Keep what is left in a file, too."""
        self.account.unspent = Unspent(path)

    async def recover(self, store: Store, worker: str) -> bool:
        """Return what an earlier life in the same folder had left; say whether that was anything.

        Nothing is drawn yet.
        """
        if (unspent := self.account.unspent) is None:
            return False
        unspent.note(0, 0)  # before: it must not be given back twice
        requests, size = unspent.before.requests or 0, unspent.before.bytes or 0
        if requests or size:
            await store.give_back(worker, requests, size)
        return bool(requests or size)

    def close(self) -> None:
        """Let go of that file."""
        if self.account.unspent:
            self.account.unspent.close()

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
        """There is something left of what was drawn, or to be heard of it, or more may be had."""
        return bool(self.account.in_flight) or not self.account.is_spent or self._may_draw

    async def draw(self, store: Store, worker: str) -> bool:
        """Draw where little is left; return whether the budget had nothing."""
        requests, size = self._wanted()
        if not (requests or size) or now_s() - self._dry_s < AGAIN_S:
            return False
        grant = await store.draw(worker, requests, size)
        budget = self.account.budget
        if requests:
            budget = replace(budget, requests=(budget.requests or 0) + (grant.requests or 0))
        if size and grant.bytes:
            budget = replace(budget, bytes=(budget.bytes or 0) + grant.bytes)
            self._free = replace(self._free, bytes=max(0, (self._free.bytes or 0) - grant.bytes))
            self.account.alone, self.account.cuts = False, 0  # there may be room for all again
        is_dry = budget == self.account.budget
        self.account.budget = budget
        self.account.note(*self.account.left)
        self._may_draw = not is_dry
        if is_dry:
            self._dry_s = now_s()
        return is_dry

    def _wanted(self) -> tuple[int, int]:
        account, free = self.account, self._free
        requests = size = 0
        if self._bounds.requests is not None:
            lasted_s = max(1.0, now_s() - self._began_s)
            worth = account.spent.requests * min(1.0, DRAW_S / lasted_s)
            most = min(DRAW_MOST, (free.requests or 0) * DRAW_SHARE / self._workers)
            want = int(max(DRAW_LEAST, min(most, worth)))
            requests = want if account.left[0] < max(4, want // 4) else 0
        if self._bounds.bytes is not None:
            share = (1.0 if account.alone else BYTES_SHARE) / self._workers
            want = max(BYTES_LEAST, int((free.bytes or 0) * share))
            size = want if account.left[1] < want // 4 or account.alone else 0
        return requests, size

    async def give_back(self, store: Store, worker: str) -> None:
        """Return what was not spent; nothing is in flight."""
        account, (requests, size) = self.account, self.account.left
        self._may_draw = False
        if requests or size:
            account.note(0, 0)  # before: it must not be given back twice
            await store.give_back(worker, requests, size)
            budget = account.budget
            account.budget = replace(
                budget,
                requests=None if budget.requests is None else budget.requests - requests,
                bytes=None if budget.bytes is None else budget.bytes - size,
            )
