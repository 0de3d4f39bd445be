"""Strategies that discover sites and dataset repositories, by the name that the user gives."""

from collections.abc import Callable
from dataclasses import replace

from filon.core import Strategy, UserError
from filon.core.plugins import Registry
from filon.core.suggest import unknown
from filon.verbs.discover.strategies.ache import DEFAULTS as ACHE
from filon.verbs.discover.strategies.ache import Ache
from filon.verbs.discover.strategies.bipartite import DEFAULTS as BIPARTITE
from filon.verbs.discover.strategies.bipartite import Bipartite
from filon.verbs.discover.strategies.brief import Brief, Limits
from filon.verbs.discover.strategies.disco import DEFAULTS as DISCO
from filon.verbs.discover.strategies.disco import Disco
from filon.verbs.discover.strategies.dsdd import DEFAULTS as DSDD
from filon.verbs.discover.strategies.dsdd import Dsdd
from filon.verbs.discover.strategies.scout import DEFAULTS as SCOUT
from filon.verbs.discover.strategies.scout import Scout
from filon.verbs.discover.strategies.seedfinder import DEFAULTS as SEEDFINDER
from filon.verbs.discover.strategies.seedfinder import SeedFinder
from filon.verbs.options import check_options

__all__ = ["DEFAULT", "KNOWN", "OPTIONS", "STRATEGIES", "VARIANTS", "Brief", "Limits", "build"]

Discovery = type[Scout] | type[Disco] | type[Dsdd] | type[SeedFinder] | type[Bipartite] | type[Ache]
#: What is used if nothing else is asked for.
DEFAULT = "scout"
STRATEGIES: dict[str, Discovery] = {
    "scout": Scout,
    "dsdd": Dsdd,
    "disco": Disco,
    "seedfinder": SeedFinder,
    "bipartite": Bipartite,
    "ache": Ache,
}
#: The parameters that a strategy takes, with their defaults.
OPTIONS: dict[str, dict[str, float | str]] = {
    "scout": SCOUT,
    "dsdd": DSDD,
    "disco": DISCO,
    "seedfinder": SEEDFINDER,
    "bipartite": BIPARTITE,
    "ache": ACHE,
}
#: The modes by name, and whose they are: a short name for the strategy in this mode.
VARIANTS = {mode: name for name in ("dsdd", "disco") for mode in STRATEGIES[name].modes}
#: All that can be asked for: ours, those of installed packages, and any class by its path.
KNOWN: Registry[Callable[[Brief], Strategy]] = Registry("strategy", "filon.strategies", STRATEGIES)


def build(name: str, brief: Brief) -> Strategy:
    """Return a strategy by its name, or by that of a variant."""
    if name in VARIANTS:
        name, mode = VARIANTS[name], name
        if brief.options.get("mode", mode) != mode:
            raise UserError(
                f"The strategy {mode} is {name} in the mode {mode}: leave out the mode."
            )
        brief = replace(brief, options={**brief.options, "mode": mode})
    if name not in KNOWN:
        raise unknown("strategy", name, [*KNOWN, *VARIANTS])
    if name in STRATEGIES:
        check_options(name, OPTIONS[name], brief.options)
    return KNOWN[name](brief)
