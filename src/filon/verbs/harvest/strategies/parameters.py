"""The parameters of `sb`: their defaults, which are the paper's, and what they may be."""

import math

from filon.core import UserError
from filon.learn import CLASSIFIERS
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.urlclass import FEATURES

DEFAULTS: dict[str, float | str] = {
    "alpha": 2 * math.sqrt(2),
    "n": 2,
    "theta": 0.75,
    "m": 12,
    "w": 15,
    "b": 10,
    "features": "url",
    "model": "lr",
}
CHOICES: dict[str, tuple[str, ...]] = {"features": FEATURES, "model": tuple(CLASSIFIERS)}
#: The least and the most of each number. Table 4 goes to alpha 30 and n 3; 2^16 cells with a
#: thousand groups fill half a gigabyte.
BOUNDS: dict[str, tuple[float, float]] = {
    "alpha": (0, 1000),
    "n": (1, 10),
    "theta": (0, 1),
    "m": (1, 16),
    "w": (1, 32),
    "b": (1, 10_000),
}


def read_parameters(brief: Brief) -> dict[str, float | str]:
    """Return the defaults with the brief's options, checked."""
    chosen = {**DEFAULTS, **brief.options}
    for name, choices in CHOICES.items():
        if chosen[name] not in choices:
            raise UserError(f"The option {name} is one of {', '.join(choices)}.")
    for name in BOUNDS:
        chosen[name] = _number(name, chosen[name])
    if float(chosen["w"]) < float(chosen["m"]):
        raise UserError("The option w is at least m: the hash has no more bits than that.")
    return chosen


def _number(name: str, value: float | str) -> float:
    least, most = BOUNDS[name]
    whole = isinstance(DEFAULTS[name], int)
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not least <= number <= most or (whole and not number.is_integer()):
        kind = "a whole number" if whole else "a number"
        raise UserError(f"The option {name} is {kind} from {least:g} to {most:g}, not {value!r}.")
    return int(number) if whole else number
