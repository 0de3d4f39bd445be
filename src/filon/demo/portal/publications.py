"""Reports in PDF; a few come with their tables."""

from dataclasses import dataclass, replace
from functools import cache

from filon.demo.answer import Answer, Query, download
from filon.demo.choice import pick
from filon.demo.files import TYPES, Table, write
from filon.demo.html import el, link, slug
from filon.demo.portal.catalogue import DATASETS, Dataset, files, table
from filon.demo.portal.dataset import describe, has_note, note_path
from filon.demo.portal.layout import pager, section_name, show
from filon.demo.portal.places import path
from filon.demo.words import LANGUAGES, both, say

COUNT = 22
PER_PAGE = 8
_REPORT = both("Report", "Rapport")
_TABLES = both("Tables of the report (XLSX)", "Tableaux du rapport (XLSX)")
_READ = both("Read the report (PDF)", "Lire le rapport (PDF)")


@dataclass(frozen=True, slots=True)
class Report:
    """A report on a subject."""

    number: int
    dataset: Dataset

    def title(self, lang: str) -> str:
        """Return its title."""
        year = 2023 - self.number // 3
        return f"{say(lang, _REPORT)} {year}, {say(lang, self.dataset.title)}"

    def path(self, lang: str) -> str:
        """Return where its page is."""
        return path(lang, "publications", slug(self.title(lang)))

    def pdf(self, lang: str) -> str:
        """Return where it is."""
        return f"/documents/{lang}/report-{self.number}.pdf"

    @property
    def tables(self) -> str:
        """Return where its tables are, if it has any."""
        return f"/download/tables/r{self.number:02}.xlsx" if self.number % 4 == 1 else ""


REPORTS = tuple(Report(number, pick(DATASETS, "report", number)) for number in range(COUNT))


def answer(lang: str, rest: tuple[str, ...], query: Query) -> Answer | None:
    """Answer with the list or with the page of a report."""
    if not rest:
        return _list(lang, query.get("page", "1"))
    found = [report for report in REPORTS if report.path(lang) == path(lang, "publications", *rest)]
    return _report(lang, found[0]) if found else None


def _list(lang: str, number: str) -> Answer | None:
    pages = range(1, -(-COUNT // PER_PAGE) + 1)
    if not number.isdecimal() or int(number) not in pages:
        return None
    here = int(number)
    where = {
        other: {page: path(other, "publications", page=page if page > 1 else "") for page in pages}
        for other in LANGUAGES
    }
    items = (
        el("li.report", link(report.path(lang), report.title(lang)))
        for report in REPORTS[(here - 1) * PER_PAGE : here * PER_PAGE]
    )
    return show(
        lang,
        "publications",
        section_name("publications", lang),
        el("ul.reports", *items),
        pager(lang, where[lang], here),
        there=both(where["en"][here], where["fr"][here]),
    )


def _report(lang: str, report: Report) -> Answer:
    links = [el("p.pdf", link(report.pdf(lang), say(lang, _READ)))]
    if report.tables:
        links.append(el("p.tables", link(report.tables, say(lang, _TABLES))))
    return show(
        lang,
        "publications",
        report.title(lang),
        el("p.summary", describe(lang, report.dataset)),
        el("div.documents", *links),
        there=both(report.path("en"), report.path("fr")),
        crumbs=[(path(lang, "publications"), section_name("publications", lang))],
    )


def document(where: str) -> Answer | None:
    """Answer with a report, its tables or a methodological note."""
    content = _documents().get(where)
    if content is None:
        return None
    kind = where.rpartition(".")[2]
    return download(write(kind, content), TYPES[kind])


@cache
def _documents() -> dict[str, Table]:
    found: dict[str, Table] = {}
    for lang in reversed(LANGUAGES):  # English last: shared tables are in English
        for report in REPORTS:
            figures = table(next(f for f in files(report.dataset) if f.lang == lang))
            found[report.pdf(lang)] = replace(figures, title=report.title(lang))
            found[report.tables] = figures
        for dataset in filter(has_note, DATASETS):
            found[note_path(lang, dataset)] = Table(describe(lang, dataset), (), ())
    found.pop("", None)  # of reports without tables
    return found
