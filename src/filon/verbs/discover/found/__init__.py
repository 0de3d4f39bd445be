"""What a discovery has brought: its sites, ranked, with why and what was verified."""

from filon.verbs.discover.found.listing import (
    CATALOGUE,
    HARVEST,
    SITES,
    TABLE,
    is_listed,
    numbered,
    read_sites,
    write_sites,
)
from filon.verbs.discover.found.site import Site

__all__ = [
    "CATALOGUE",
    "HARVEST",
    "SITES",
    "TABLE",
    "Site",
    "is_listed",
    "numbered",
    "read_sites",
    "write_sites",
]
