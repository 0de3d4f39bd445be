"""A password for a team: kept as a hash in memory, and guessed slowly."""

import asyncio
import hashlib
import hmac
import secrets
import time
from collections import OrderedDict

from filon.core import UserError
from filon.core.background import in_thread

SHORTEST = 12
#: Of scrypt (RFC 7914): 32 MB and about a tenth of a second a try.
_COST, _BLOCK, _PARALLEL = 1 << 15, 8, 1
_MEMORY_BYTES = 64 << 20
#: Wrong tries of one address before it has to wait; the wait doubles with each, up to the longest.
FREE_TRIES, LONGEST_WAIT_S = 5, 900.0
#: Addresses that are remembered; whoever has more than that guesses no better than by chance.
_MOST_ADDRESSES = 10_000


class Password:
    """What a visitor must know; the word itself is not kept."""

    def __init__(self, word: str) -> None:
        if len(word) < SHORTEST:
            raise UserError(f"A password needs at least {SHORTEST} characters.")
        self._salt = secrets.token_bytes(16)
        self._hash = self._hashed(word)
        self._one = asyncio.Semaphore(1)  # guesses cost memory: one at a time
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def _hashed(self, word: str) -> bytes:
        return hashlib.scrypt(
            word.encode(),
            salt=self._salt,
            n=_COST,
            r=_BLOCK,
            p=_PARALLEL,
            maxmem=_MEMORY_BYTES,
        )

    def wait_s(self, visitor: str) -> int:
        """Return how long a visitor must wait before the next try, in whole seconds."""
        tries, since = self._wrong.get(visitor, (0, 0.0))
        if tries < FREE_TRIES:
            return 0
        wait = min(LONGEST_WAIT_S, 2.0 ** (tries - FREE_TRIES))
        return max(0, int(since + wait - time.monotonic() + 0.999))

    async def is_right(self, word: str, visitor: str) -> bool:
        """Say whether that is the password, and remember wrong tries of a visitor's address."""
        async with self._one:
            if self.wait_s(visitor):
                return False  # tries that came at the same time are tries, too
            right = hmac.compare_digest(await in_thread(self._hashed, word[:1024]), self._hash)
            if right:
                self._wrong.pop(visitor, None)
            else:
                self._count(visitor)
            return right

    def _count(self, visitor: str) -> None:
        tries, _ = self._wrong.pop(visitor, (0, 0.0))
        self._wrong[visitor] = (tries + 1, time.monotonic())
        while len(self._wrong) > _MOST_ADDRESSES:
            self._wrong.popitem(last=False)
