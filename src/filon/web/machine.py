"""What this machine lacks is not the fault of a host: descriptors, memory, room, threads.

A request that failed for want of them never left, so it must not count against its URL: the run
ends in order with a MachineError, and is resumed when there is enough again.
"""

import errno
import os
from collections.abc import Iterator

from filon.core import MachineError

_LACKING = {
    errno.EMFILE: "too many files are open (ulimit -n)",
    errno.ENFILE: "too many files are open on this machine",
    errno.ENOMEM: "the memory is full",
    errno.ENOBUFS: "the memory for the network is full",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk is full",
}


def raise_if_machine(problem: BaseException) -> None:
    """Raise a MachineError where a failure to fetch is that of this machine.

    >>> raise_if_machine(ConnectionRefusedError(errno.ECONNREFUSED, "refused"))
    >>> raise_if_machine(OSError(errno.EMFILE, "Too many open files"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    filon.core.errors.MachineError: Nothing can be fetched: too many files are open (ulimit -n); ...
    """
    for cause in _causes(problem):
        if isinstance(cause, MemoryError):
            raise lacking(errno.ENOMEM) from problem
        if isinstance(cause, OSError) and cause.errno in _LACKING:
            raise lacking(cause.errno) from problem


def raise_if_no_descriptor() -> None:
    """Raise a MachineError where no file can be opened: names are looked up in files."""
    try:
        os.close(os.open(os.devnull, os.O_RDONLY))
    except OSError as problem:
        raise_if_machine(problem)


def lacking(number: int) -> MachineError:
    """Return the error that tells what is lacking, by its number."""
    return MachineError(
        f"Nothing can be fetched: {_LACKING[number]}; nothing that came in is lost, "
        "and `filon resume` goes on with the run."
    )


def _causes(problem: BaseException) -> Iterator[BaseException]:
    """All that led to a failure; aiohttp keeps the system's own error beside its own."""
    waiting, seen = [problem], set[int]()
    while waiting:
        cause = waiting.pop()
        if id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        beside = (cause.__cause__, cause.__context__, getattr(cause, "os_error", None))
        waiting += [one for one in beside if isinstance(one, BaseException)]
        if isinstance(cause, BaseExceptionGroup):
            waiting += cause.exceptions
