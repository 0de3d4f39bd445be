"""The parameters of a strategy as people give them, checked: one sentence says what is wrong."""

from collections.abc import Mapping

from filon.core import UserError
from filon.verbs.follow.strategies.features import SETS
from filon.verbs.options import check_options

#: The least and the most that a number may be. Nothing may be divided by an epsilon of 0, and a
#: model of 2^26 weights takes a gigabyte.
_BOUNDS = {
    "tau": (0.0, 1.0),
    "epsilon": (1e-6, 1.0),
    "bits": (1, 26),
    "alpha": (1e-6, 100.0),
    "beta": (0.0, 100.0),
    "l1": (0.0, 1e6),
    "l2": (0.0, 1e6),
}


def check(name: str, known: Mapping[str, str | float], options: Mapping[str, str | float]) -> None:
    """Refuse parameters that a strategy does not have, and values that they cannot take."""
    check_options(name, known, options)
    for option, value in options.items():
        if option == "features" and not (value and set(str(value)) <= set(SETS)):
            raise UserError(f"The option features is some of the letters {SETS}, not {value!r}.")
        if option in _BOUNDS:
            _number(option, value)


def _number(option: str, value: str | float) -> None:
    least, most = _BOUNDS[option]
    try:
        number = float(value)
    except ValueError:
        raise UserError(f"The option {option} is a number, not {value!r}.") from None
    if not least <= number <= most:
        raise UserError(f"The option {option} is from {least:g} to {most:g}, not {value}.")
    if option == "bits" and number != int(number):
        raise UserError(f"The option bits is a whole number, not {value}.")
