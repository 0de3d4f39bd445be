"""News: many pages, an archive that goes far back, hardly ever a way to data."""

from dataclasses import dataclass
from functools import cache

from filon.demo.answer import Answer, Query
from filon.demo.choice import draw, pick, shuffled
from filon.demo.html import Html, el, link, slug
from filon.demo.portal.catalogue import DATASETS, Dataset
from filon.demo.portal.layout import pager, section_name, show
from filon.demo.portal.places import path
from filon.demo.words import MONTHS, REGIONS, SENTENCES, TRENDS, Both, both, say

COUNT = 80
PER_PAGE = 8
FIRST_YEAR = 2014
_ARCHIVE = both("Archive", "Archives")
_DATA = both("See the data", "Voir les données")
_MORE = both("Read also", "À lire aussi")
_RELEASE = both("Original press release", "Communiqué d'origine")


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of news."""

    number: int
    year: int
    month: int
    dataset: Dataset
    trend: Both

    def title(self, lang: str) -> str:
        """Return its headline."""
        colon = " : " if lang == "fr" else ": "
        return f"{say(lang, self.dataset.title)}{colon}{say(lang, self.trend)}"

    def path(self, lang: str) -> str:
        """Return where it is."""
        return path(lang, "news", self.year, f"{slug(self.title(lang))}-{self.number}")

    def date(self, lang: str) -> str:
        """Return its date for people."""
        return f"{say(lang, MONTHS[self.month])} {self.year}"


def _item(number: int) -> Item:
    age = number * 10 // COUNT
    return Item(
        number,
        FIRST_YEAR + 9 - age,
        draw(12, "month", number),
        pick(DATASETS, "news", number),
        pick(TRENDS, "trend", number),
    )


ITEMS = tuple(_item(number) for number in range(COUNT))


def answer(lang: str, rest: tuple[str, ...], query: Query) -> Answer | None:
    """Answer with the list, the list of a year, or an article."""
    if not rest:
        return _list(lang, "", query.get("page", "1"))
    if len(rest) == 1:
        return _list(lang, rest[0], query.get("page", "1"))
    item = _by_path(lang).get(path(lang, "news", *rest))
    return _article(lang, item) if item else None


@cache
def _by_path(lang: str) -> dict[str, Item]:
    return {item.path(lang): item for item in ITEMS}


def _list(lang: str, year: str, number: str) -> Answer | None:
    items = [item for item in ITEMS if year in ("", str(item.year))]
    pages = {
        page: path(lang, "news", *filter(None, [year]), page=page if page > 1 else "")
        for page in range(1, -(-len(items) // PER_PAGE) + 1)
    }
    if not number.isdecimal() or int(number) not in pages:
        return None
    here = int(number)
    shown = items[(here - 1) * PER_PAGE : here * PER_PAGE]
    there = (
        path(other, "news", *filter(None, [year]), page=here if here > 1 else "")
        for other in ("en", "fr")
    )
    title = section_name("news", lang)
    return show(
        lang,
        "news",
        f"{title} {year}".strip(),
        el("ul.news-list", *(teaser(lang, item) for item in shown)),
        pager(lang, pages, here),
        there=both(*there),
        crumbs=[(path(lang, "news"), title)] if year else (),
        aside=_archive(lang),
    )


def teaser(lang: str, item: Item) -> Html:
    """Return a piece of news as lists show it."""
    return el(
        "li.news-item",
        el("time.news-date", item.date(lang)),
        el("h3.news-title", link(item.path(lang), item.title(lang))),
    )


def _archive(lang: str) -> Html:
    years = sorted({item.year for item in ITEMS}, reverse=True)
    items = (el("li", link(path(lang, "news", year), str(year))) for year in years)
    return el("aside.archive", el("h2", say(lang, _ARCHIVE)), el("ul.archive-years", *items))


def _article(lang: str, item: Item) -> Answer:
    sentences = shuffled(SENTENCES, "news", item.number)[:5]
    filled = {
        "subject": say(lang, item.dataset.title),
        "region": say(lang, pick(REGIONS, "news", item.number)),
        "year": item.year,
    }
    return show(
        lang,
        "news",
        item.title(lang),
        el(
            "article.news",
            el("p.date", item.date(lang)),
            *(el("p", say(lang, sentence).format(**filled)) for sentence in sentences),
            _sources(lang, item),
        ),
        _more(lang, item),
        there=both(item.path("en"), item.path("fr")),
        crumbs=[
            (path(lang, "news"), section_name("news", lang)),
            (path(lang, "news", item.year), str(item.year)),
        ],
    )


def _sources(lang: str, item: Item) -> Html:
    if draw(6, "release", item.number) == 0:  # long gone
        where = f"/press/{item.year}/release-{item.number}.html"
        return el("p.press", link(where, say(lang, _RELEASE)))
    if draw(4, "data", item.number) == 0:
        where = path(lang, "datasets", item.dataset.slug(lang))
        return el("p.see-data", link(where, say(lang, _DATA)))
    return Html("")


def _more(lang: str, item: Item) -> Html:
    others = shuffled([other for other in ITEMS if other != item], "more", item.number)[:3]
    items = (el("li", link(other.path(lang), other.title(lang))) for other in others)
    return el("section.read-also", el("h2", say(lang, _MORE)), el("ul.also-list", *items))
