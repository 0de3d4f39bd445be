"""What a discovery has brought: its sites, ranked, with why and what was verified."""

from filon.verbs.discover.found.listing import (
    CATALOGUE,
    HARVEST,
    OTHERS,
    SITES,
    TABLE,
    is_listed,
    numbered,
    read_found,
    read_sites,
    write_sites,
)
from filon.verbs.discover.found.site import Site

__all__ = [
    "CATALOGUE",
    "HARVEST",
    "OTHERS",
    "SITES",
    "TABLE",
    "Site",
    "is_listed",
    "numbered",
    "read_found",
    "read_sites",
    "write_sites",
]
