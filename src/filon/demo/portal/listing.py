"""The list of datasets: filters by topic and year, two orders, page after page.

The same few datasets under hundreds of addresses: what makes breadth-first search expensive.
"""

from dataclasses import dataclass, replace

from filon.demo.answer import Answer, Query
from filon.demo.html import Html, el, link
from filon.demo.portal.catalogue import DATASETS, YEARS, Dataset, files
from filon.demo.portal.layout import pager, show
from filon.demo.portal.places import path
from filon.demo.subjects import TOPICS
from filon.demo.words import both, say

PER_PAGE = 8
ORDERS = ("", "title")
_TITLE = both("Datasets", "Jeux de données")
_TOPIC, _YEAR = both("Topic", "Thème"), both("Year", "Année")
_ORDER = {"": both("Newest first", "Les plus récents"), "title": both("By title", "Par titre")}
_FOUND = both("datasets found", "jeux de données trouvés")
_ALL = both("All", "Tous")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """What the address asks for; an empty part asks for nothing."""

    topic: str = ""
    year: str = ""
    sort: str = ""

    def found(self, lang: str) -> list[Dataset]:
        """Return the datasets asked for, in order."""
        chosen = filter(self.holds, DATASETS)
        if self.sort == "title":
            return sorted(chosen, key=lambda dataset: dataset.slug(lang))
        return sorted(chosen, key=lambda dataset: (-dataset.latest, dataset.key))

    def holds(self, dataset: Dataset) -> bool:
        """Say whether a dataset is asked for."""
        return self.topic in ("", dataset.topic.key) and (
            not self.year or int(self.year) in dataset.years
        )

    def path(self, lang: str, page: int = 1) -> str:
        """Return the address that asks for this."""
        number = page if page > 1 else ""
        return path(lang, "datasets", topic=self.topic, year=self.year, sort=self.sort, page=number)


def answer(lang: str, query: Query) -> Answer | None:
    """Answer with a page of the list."""
    asked = _read(query)
    if asked is None:
        return None
    wanted, number = asked
    found = wanted.found(lang)
    pages = range(1, max(1, -(-len(found) // PER_PAGE)) + 1)
    if number not in pages:
        return None
    items = found[(number - 1) * PER_PAGE : number * PER_PAGE]
    return show(
        lang,
        "datasets",
        say(lang, _TITLE),
        el("p.count", f"{len(found)} {say(lang, _FOUND)}"),
        _orders(lang, wanted),
        el("ul.dataset-list", *(item(lang, dataset) for dataset in items)),
        pager(lang, {page: wanted.path(lang, page) for page in pages}, number),
        there=both(wanted.path("en", number), wanted.path("fr", number)),
        aside=_facets(lang, wanted),
    )


def _read(query: Query) -> tuple[Filter, int] | None:
    wanted = Filter(
        topic=query.get("topic", ""), year=query.get("year", ""), sort=query.get("sort", "")
    )
    number = query.get("page", "1")
    known = (
        wanted.topic in ("", *(topic.key for topic in TOPICS))
        and wanted.year in ("", *map(str, YEARS))
        and wanted.sort in ORDERS
        and number.isascii()
        and number.isdigit()
    )
    return (wanted, int(number)) if known else None


def item(lang: str, dataset: Dataset) -> Html:
    """Return a dataset as lists show it."""
    where = path(lang, "datasets", dataset.slug(lang))
    quick = [
        el("li", link(file.where, f"{file.kind.upper()} {file.year}", "a.badge"))
        for file in files(dataset)
        if dataset.quick and file.lang == lang
    ]
    years = ", ".join(map(str, dataset.years))
    return el(
        "li.dataset-item",
        el("h3.dataset-title", link(where, say(lang, dataset.title))),
        el("p.dataset-meta", f"{say(lang, dataset.topic.name)} · {years}"),
        el("ul.formats", *quick) if quick else "",
    )


def _orders(lang: str, wanted: Filter) -> Html:
    choices = (
        el("li", link(replace(wanted, sort=sort).path(lang), say(lang, name)))
        for sort, name in _ORDER.items()
        if sort != wanted.sort
    )
    return el("div.sorting", el("ul", *choices))


def _facets(lang: str, wanted: Filter) -> Html:
    topics = {"": say(lang, _ALL), **{topic.key: say(lang, topic.name) for topic in TOPICS}}
    years = {"": say(lang, _ALL), **{str(year): str(year) for year in YEARS}}
    by_topic = {replace(wanted, topic=key): label for key, label in topics.items()}
    by_year = {replace(wanted, year=key): label for key, label in years.items()}
    return el(
        "aside.facets",
        _facet(lang, "topic", say(lang, _TOPIC), wanted, by_topic),
        _facet(lang, "year", say(lang, _YEAR), wanted, by_year),
    )


def _facet(lang: str, name: str, label: str, wanted: Filter, values: dict[Filter, str]) -> Html:
    counts = {value: sum(map(value.holds, DATASETS)) for value in values if value != wanted}
    links = (
        el("li.facet-value", link(value.path(lang), f"{values[value]} ({number})"))
        for value, number in counts.items()
        if number
    )
    return el(f"section.facet#facet-{name}", el("h2", label), el("ul", *links))
