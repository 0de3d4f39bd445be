"""Strategies that know a recorded site beforehand: floors to compare with, never for a live site.

All they need is the replica itself. Beside those of `filon harvest` they are what is compared.
"""

from collections.abc import Callable

from filon.compare.oracles.clairvoyant import Clairvoyant
from filon.compare.oracles.omniscient import Omniscient
from filon.compare.oracles.sb import SleepingBanditOracle
from filon.compare.oracles.tpoff import TagPathOffline
from filon.compare.oracles.truth import Truth
from filon.core import Strategy
from filon.core.plugins import check_options
from filon.verbs.harvest import strategies
from filon.verbs.harvest.strategies import Brief
from filon.verbs.harvest.strategies.parameters import DEFAULTS

__all__ = ["NAMES", "OPTIONS", "ORACLES", "Truth", "build"]

ORACLES: dict[str, Callable[[Brief, Truth], Strategy]] = {
    "sb-oracle": SleepingBanditOracle,
    "omniscient": Omniscient,
    "clairvoyant": Clairvoyant,
    "tp-off": TagPathOffline,
}
#: The parameters that a strategy takes, with their defaults; the others take none.
OPTIONS = {**strategies.OPTIONS, "sb-oracle": DEFAULTS}
#: In the order of Tables 2 and 3.
_FIRST = ("vein", "sb", "sb-oracle", "omniscient", "clairvoyant", "focused", "tp-off")
NAMES = tuple(dict.fromkeys((*_FIRST, *strategies.STRATEGIES)))


def build(name: str, brief: Brief, truth: Truth) -> Strategy:
    """Return a strategy by its name; only oracles are told the truth."""
    if name not in ORACLES:
        return strategies.build(name, brief)
    check_options(name, OPTIONS.get(name, {}), brief.options)
    return ORACLES[name](brief, truth)
