"""Who has a site in Orvania, and what it is."""

from dataclasses import dataclass

from filon.demo.choice import draw, pick
from filon.demo.html import slug
from filon.demo.words import REGIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """Somebody with a site.

    kind: "repository" (has data files), "talker" (writes about the subject) or "links".
    software: "ckan", or "" for pages of its own making.
    known: the search engine has heard of it.
    """

    host: str
    name: str
    kind: str
    subject: str
    software: str = ""
    known: bool = True

    @property
    def home(self) -> str:
        """The address of its home page."""
        return f"http://{self.host}/"


#: By subject: what is measured, which are the datasets, and words that belong to it.
SUBJECTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "water": (
        ("Nitrate in rivers", "Bathing water", "Groundwater levels", "Drinking water samples",
         "Phosphorus in lakes", "Sewage treatment plants", "River flow", "Pesticides in springs",
         "Fish counts", "Flood gauges", "Water temperature", "Wells and boreholes"),
        ("water", "quality", "rivers", "lakes", "samples", "nitrate", "stations", "monitoring",
         "bathing", "groundwater"),
    ),
    "transport": (
        ("Bus stops", "Traffic counts", "Bicycle paths", "Train delays", "Parking places",
         "Road works", "Ferry timetables", "Accidents by road", "Car registrations",
         "Charging stations", "Toll receipts", "Bridges"),
        ("transport", "traffic", "roads", "buses", "timetables", "stations", "trains", "delays",
         "bicycles", "parking"),
    ),
    "health": (
        ("Hospital beds", "Vaccinations", "Waiting times", "Pharmacies", "Causes of death",
         "Ambulance calls", "Care homes", "Births", "Influenza reports", "Doctors by district",
         "Blood donations", "Prescriptions"),
        ("health", "hospitals", "patients", "doctors", "care", "vaccination", "clinics",
         "medicines", "nurses", "prevention"),
    ),
}  # fmt: skip
_WATER = (
    "{region} Water Agency", "{region} River Board", "{region} Institute of Hydrology",
    "{region} Environment Laboratory",
)  # fmt: skip
_OTHER = {"transport": "{region} Transport Data", "health": "{region} Health Observatory"}
_TALKERS = (
    "{region} Herald", "Friends of {region}", "{region} Consulting", "{region} Anglers' Club",
    "Visit {region}",
)  # fmt: skip


def _repositories() -> list[Body]:
    found = []
    for number in range(12):
        region, form = REGIONS[number % len(REGIONS)].en, _WATER[number // 3]
        name = form.format(region=region)
        found.append(
            Body(
                host=f"{slug(name)}.test",
                name=name,
                kind="repository",
                subject="water",
                software="ckan" if number % 2 else "",
                known=number % 3 > 0,
            )
        )
    for number in range(8):
        subject = "transport" if number % 2 else "health"
        name = _OTHER[subject].format(region=REGIONS[number].en)
        software = "ckan" if number % 3 == 0 else ""
        host = f"{slug(name)}.test"
        found.append(
            Body(host=host, name=name, kind="repository", subject=subject, software=software)
        )
    return found


def _talkers() -> list[Body]:
    found = []
    for number, region in enumerate(REGIONS):
        for form in _TALKERS[: 4 if number % 2 else 5]:
            name = form.format(region=region.en)
            subject = "water" if draw(3, name) else pick(("transport", "health"), name)
            found.append(Body(host=f"{slug(name)}.test", name=name, kind="talker", subject=subject))
    return found


def _links() -> list[Body]:
    names = {"water": "Rivers and lakes on the web", "health": "Healthy links"}
    found = [Body(host="linkorama.test", name="Linkorama", kind="links", subject="transport")]
    for subject, name in names.items():
        for number in (1, 2):
            host = f"{slug(name)}-{number}.test"
            found.append(Body(host=host, name=name, kind="links", subject=subject))
    return found


BODIES: tuple[Body, ...] = (*_repositories(), *_talkers(), *_links())
