"""What was read in the last few answers, so that an answer is read once, whoever asks for it.

The cache asks whether an answer is worth keeping, a guard whether it is a refusal, the strategy
what is in it and a watcher what is wrong with it: all of one answer, at different times, with
others in between where several calls are in flight.
"""

from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from typing import Generic, TypeVar

from filon.core import Response

T = TypeVar("T")
#: Answers that are kept: calls of one service in flight, and some more.
KEPT = 16


class Recent(Generic[T]):
    """A function of a response that remembers its last results.

    What a guard or a cache may change of a response (when it came, whether it was sent) is not
    looked at: the function must not look at it either.

    >>> lengths = Recent(lambda response: len(response.body))
    >>> lengths(Response(url="http://a.org/", body=b"1234"))
    4
    """

    def __init__(self, read: Callable[[Response], T]) -> None:
        self._read = read
        self._kept: OrderedDict[tuple[object, ...], T] = OrderedDict()

    def __call__(self, response: Response) -> T:
        """Return the result, from memory where it is one of the last."""
        key = _key(response)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        result = self._kept[key] = self._read(response)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return result


def _key(response: Response) -> tuple[object, ...]:
    return (
        response.url,
        response.status,
        response.headers,
        len(response.body),
        blake2b(response.body, digest_size=16).digest(),
        response.error,
        response.detail,
        response.cut,
        response.spool,
    )
