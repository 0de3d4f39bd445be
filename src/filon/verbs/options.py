"""The parameters of strategies as people give them with --set."""

from collections.abc import Mapping
from typing import Any

from filon.core import UserError

_SWITCH = ("on", "off")


def check_options(
    strategy: str, known: Mapping[str, str | float], options: Mapping[str, str | float]
) -> None:
    """Refuse parameters that a strategy does not have, and what is neither on nor off.

    known: by name, with their defaults.
    """
    for option, value in options.items():
        if option not in known:
            offer = f"it has {', '.join(known)}" if known else "it has none"
            raise UserError(f"The strategy {strategy} has no option {option!r}: {offer}.")
        if known[option] in _SWITCH and value not in _SWITCH:
            raise UserError(f"The option {option} is on or off, not {value!r}.")


def options_of(make: Any) -> Mapping[str, str | float] | None:
    """Return the parameters that a strategy of another package says it has, with their defaults.

    It says so by the attribute OPTIONS; None: it does not, and what it is given is its own affair.
    """
    return getattr(make, "OPTIONS", None)
