"""Enrichment strategies, by the name that the user gives."""

from collections.abc import Callable

from filon.core import Strategy
from filon.core.plugins import Lazy, Registry
from filon.verbs.enrich.strategies.brief import Brief, Matcher, Sample
from filon.verbs.options import check_options, options_of

__all__ = [
    "DEFAULT",
    "KNOWN",
    "OPTIONS",
    "STRATEGIES",
    "Brief",
    "Matcher",
    "Sample",
    "build",
]

STRATEGIES: Lazy[Callable[[Brief], Strategy]] = Lazy(
    {
        "prospect": f"{__name__}.prospect:Prospect",
        "smartcrawl-b": f"{__name__}.sampled:smartcrawl_b",
        "smartcrawl-u": f"{__name__}.sampled:smartcrawl_u",
        "simple": f"{__name__}.smartcrawl:Simple",
        "bound": f"{__name__}.smartcrawl:Bound",
        "full": f"{__name__}.sampled:full",
        "full-adaptive": f"{__name__}.full:FullAdaptive",
        "naive": f"{__name__}.smartcrawl:Naive",
    }
)
DEFAULT = "prospect"
#: sample: how many records are drawn through the service where no sample is given.
_SAMPLE: dict[str, float | str] = {"sample": 0}
#: removal: whether the rows that a solid query missed are given up (section 4.2).
_SMART: dict[str, float | str] = {**_SAMPLE, "removal": "on"}
#: The parameters that a strategy takes, with their defaults; the others take none.
OPTIONS: Lazy[dict[str, float | str]] = Lazy(
    {
        "prospect": f"{__name__}.prospect:DEFAULTS",
        "smartcrawl-b": _SMART,
        "smartcrawl-u": _SMART,
        "simple": {"removal": "off"},
        "full": _SAMPLE,
    }
)
#: All that can be asked for: ours, those of installed packages, and any class by its path.
KNOWN: Registry[Callable[[Brief], Strategy]] = Registry(
    "strategy", "filon.strategies", STRATEGIES, within="enrich"
)


def build(name: str, brief: Brief) -> Strategy:
    """Return a strategy by its name, after a look at the options that it is given."""
    make = KNOWN.find(name)
    known = OPTIONS.get(name, {}) if name in STRATEGIES else options_of(make)
    if known is not None:
        check_options(name, known, brief.options)
    return make(brief)
