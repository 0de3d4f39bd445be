"""A generated repository: real name, words, language and software, and made-up datasets.

What it says and which software it runs is the registry's. How many datasets it has, whether its
API is on, and what its pages show is drawn by the seed alone. What is assumed of portals:

- Software without an adapter of ours ("custom") has plain pages that lead to the files.
- CKAN, DKAN, Dataverse, GeoNetwork, Datasette, DSpace and JKAN write their pages on the server: a
  list and a page for each dataset, with links to its files. GeoNetwork does so for readers without
  scripts.
- Front pages of ArcGIS Hub, Socrata, OpenDataSoft, InvenioRDM and GeoNode are filled by scripts.
  A reader of HTML sees a frame, and perhaps a few featured datasets whose pages have no links to
  files either. LISTED of their owners put links to the files on a page of their own all the same.
- An API is switched off, or answers errors, as often as OFF and BROKEN say; UNSIGNED of the
  portals hide their software behind a design of their own.
"""

import random
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from experiments.discover.frames import told_in

#: Extensions that the files of a generated repository have.
FORMATS = ("csv", "xlsx", "json", "zip", "xml", "geojson")
SERVER = frozenset({"ckan", "dkan", "dataverse", "geonetwork", "datasette", "dspace", "jkan"})
SCRIPT = frozenset({"arcgishub", "socrata", "opendatasoft", "inveniordm", "geonode"})
LISTED, OFF, BROKEN, UNSIGNED = 0.25, 0.10, 0.05, 0.10
#: Of all sites: those with a sitemap (as in the registry), with markup on the pages of their
#: datasets (within what Table 1 of DSDD found), and custom ones with a data.json.
SITEMAP, MARKUP, DATA_JSON = 0.26, 0.25, 0.10
#: What datasets are called, after the words of the catalogue.
_KINDS = ("by district", "since 2010", "survey", "register", "statistics", "inventory", "map")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A dataset, by its number. formats: of its files."""

    number: int
    title: str
    text: str
    formats: tuple[str, ...]
    modified: str

    @property
    def id(self) -> str:
        """Its name in addresses."""
        return f"set-{self.number:04}"

    @property
    def uid(self) -> str:
        """The same in the form of Socrata."""
        return f"{self.number:04}-data"

    @property
    def hex(self) -> str:
        """The same in the form of ArcGIS."""
        return f"{self.number:032x}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A site with data.

    depth: links from the home page to the pages of datasets, where these are plain pages.
    api: "on", "off" or "broken". signed: its pages name the software.
    listed: for pages that scripts fill: the files are linked to all the same.
    """

    host: str
    name: str
    text: str
    language: str
    topics: tuple[str, ...]
    software: str
    datasets: tuple[Dataset, ...]
    depth: int
    api: str
    signed: bool
    listed: bool
    sitemap: bool
    markup: bool
    data_json: bool

    @property
    def root(self) -> str:
        """Its address without the last slash."""
        return f"http://{self.host}"


def make(catalogue: dict[str, Any], topics: tuple[str, ...], dice: random.Random) -> Repository:
    """Return the repository of a catalogue."""
    software = str(catalogue["software"])
    software = software if software in SERVER | SCRIPT else "custom"
    langs = [str(one) for one in catalogue["langs"]]
    language = "EN" if "EN" in langs or not langs else langs[0]
    name, told = str(catalogue["name"]), str(catalogue["description"])
    text = told_in(language, name, told, topics)
    drawn = dice.random()
    api = "broken" if drawn < BROKEN else "off" if drawn < BROKEN + OFF else "on"
    return Repository(
        host=host_of(catalogue),
        name=name,
        text=text,
        language=language,
        topics=topics,
        software=software,
        datasets=tuple(_dataset(text, n, dice) for n in range(1, dice.randint(11, 26))),
        depth=dice.choice((1, 2, 2, 3)),
        api=api,
        signed=dice.random() >= UNSIGNED,
        listed=software not in SCRIPT or dice.random() < LISTED,
        sitemap=dice.random() < SITEMAP,
        markup=dice.random() < MARKUP,
        data_json=_has_data_json(software, api, dice),
    )


def _has_data_json(software: str, api: str, dice: random.Random) -> bool:
    if software == "jkan":
        return api == "on"
    return software == "custom" and dice.random() < DATA_JSON


def _dataset(told: str, number: int, dice: random.Random) -> Dataset:
    words = told.split()
    start = dice.randrange(max(1, len(words) - 12))
    about = " ".join(words[start : start + 3]).strip(".,;:()")
    return Dataset(
        number=number,
        title=f"{about} {dice.choice(_KINDS)}".capitalize(),
        text=" ".join(words[start : start + dice.randint(12, 40)]),
        formats=tuple(dice.sample(FORMATS, dice.randint(1, 3))),
        modified=f"20{dice.randint(15, 25)}-{dice.randint(1, 12):02}-01",
    )


def host_of(catalogue: dict[str, Any]) -> str:
    """Return the host that a catalogue has in the generated web."""
    return urlsplit(str(catalogue["link"])).netloc.rpartition("@")[2].partition(":")[0].lower()


def home_of(catalogue: dict[str, Any]) -> str:
    """Return the home page that a catalogue has in the generated web."""
    return f"http://{host_of(catalogue)}/"


def files(own: Repository, dataset: Dataset) -> list[tuple[str, str]]:
    """Return the paths of a dataset's files, as the software writes them, and their formats."""
    name = dataset.id
    match own.software:
        case "socrata":
            return [(f"/api/views/{dataset.uid}/rows.csv?accessType=DOWNLOAD", "csv")]
        case "opendatasoft":
            where = f"/api/explore/v2.1/catalog/datasets/{name}/exports/"
            return [(f"{where}csv", "csv"), (f"{where}xlsx", "xlsx")]
        case "arcgishub":
            return [(f"/datasets/{dataset.hex}_0.csv", "csv")]
        case "datasette":
            return [(f"/data/{name}.csv", "csv")]
        case "dataverse":
            numbers = range(10 * dataset.number, 10 * dataset.number + len(dataset.formats))
            pairs = zip(numbers, dataset.formats, strict=True)
            return [(f"/api/access/datafile/{number}", kind) for number, kind in pairs]
    where = {
        "ckan": f"/dataset/{name}/resource/r-{name}/download/{name}",
        "dkan": f"/sites/default/files/{name}",
        "geonetwork": f"/geonetwork/srv/api/records/{name}/attachments/{name}",
        "inveniordm": f"/records/{name}/files/{name}",
        "dspace": f"/bitstreams/{name}/{name}",
    }.get(own.software, f"/dataset/{name}/table")
    after = "?download=1" if own.software == "inveniordm" else ""
    return [(f"{where}.{kind}{after}", kind) for kind in dataset.formats]
