"""The datasets of a body, and their files."""

from dataclasses import dataclass

from filon.demo.choice import draw, shuffled
from filon.demo.country.bodies import SUBJECTS, Body
from filon.demo.country.stations import stations
from filon.demo.files import Table
from filon.demo.html import slug
from filon.demo.words import REGIONS

KINDS = ("csv", "xlsx", "json", "ods")


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset of a public body.

    kinds: the formats that it is there in.
    """

    body: Body
    title: str
    year: int
    kinds: tuple[str, ...]

    @property
    def name(self) -> str:
        """What it is called in URLs."""
        return f"{slug(self.title)}-{self.year}"

    def file(self, kind: str) -> str:
        """Return the address of a file."""
        return f"{self.body.home}files/{self.name}.{kind}"

    def table(self) -> Table:
        """Return what its files hold."""
        title = f"{self.title} {self.year}"
        if self.body.subject == "water":
            measured = [(one.name, one.river) for one in stations(self.body)]
            columns = ("station", "river", "year", "value")
            rows = [(*where, self.year, self._value(where[0])) for where in measured]
            return Table(title, columns, tuple(rows))
        figures = ((region.en, self.year, self._value(region.en)) for region in REGIONS)
        return Table(title, ("region", "year", "value"), tuple(figures))

    def _value(self, where: str) -> int:
        return draw(1000, self.name, where)


def datasets(body: Body) -> list[Dataset]:
    """Return what a body publishes, in the order of its pages."""
    if body.kind != "repository":
        return []
    titles = SUBJECTS[body.subject][0]
    chosen = shuffled(titles, body.host)[: 6 + draw(6, body.host, "datasets")]
    return [_dataset(body, title) for title in chosen]


def _dataset(body: Body, title: str) -> Dataset:
    kinds = shuffled(KINDS, body.host, title)[: 2 + draw(2, body.host, title, "kinds")]
    return Dataset(body, title, 2018 + draw(6, body.host, title, "year"), tuple(sorted(kinds)))


def describe(dataset: Dataset) -> str:
    """Return a sentence on a dataset."""
    where = "by gauge" if dataset.body.subject == "water" else "by region"
    return f"{dataset.title} of {dataset.year}, {where}, as {' and '.join(dataset.kinds)} files."
