"""The only room with sockets: the live web, and webs round another web."""

from filon.core import Web
from filon.web.apart import Apart
from filon.web.cached import Cached
from filon.web.keyed import Keyed
from filon.web.live import Live
from filon.web.nearby import Nearby
from filon.web.options import Options, user_agent
from filon.web.polite import Polite
from filon.web.tallied import Tallied

#: Every Web of this room by name; the contract suite runs on each.
WEBS: dict[str, type[Web]] = {
    "apart": Apart,
    "cached": Cached,
    "keyed": Keyed,
    "live": Live,
    "nearby": Nearby,
    "polite": Polite,
    "tallied": Tallied,
}

__all__ = [
    "WEBS",
    "Apart",
    "Cached",
    "Keyed",
    "Live",
    "Nearby",
    "Options",
    "Polite",
    "Tallied",
    "user_agent",
]
