"""The only room with sockets: the live web, and webs round another web."""

from filon.core import Web
from filon.web.cached import Cached
from filon.web.keyed import Keyed
from filon.web.live import Live
from filon.web.local import Local
from filon.web.options import Options, user_agent
from filon.web.polite import Polite
from filon.web.quota import QuotaCount
from filon.web.split import Split

#: Every Web of this room by name; the contract suite runs on each.
WEBS: dict[str, type[Web]] = {
    "split": Split,
    "cached": Cached,
    "keyed": Keyed,
    "live": Live,
    "local": Local,
    "polite": Polite,
    "quota": QuotaCount,
}

__all__ = [
    "WEBS",
    "Cached",
    "Keyed",
    "Live",
    "Local",
    "Options",
    "Polite",
    "QuotaCount",
    "Split",
    "user_agent",
]
