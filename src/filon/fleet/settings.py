"""What a fleet was asked for: the settings of all its harvests, as the store keeps them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from filon.core import UserError
from filon.verbs.acquire import STOPS, AcquireSettings, Stop, most_of_each, types_of_each
from filon.verbs.option import option
from filon.verbs.settings import Settings, in_flight, largest_file, named

#: Sites that a worker has open at a time, each a run with its files and the memory of its strategy,
#: and requests in flight, one to a host.
HOLD = PARALLEL = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetSettings(Settings):
    """How the sites of a fleet are harvested; the rest of the fields are those of `Settings`.

    hold: the sites that a worker has at a time.
    profile: workers read the files that they find, for the catalog.
    ahead: answers of a site that need not be in a piece yet when its next request leaves.
    lease: seconds without a sign of life after which a worker is taken for dead.
    """

    types: str = types_of_each()
    stop: Stop = option("auto", STOPS, noun="way to stop")
    per_site: int = most_of_each()
    hold: int = option(HOLD, f"Sites that a worker has at a time; {HOLD} by default.", metavar="N")
    profile: bool = option(True, "Do not read the files for the catalog.")
    ahead: int = option(
        0,
        "Answers of a site that may be lost with a machine: so many need not be among the blobs "
        "yet when its next request leaves; 0 by default.",
        metavar="N",
    )
    lease: float = option(
        60.0,
        "A worker that was silent for so many seconds is taken for dead; 60 by default.",
        metavar="S",
    )
    harvest: Mapping[str, Any] = named("Another setting of the harvests, as depth=3")
    max_size: int = largest_file()
    parallel: int = in_flight("of a worker, one to a host", PARALLEL)
    header: tuple[str, ...] = field(default=(), repr=False)
    set: Mapping[str, str | float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        if self.per_site < 0:
            raise UserError(f"A site cannot have {self.per_site} requests: 1 is the least.")
        if self.hold < 1:
            raise UserError(f"A worker cannot have {self.hold} sites: 1 is the least.")
        if self.ahead < 0:
            raise UserError(f"--ahead cannot be {self.ahead}: 0 is the least.")
        if not 1.0 <= self.lease <= 86400.0:
            raise UserError(f"A lease cannot be {self.lease:g} seconds: from 1 to 86400 can be.")

    def crowd(self) -> int:
        """Return how many requests may be in flight to one host."""
        return 1

    def acquiring(self, url: str) -> AcquireSettings:
        """Return the same as settings of an acquisition of one site."""
        known = {entry.name for entry in fields(AcquireSettings)} - {"budget", "header", "verb"}
        shared = {entry.name for entry in fields(self)} & known
        return AcquireSettings(sites=(url,), **{name: getattr(self, name) for name in shared})
