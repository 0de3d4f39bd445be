"""The only room with sockets: the live web, and webs round another web.

A request goes down as far as it must; what answers higher up costs nothing below it:

      the loop          Web.fetch(request)
         │
    ┌────▼─────┐
    │ Local    │  hosts that are on this machine: answered here            sent: "cached"
    ├──────────┤
    │ Cached   │  what was asked before, by any run                        sent: "cached"
    ├──────────┤
    │QuotaCount│  no call beyond what a service allows, over all runs      sent: "withheld"
    ├──────────┤
    │ Keyed    │  secrets are put in here and taken out of answers: nothing above knows them
    ├──────────┤
    │ Polite   │  spacing, Retry-After, few requests at a time to a host
    ├──────────┤
    │ Split    │  services that the user named, and all other places, apart
    ├────┬─────┤
    │Live│Live │  the network                                              sent: "yes"
    └────┴─────┘

A verb builds as much of it as it needs: pages alone need Polite and Live. Recorded stands in
for Live where a run is replayed.
"""

from filon.core import Web
from filon.web.cached import Cached, QuotaCount
from filon.web.keyed import Keyed
from filon.web.live import Live, Options, user_agent
from filon.web.polite import Polite
from filon.web.split import Local, Split

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
