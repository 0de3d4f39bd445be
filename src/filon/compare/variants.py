"""What is compared: strategies by name, with options, and the papers' sweeps.

sb                       a strategy with its defaults
sb:alpha=0.1:n=3         with other options
vein:stop=auto           with its own rule to stop, instead of none
vein:parallel=8          with several requests in flight
all                      every strategy, as in Tables 2 and 3
table4, table5           the sweeps of these tables
ablation                 vein with each of its parts switched off
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product

from filon.compare.oracles import NAMES, OPTIONS
from filon.core import UserError

#: They draw nothing at random: one seed tells all.
DETERMINISTIC = frozenset({"vein", "omniscient", "clairvoyant", "focused", "tp-off", "bfs", "dfs"})

#: What is said of a run, not of the strategy: when it stops, and how many requests are in flight.
HARNESS: dict[str, str | float] = {"stop": "never", "parallel": 1.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A strategy with options, and the table that it stands in ("" for Tables 2 and 3)."""

    label: str
    strategy: str
    options: tuple[tuple[str, str | float], ...] = ()
    table: str = ""

    @property
    def run(self) -> tuple[str, tuple[tuple[str, str | float], ...]]:
        """What is run: equal for variants of two tables that are the same."""
        defaults = OPTIONS.get(self.strategy, {})
        kept = (pair for pair in self.options if defaults.get(pair[0]) != pair[1])
        return self.strategy, tuple(sorted(kept))


def expand(words: Iterable[str], options: Mapping[str, str | float] | None = None) -> list[Variant]:
    """Turn the words that a user gives into variants; `options` hold for all of them.

    >>> [variant.label for variant in expand(["bfs", "sb:alpha=0.1"])]
    ['bfs', 'sb alpha=0.1']
    """
    common = tuple((name, _value(name, value)) for name, value in (options or {}).items())
    found: dict[tuple[str, str], Variant] = {}
    for word in words:
        for variant in _variants(word.strip(), common):
            found.setdefault((variant.table, variant.label), variant)
    if not found:
        raise UserError("No strategy was named to compare.")
    return list(found.values())


def _variants(word: str, common: tuple[tuple[str, str | float], ...]) -> list[Variant]:
    if word == "all":
        return [variant for name in NAMES for variant in _variants(name, common)]
    if word == "table4":
        return [_sweep(label, "sb-oracle", each, word, common) for label, each in _table4()]
    if word == "table5":
        return [_sweep(label, "sb", each, word, common) for label, each in _table5()]
    if word == "ablation":
        return [_sweep(label, "vein", each, word, common) for label, each in _ablation()]
    name, *pairs = word.split(":")
    if name not in NAMES:
        known = ", ".join((*NAMES, "all", "table4", "table5", "ablation"))
        raise UserError(f"There is no strategy {name!r} to compare; known: {known}.")
    options = dict(common) | dict(_pair(pair, word) for pair in pairs)
    return [Variant(label=" ".join([name, *pairs]), strategy=name, options=tuple(options.items()))]


def _table4() -> Iterable[tuple[str, dict[str, str | float]]]:
    for alpha, label in ((0.1, "0.1"), (2 * math.sqrt(2), "2√2"), (30.0, "30")):
        yield f"α = {label}", {"alpha": alpha}
    for n in (1, 2, 3):
        yield f"n = {n}", {"n": float(n)}
    for theta in (0.55, 0.75, 0.95):
        yield f"θ = {theta}", {"theta": theta}


def _table5() -> Iterable[tuple[str, dict[str, str | float]]]:
    names = {"url": "URL_ONLY", "context": "URL_CONT"}
    for features, model in product(names, ("lr", "svm", "nb", "pa")):
        yield f"{names[features]}-{model.upper()}", {"features": features, "model": model}


def _ablation() -> Iterable[tuple[str, dict[str, str | float]]]:
    yield "vein", {}
    for part in OPTIONS["vein"]:
        yield f"without {part}", {part: "off"}


def _sweep(
    label: str,
    strategy: str,
    options: dict[str, str | float],
    table: str,
    common: tuple[tuple[str, str | float], ...],
) -> Variant:
    both = dict(common) | options
    return Variant(label=label, strategy=strategy, options=tuple(both.items()), table=table)


def _pair(pair: str, word: str) -> tuple[str, str | float]:
    name, equals, value = pair.partition("=")
    if not equals:
        raise UserError(f"The options of {word!r} are not understood: write sb:alpha=0.1:n=3.")
    return name, _value(name, value)


def _value(name: str, value: str | float) -> str | float:
    defaults = {
        **HARNESS,
        **{key: each for known in OPTIONS.values() for key, each in known.items()},
    }
    if name not in defaults:
        raise UserError(f"There is no option {name!r}; known: {', '.join(sorted(defaults))}.")
    if isinstance(defaults[name], str):
        return str(value)
    try:
        return float(value)
    except ValueError:
        raise UserError(f"The option {name} needs a number, not {value!r}.") from None
