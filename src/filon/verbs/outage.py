"""Ends a session when the site has gone: its frontier is not to be burnt on a dead line."""

from collections.abc import Sequence

from filon.core import Find, MachineError, Response, Step
from filon.page.url import host

#: So many answers in a row that are none. A server that is restarted is back before, as retries
#: wait for it.
FAILURES = 20
_GONE = frozenset({"dns", "connect"})


class Outage:
    """Watches whether the host of the start URL can be reached."""

    def __init__(self, url: str) -> None:
        self._host = host(url)
        self._failures = 0

    def watch(self, step: Step, response: Response, finds: Sequence[Find]) -> None:
        """Count failures in a row; a MachineError when there are too many."""
        if response.status:
            self._failures = 0
        elif response.error in _GONE and host(step.request.url) == self._host:
            self._failures += 1
        if self._failures >= FAILURES:
            raise MachineError(
                f"{self._host} cannot be reached any more (or the network is down): "
                "the run is kept, filon resume goes on with it."
            )


class Blackout:
    """Watches whether any host can be reached: a run that follows links meets many dead ones.

    Only hosts that have answered before count, as one that never did may never have been there.
    """

    def __init__(self) -> None:
        self._alive: set[str] = set()
        self._failures = 0

    def watch(self, step: Step, response: Response, finds: Sequence[Find]) -> None:
        """Count failures in a row of hosts that were there; a MachineError at too many."""
        place = host(step.request.url)
        if response.status:
            self._failures = 0
            self._alive.add(place)
        elif response.error in _GONE and place in self._alive:
            self._failures += 1
        if self._failures >= FAILURES:
            raise MachineError(
                "Hosts that answered before cannot be reached any more (is the network down?): "
                "the run is kept, filon resume goes on with it."
            )
