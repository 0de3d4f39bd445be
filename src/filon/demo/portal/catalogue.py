"""The datasets of the portal and the files they offer: what a harvest is after.

Files hide as on real portals: some under their own name, some behind a number that says
nothing, some behind a redirect, some gone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from filon.demo.answer import Answer, download, page, redirect
from filon.demo.choice import draw, pick, shuffled
from filon.demo.files import CSV, TYPES, XLSX, Cell, Table, write
from filon.demo.html import slug
from filon.demo.subjects import TOPICS, Topic
from filon.demo.words import LANGUAGES, REGIONS, Both, both, say

YEARS = tuple(range(2018, 2024))
#: Wrong on purpose, as on real servers: a CSV as plain text, a workbook as mere bytes.
CARELESS = {CSV: "text/plain", XLSX: "application/octet-stream"}


@dataclass(frozen=True, slots=True)
class Dataset:
    """A subject with the years for which there are figures, oldest first.

    key: its English name in URLs. code: its number in the office's books, as files bear it.
    """

    key: str
    code: str
    topic: Topic
    title: Both
    years: tuple[int, ...]

    def slug(self, lang: str) -> str:
        """Return its name in URLs."""
        return slug(say(lang, self.title))

    @property
    def latest(self) -> int:
        """The last year."""
        return self.years[-1]

    @property
    def quick(self) -> bool:
        """Lists offer its newest table without a visit to its page."""
        return draw(5, self.key, "quick") < 2


@dataclass(frozen=True, slots=True)
class File:
    """A file of a dataset.

    lang: the language of its column names; empty where both languages share it.
    where: the path that links name.
    moved: the path to which that one redirects, if it does.
    """

    dataset: Dataset
    kind: str
    year: int
    lang: str
    where: str
    moved: str = ""

    @property
    def name(self) -> str:
        """The name under which a person would save it."""
        return f"{self.dataset.code}-{self.year}.{self.kind}"


def _datasets() -> Iterator[Dataset]:
    for chapter, topic in enumerate(TOPICS, start=1):
        for number, title in enumerate(topic.subjects, start=1):
            code = f"t{chapter:02}{number:02}"
            key = slug(title.en)
            count = 1 + draw(4, key, "years")
            years = sorted(shuffled(YEARS[:-2], key)[: count - 1])
            late = YEARS[-1 - draw(2, key, "late")]
            yield Dataset(key, code, topic, title, (*years, late))


DATASETS = tuple(sorted(_datasets(), key=lambda dataset: dataset.key))


@cache
def files(dataset: Dataset) -> tuple[File, ...]:
    """Return all files that the two pages of a dataset offer and that exist."""
    return tuple(_files(dataset))


def _files(dataset: Dataset) -> Iterator[File]:
    key, code, latest = dataset.key, dataset.code, dataset.latest
    for lang in LANGUAGES:
        yield File(dataset, "csv", latest, lang, f"/download/{lang}/{code}-{latest}.csv")
    for year in dataset.years[:-1]:
        yield File(dataset, "csv", year, "", f"/download/series/{code}-{year}.csv")
    number = 1000 + 10 * DATASETS.index(dataset)
    if draw(10, key, "xlsx") < 7:
        yield File(dataset, "xlsx", latest, "", f"/download/{number}")
    if draw(10, key, "json") < 4:
        where = f"/download/json/{code}-{latest}.json"
        yield File(dataset, "json", latest, "", f"/download/{number + 1}", where)
    if draw(10, key, "ods") < 3:
        yield File(dataset, "ods", latest, "", f"/download/series/{code}-{latest}.ods")
    if draw(10, key, "zip") < 3:
        yield File(dataset, "zip", latest, "", f"/download/archive/{code}.zip")


def lost(dataset: Dataset) -> tuple[str, ...]:
    """Return links to files of the dataset that are gone."""
    sort = draw(8, dataset.key, "lost")
    old = f"{dataset.code}-{dataset.years[0] - 6}"
    if sort == 0:
        return (f"/download/old/{old}.xls",)
    return (f"/download/withdrawn/{old}.csv",) if sort == 1 else ()


@cache
def _by_path() -> dict[str, File]:
    found = {file.where: file for dataset in DATASETS for file in files(dataset)}
    return found | {file.moved: file for file in found.values() if file.moved}


def answer(path: str) -> Answer | None:
    """Answer with the file at a path, with its redirect, or not at all."""
    if path.startswith("/download/withdrawn/"):
        return page("<!doctype html><title>Withdrawn</title><h1>This file was withdrawn.</h1>")
    file = _by_path().get(path)
    if file is None:
        return None
    if file.moved and path != file.moved:
        return redirect(file.moved)
    content_type = TYPES[file.kind]
    if draw(6, file.name, "careless") == 0:
        content_type = CARELESS.get(content_type, content_type)
    name = "" if path.endswith(file.kind) else file.name
    return download(write(file.kind, table(file)), content_type, name)


_COLUMNS = {
    "region": both("region", "région"),
    "year": both("year", "année"),
    "value": both("value", "valeur"),
    "change": both("change_percent", "évolution_pour_cent"),
}


def table(file: File) -> Table:
    """Return the figures of a file: a line for each region and, in archives, each year."""
    lang = file.lang or "en"
    years = file.dataset.years if file.kind == "zip" else (file.year,)
    return Table(
        f"{say(lang, file.dataset.title)}, {file.year}",
        tuple(say(lang, name) for name in _COLUMNS.values()),
        tuple(_row(file.dataset.key, lang, region, year) for year in years for region in REGIONS),
    )


def _row(key: str, lang: str, region: Both, year: int) -> tuple[Cell, ...]:
    value = 1000 + draw(90_000, key, region.en, year)
    change = pick((-1, 1), key, region.en, year, "sign") * draw(90, key, region.en, year) / 10
    return say(lang, region), year, value, change
