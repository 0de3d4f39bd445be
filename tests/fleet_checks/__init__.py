"""What every store of a fleet promises, as checks that each is held to.

A check takes a function that opens the store: who calls it twice has two processes at one store.
"""

import inspect
from types import ModuleType

from fleet_checks import budget, leases, places, seen
from fleet_checks.given import Check, Open, find, fleet, lapse, look, names, site

__all__ = ["CHECKS", "Check", "Open", "find", "fleet", "lapse", "look", "names", "site"]


def _checks(room: ModuleType) -> list[Check]:
    found = inspect.getmembers(room, inspect.iscoroutinefunction)
    return [
        check
        for _, check in found
        if check.__module__ == room.__name__ and [*inspect.signature(check).parameters] == ["open_"]
    ]


CHECKS = [check for room in (leases, places, budget, seen) for check in _checks(room)]
