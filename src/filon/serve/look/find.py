"""The catalog: search with facets, in any order, page by page, and why each file is a hit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from aiohttp import web

from filon.catalog.index import ORDERS
from filon.catalog.search import FACETS, Results, search
from filon.catalog.store import CatalogStore
from filon.core import UserError
from filon.serve.home import HOME
from filon.serve.look.area import CATALOG, formats, number
from filon.serve.page import fragment, page

routes = web.RouteTableDef()
#: Hits of a page.
_HITS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is searched for. skip: hits before those that are shown. sort: "" for the best first."""

    words: str = ""
    facets: Mapping[str, str] = field(default_factory=dict)
    run: str = ""
    sort: str = ""
    skip: int = 0

    @property
    def is_bare(self) -> bool:
        """Whether it asks for all files."""
        return not (self.words or self.narrowed() or self.skip)

    @property
    def order(self) -> str:
        """The order in which hits come: without words the best first means nothing."""
        return self.sort or ("" if self.words else "newest")

    def address(self, **changed: str | int) -> str:
        """Return the address of a page that asks the same, and something else."""
        asked = {"q": self.words, **self.facets, "run": self.run, "sort": self.sort, "skip": 0}
        asked |= changed
        said = {name: value for name, value in asked.items() if value}
        return f"/catalog?{urlencode(said)}" if said else "/catalog"

    def export(self, format: str) -> str:
        """Return the address that hands these files on in a format."""
        return self.address(sort="", run="").replace("/catalog", f"/catalog/export/{format}", 1)

    def narrowed(self) -> list[tuple[str, str, str]]:
        """Return what narrows it: the name, the value, and the address without it."""
        said = [*((name, value) for name, value in self.facets.items() if value), ("run", self.run)]
        return [(name, value, self.address(**{name: ""})) for name, value in said if value]

    def command(self, folder: str) -> list[str]:
        """Return the command line that asks the same."""
        said = {**self.facets, "run": self.run, "sort": self.order}
        flags = [part for name, value in said.items() if value for part in (f"--{name}", value)]
        skip = ["--skip", str(self.skip)] if self.skip else []
        command = ["filon", "catalog", "search", *flags, "--limit", str(_HITS), *skip]
        return [*command, "--in", folder, *(["--", *self.words.split()] if self.words else [])]


def asked(request: web.Request) -> Question:
    """Return what an address asks for."""
    sort = request.query.get("sort", "")
    return Question(
        words=" ".join(request.query.get("q", "").split())[:500],
        facets={name: request.query.get(name, "").strip() for name in FACETS},
        run=request.query.get("run", ""),
        sort=sort if sort in ORDERS else "",
        skip=number(request, "skip"),
    )


def found(store: CatalogStore, question: Question) -> Results:
    """Return the hits of a page."""
    facets, run, sort = question.facets, question.run, question.order
    return search(store, question.words, facets, _HITS, skip=question.skip, run=run, sort=sort)


@routes.get("/catalog")
async def catalog(request: web.Request) -> web.Response:
    """Show what was found, and what it can be narrowed to."""
    catalog, question, problem = request.app[CATALOG], asked(request), ""
    catalog.take_in()
    # As of before the search: what comes in meanwhile may be missing in what it finds.
    taking_in, looking = catalog.taking_in, catalog.is_first
    is_bare = catalog.is_taking_in and question.is_bare
    results = Results()
    if not catalog.is_empty:
        try:
            results = await catalog.search(lambda store: found(store, question))
        except UserError as error:
            problem = str(error)
    return await page(
        request,
        "look/catalog.html",
        command=question.command(str(request.app[HOME].folder)),
        question=question,
        results=results,
        problem=problem,
        problems=catalog.problems,
        empty=catalog.is_empty,
        taking_in=taking_in,
        looking=looking,
        bare=is_bare and not results.total,
        orders=["", *ORDERS] if question.words else list(ORDERS),
        formats=list(formats()),
        pages=_pages(question, results),
        last=min(question.skip + _HITS, results.total),
    )


def _pages(question: Question, results: Results) -> Sequence[tuple[str, str]]:
    """Return the addresses of the page before and the one after, by the key of their words."""
    before = question.address(skip=max(0, question.skip - _HITS)) if question.skip else ""
    after = question.skip + _HITS
    more = question.address(skip=after) if after < results.total else ""
    return [(key, at) for key, at in (("look.before", before), ("look.after", more)) if at]


@routes.get("/catalog/news")
async def news(request: web.Request) -> web.Response:
    """Say whether new files are still being taken in."""
    catalog, bare = request.app[CATALOG], "bare" in request.query
    catalog.take_in()
    told = await fragment(
        request,
        "look/news.html",
        taking_in=catalog.taking_in,
        looking=catalog.is_first,
        has_new=catalog.has_new,
        bare=bare,
    )
    if bare and catalog.has_new and not catalog.is_taking_in:
        told.headers["HX-Refresh"] = "true"  # nothing is lost on a page that has shown no file
    return told
