"""Strategies that discover sites and dataset repositories, by the name that the user gives."""

from collections.abc import Callable

from filon.core import Strategy
from filon.core.plugins import Lazy, Strategies
from filon.verbs.discover.strategies.brief import Brief, Limits

__all__ = [
    "DEFAULT",
    "KNOWN",
    "OPTIONS",
    "PAPERS",
    "STRATEGIES",
    "VARIANTS",
    "Brief",
    "Limits",
    "build",
]

#: What is used if nothing else is asked for.
DEFAULT = "scout"
STRATEGIES: Lazy[Callable[[Brief], Strategy]] = Lazy(
    {
        "scout": f"{__name__}.scout:Scout",
        "dsdd": f"{__name__}.dsdd:Dsdd",
        "disco": f"{__name__}.disco:Disco",
        "seedfinder": f"{__name__}.seedfinder:SeedFinder",
        "bipartite": f"{__name__}.bipartite:Bipartite",
        "ache": f"{__name__}.ache:Ache",
    }
)
#: The parameters that a strategy takes, with their defaults.
OPTIONS: Lazy[dict[str, float | str]] = Lazy(
    {
        "scout": f"{__name__}.scout:DEFAULTS",
        "dsdd": f"{__name__}.dsdd:DEFAULTS",
        "disco": f"{__name__}.disco:DEFAULTS",
        "seedfinder": f"{__name__}.seedfinder:DEFAULTS",
        "bipartite": f"{__name__}.bipartite:DEFAULTS",
        "ache": f"{__name__}.ache:DEFAULTS",
    }
)
#: The modes by name, and whose they are: a short name for the strategy in this mode.
VARIANTS = {
    **dict.fromkeys(
        ("bd+ol", "bd", "kw+ol", "rl+ol", "bl+ol", "fw+ol", "search-engine"),
        "dsdd",
    ),
    **dict.fromkeys(("bandit", "keyword", "related", "forward", "backward"), "disco"),
}
#: Those that are papers' own, by any of their names.
PAPERS = frozenset({*STRATEGIES, *VARIANTS} - {DEFAULT})
#: All that can be asked for: ours, those of installed packages, and any class by its path.
KNOWN: Strategies[Brief] = Strategies("discover", STRATEGIES, OPTIONS, VARIANTS)
build = KNOWN.build
