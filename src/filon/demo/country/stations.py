"""Where water is measured in Orvania: each agency has stations of its own, and no map of them."""

from dataclasses import dataclass
from itertools import product

from filon.demo.choice import draw, pick, shuffled
from filon.demo.country.bodies import BODIES, Body
from filon.demo.words import LAST_NAMES, REGIONS

#: Stations of each agency.
EACH = 16
_SPOTS = (
    "Bridge", "Weir", "Mill", "Ferry", "Lock", "Ford", "Sluice", "Bend", "Quay", "Spring", "Falls",
    "Meadow", "Dyke", "Pump", "Landing",
)  # fmt: skip
_RIVERS = (
    "Aller", "Brenne", "Cherva", "Dorne", "Elz", "Forse", "Gail", "Hase", "Isen", "Lahr", "Mura",
    "Nive",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Station:
    """A place at a river; no two have the same name."""

    name: str

    @property
    def river(self) -> str:
        """What flows there."""
        return f"River {pick(_RIVERS, 'river', self.name)}"

    def record(self) -> dict[str, str]:
        """Return what the register says of it."""
        return {
            "code": f"S{draw(1 << 24, 'code', self.name):06X}",
            "name": self.name,
            "river": self.river,
            "region": pick(REGIONS, "region", self.name).en,
            "altitude": str(2 + draw(900, "altitude", self.name)),
            "catchment": str(15 + draw(2400, "catchment", self.name)),
        }


STATIONS = tuple(
    Station(f"{name} {spot}") for name, spot in shuffled([*product(LAST_NAMES, _SPOTS)], "stations")
)


def stations(body: Body) -> tuple[Station, ...]:
    """Return where a body measures: nobody else does there."""
    agencies = [one for one in BODIES if one.kind == "repository" and one.subject == "water"]
    first = agencies.index(body) * EACH
    return STATIONS[first : first + EACH]
