"""What the user's own plan allows and costs, where it differs from what is documented."""

from collections.abc import Mapping

from filon.core import UserError
from filon.services.describe import rate
from filon.services.search.searcher import SearchService

#: Parameters that every service on the network has.
PLAN = {
    "rate": "how fast it may be asked, like 5/s or 30/min",
    "quota": "how many calls there are, like 1000/day",
    "price": "what a call costs, in USD",
}


def apply(searcher: SearchService, terms: Mapping[str, str]) -> None:
    """Take the user's word over the description's. What answers tell of the quota goes before."""
    meter = searcher.meter
    if text := terms.get("rate", ""):
        calls, seconds = _rate("rate", text)
        meter.delay_s = seconds / calls
    if text := terms.get("quota", ""):
        calls, meter.window_s = _rate("quota", text)
        meter.quota = int(calls)
    if text := terms.get("price", ""):
        searcher.cost = meter.price = _price(text)


def _rate(name: str, text: str) -> tuple[float, float]:
    try:
        calls, seconds = rate(text)
    except ValueError:
        calls = seconds = 0.0
    if calls < 1.0:
        raise UserError(f"{name} must be like 30/min or 1000/day, not {text!r}.")
    return calls, seconds


def _price(text: str) -> float:
    try:
        price = float(text)
    except ValueError:
        price = -1.0
    if not 0.0 <= price < 1e6:
        raise UserError(f"price must be a number of USD, not {text!r}.")
    return price
