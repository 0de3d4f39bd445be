"""Sites made up on the spot, of the sizes and shapes that the recorded ones lack.

The twelve recorded sites have 230 to 3,600 pages and, but for three, a file on every other page. A
rule to stop has its trouble elsewhere: few files on many pages, large archives, several languages,
thousands of pages that look alike. `sites` draws such sites; what is not their point (dead links,
redirects, the length of lists and menus, files a page) is drawn from what the twelve have. The same
seed gives the same site in every process. A site is a Web and needs no socket.
"""

import random
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from experiments.rebuild import SITES
from filon.core import Request, Response
from filon.core.web import hand_out

HOST = "http://invented.test"
#: Of the twelve, a site each: dead links and redirects, in percent of a full crawl's requests.
DEAD = (0.9, 18.1, 1.0, 0.0, 0.7, 36.6, 7.4, 0.2, 6.7, 16.4, 13.1, 20.9)
MOVED = (3.3, 17.1, 0.0, 0.0, 2.1, 20.5, 0.0, 48.4, 2.4, 3.0, 0.0, 0.7)
#: Of the twelve: targets for each page that links to one.
FILES_A_PAGE = (1.1, 0.06, 1.3, 1.2, 1.9, 1.3, 1.0, 1.2, 1.2, 0.7, 0.24, 1.0)
#: What files begin with, and their types, by extension.
FILES = {
    "pdf": ("application/pdf", b"%PDF-1.4\n"),
    "csv": ("text/csv", b"year,value\n2024,1\n"),
    "zip": ("application/zip", b"PK\3\4"),
}
# fmt: off
WORDS = (
    "annual", "budget", "census", "climate", "council", "culture", "economy", "energy",
    "environment", "finance", "food", "forest", "health", "history", "house", "income", "index",
    "industry", "labour", "library", "market", "member", "migration", "mission", "network",
    "office", "people", "planning", "policy", "press", "price", "project", "region", "research",
    "river", "school", "science", "service", "society", "survey", "table", "trade", "training",
    "transport", "travel", "water", "women", "world", "youth",
)
# fmt: on


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of a site: pages of one template.

    layout: "list" (an index in pages, newest first), "years" (a page a year, then a month), or
        "chain" (topics with an index each, whose pages lead on to the next).
    files: in all. bunch: pages with files stand together, so many in a row.
    switch: only the language menu of the same page in the first language leads to each page.
    doors: no menu leads to it, but so many pages of the section before it.
    """

    name: str
    pages: int
    layout: str = "list"
    files: int = 0
    bunch: int = 1
    switch: bool = False
    doors: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a site is made of. dead, moved: shares of the links to pages and files."""

    name: str
    sections: tuple[Section, ...]
    languages: tuple[str, ...] = ("",)
    dead: float = 0.0
    moved: float = 0.0
    files_a_page: float = 1.2
    a_list: int = 25


@dataclass(slots=True)
class Page:
    """A page by its blocks: where links stand, and the links with their words."""

    template: str
    blocks: dict[str, list[tuple[str, str]]] = field(default_factory=dict)


class Invented:
    """A site after a plan."""

    def __init__(self, plan: Plan, seed: int) -> None:
        self.name, self.start = plan.name, f"{HOST}/"
        self._plan = plan
        self._random = random.Random(f"{plan.name} {seed}")
        self._pages: dict[str, Page] = {}
        self._files: dict[str, None] = {}
        self._moved: dict[str, str] = {}
        self._now_s = 1_750_000_000.0
        for language in plan.languages:
            self._lay_out(language)

    @property
    def targets(self) -> int:
        """Files that links lead to."""
        return len(self._files)

    @property
    def requests(self) -> int:
        """What a full crawl asks for."""
        hrefs = {
            href
            for page in self._pages.values()
            for links in page.blocks.values()
            for href, _ in links
        }
        return len({"/"} | hrefs | set(self._moved.values()))

    # Building.

    def _lay_out(self, language: str) -> None:
        home = f"/{language}/" if language else "/"
        self._pages[home] = Page("home")
        if language and "/" not in self._pages:
            self._pages["/"] = Page(
                "door", {"ul.languages/li": [(f"/{each}/", each) for each in self._plan.languages]}
            )
        before: list[str] = []
        for section in self._plan.sections:
            root = f"{home}{section.name}/"
            first = self._plan.languages[0]
            items = self._section(section, root, hidden=section.switch and language != first)
            self._put_files(section, items, root)
            if not section.doors:
                self._link(home, "ul.sections/li", root, section.name)
            for door in self._random.sample(before, section.doors):
                self._link(door, "p.see", root, section.name)
            before = items

    def _section(self, section: Section, root: str, *, hidden: bool) -> list[str]:
        layouts = {"list": self._list, "years": self._years, "chain": self._chain}
        self._pages[root] = Page("index")
        return layouts[section.layout](section, root, hidden)

    def _list(self, section: Section, root: str, hidden: bool) -> list[str]:
        items = [
            self._item(section, f"{root}{self._slug(section, i)}.html")
            for i in range(section.pages)
        ]
        page = root
        for at in range(0, 0 if hidden else len(items), self._plan.a_list):
            if at:
                following = f"{root}?page={1 + at // self._plan.a_list}"
                self._pages[following] = Page("index")
                self._link(page, "p.pager", following, "older")
                page = following
            for item in items[at : at + self._plan.a_list]:
                self._link(page, "ul.items/li", item, self._words(item))
        return items

    def _years(self, section: Section, root: str, hidden: bool) -> list[str]:
        items: list[str] = []
        a_month = max(2, self._plan.a_list // 3)
        for number in range(section.pages):
            year, month = divmod(number // a_month, 12)
            above = f"{root}{2024 - year}/"
            below = f"{above}{1 + month:02}/"
            if above not in self._pages:
                self._pages[above] = Page("year")
                self._link(root, "ul.years/li", above, str(2024 - year))
            if below not in self._pages:
                self._pages[below] = Page("month")
                self._link(above, "ol.months/li", below, f"{1 + month:02}")
            items.append(self._item(section, f"{below}{self._slug(section, number)}/"))
            self._link(below, "ul.items/li", items[-1], self._words(items[-1]))
        return items

    def _chain(self, section: Section, root: str, hidden: bool) -> list[str]:
        items: list[str] = []
        topic = 0
        while len(items) < section.pages:
            topic += 1
            folder = f"{root}{self._slug(section, topic)}/"
            self._pages[folder] = Page("topic")
            self._link(root, "ul.topics/li", folder, self._words(folder))
            above = folder
            for part in range(1, 2 + int(self._random.expovariate(1 / self._plan.a_list))):
                item = self._item(section, f"{folder}part{part}.html")
                self._link(above, "p.next", item, "next")
                self._link(folder, "dl.parts/dd", item, f"part {part}")
                items.append(item)
                above = item
        return items

    def _item(self, section: Section, path: str) -> str:
        self._pages[path] = Page(section.name)
        return path

    def _put_files(self, section: Section, items: list[str], root: str) -> None:
        """Spread the files of a section over its pages, in bunches."""
        left = section.files
        for item in items:
            if self._random.random() < 0.3:
                other = self._random.choice(items)
                self._link(item, "div.related/p", other, self._words(other))
        taken: set[int] = set()
        while left > 0 and len(taken) < len(items):
            at = self._random.randrange(len(items))
            for number in range(at, min(at + section.bunch, len(items))):
                if number in taken or left <= 0:
                    continue
                taken.add(number)
                more = self._random.expovariate(1 / max(self._plan.files_a_page - 1, 0.01))
                for _ in range(min(left, 1 + int(more))):
                    ending = self._random.choice(list(FILES))
                    file = f"/files/{root.strip('/').replace('/', '-')}-{len(self._files)}.{ending}"
                    self._files[file] = None
                    self._link(items[number], "div.text/p", file, "download", may_die=False)
                    left -= 1

    def _link(self, page: str, place: str, href: str, text: str, *, may_die: bool = True) -> None:
        """Link, now and then over a redirect, and beside something dead."""
        links = self._pages[page].blocks.setdefault(place, [])
        if href.endswith(".html") and self._random.random() < self._plan.moved:
            href, goal = href.removesuffix(".html"), href
            self._moved[href] = goal
        links.append((href, text))
        if may_die and self._random.random() < self._plan.dead:
            links.append((f"{href.rstrip('/')}-{self._random.randrange(9)}.old", text))

    @staticmethod
    def _slug(section: Section, number: int) -> str:
        """Return the last part of an address, the same in every language."""
        words = random.Random(f"{section.name} {number}").choices(WORDS, k=2)
        return "-".join([*words, str(number)])

    def _words(self, path: str) -> str:
        return " ".join(path.strip("/").rpartition("/")[2].removesuffix(".html").split("-")[:2])

    # Answering.

    def answer(self, request: Request) -> Response:
        """Answer a request; the clock moves a second."""
        self._now_s += 1
        path = request.url.removeprefix(HOST)
        status, name, value, body = 404, "Content-Type", "text/html", b"<html>Not here</html>"
        if path in self._pages:
            status, body = 200, self._render(path)
        elif path in self._files:
            value, begins = FILES[path.rpartition(".")[2]]
            status, body = 200, begins + path.encode()
        elif path in self._moved:
            status, name, value, body = 301, "Location", self._moved[path], b""
        size = len(body)
        whole = Response(
            url=request.url,
            status=status,
            headers=((name, value),),
            body=body,
            size_bytes=size,
            wire_bytes=size,
            at_s=self._now_s,
        )
        return hand_out(request, whole)

    async def fetch(self, request: Request) -> Response:
        """Answer a request."""
        return self.answer(request)

    async def close(self) -> None:
        """Nothing to close."""

    def _render(self, path: str) -> bytes:
        page = self._pages[path]
        parts = [f"<html><body class={page.template}>", *self._menus(path)]
        for place, links in page.blocks.items():
            parts += _block(place, links)
        parts += _block("div#footer", [("/about.html", "about"), ("/contact.html", "contact")])
        return "".join(parts).encode()

    def _menus(self, path: str) -> Iterator[str]:
        plan = self._plan
        language = path.split("/")[1] if plan.languages != ("",) else ""
        home = f"/{language}/" if language else "/"
        sections = [each.name for each in plan.sections if not each.doors]
        menu = [(f"{home}{name}/", name) for name in sections]
        yield from _block("ul.menu/li", [(home, "home"), *menu] if home in self._pages else [])
        rest = path.removeprefix(home)
        others = [(f"/{each}/{rest}", each) for each in plan.languages if each != language]
        if language and rest != path:
            yield from _block("div.switch", others)


def _block(place: str, links: list[tuple[str, str]]) -> Iterator[str]:
    """Yield a block: every link in an inner element of its own, where the place has one."""
    outer, _, inner = place.partition("/")
    tag, mark, name = outer.partition(".") if "." in outer else outer.partition("#")
    yield f"<{tag} {'class' if mark == '.' else 'id'}={name}>"
    for href, text in links:
        link = f"<a href='{href}'>{text}</a>"
        yield f"<{inner}>{link}</{inner}>" if inner else link
    yield f"</{tag}>"


def sites(seed: int = 1, scale: float = 1.0) -> Iterator[Invented]:
    """Yield sites that the twelve are not like; scale: of their pages."""
    for plan in _plans(random.Random(seed), scale):
        yield Invented(plan, seed)


def resampled(seed: int, number: int, *, scale: float = 1.0) -> Iterator[Invented]:
    """Yield sites with the size of one of the twelve and the yield of another, drawn anew."""
    drawn = random.Random(f"resampled {seed}")
    known = list(tomllib.loads(SITES.read_text("utf-8")).values())
    for each in range(number):
        requests = scale * drawn.choice(known)["requests"]
        like = drawn.choice(known)
        files = max(3, round(requests * like["files"] / like["requests"]))
        usual = _usual(drawn)
        pages = (requests - files) / (1.04 + usual["dead"] + usual["moved"])
        sections = _shared(drawn, max(10, int(pages)), files)
        yield Invented(Plan(name=f"drawn {each + 1}", sections=sections, **usual), seed)


def _shared(drawn: random.Random, pages: int, files: int) -> tuple[Section, ...]:
    """Return two to six sections that share pages, some of which share files."""
    names = drawn.sample(WORDS, drawn.randint(2, 6))
    sizes = [drawn.expovariate(1) + 0.05 for _ in names]
    holds = [size * drawn.choice((0.0, 0.1, 1.0, 3.0)) for size in sizes]
    holds[0] = holds[0] or sizes[0]
    drawn.shuffle(names)
    return tuple(
        Section(
            name=name,
            pages=max(2, int(pages * size / sum(sizes))),
            layout=drawn.choice(("list", "years", "chain")),
            files=round(files * hold / sum(holds)),
            bunch=drawn.choice((1, 1, 4)),
        )
        for name, size, hold in zip(names, sizes, holds, strict=True)
    )


def _plans(drawn: random.Random, scale: float) -> Iterator[Plan]:
    def pages(number: int) -> int:
        return max(30, int(scale * number))

    yield Plan(
        name="sparse",  # 21,000 pages with 40 files, a third of them easily found
        sections=(
            Section(name="reports", pages=pages(300), files=14),
            Section(name="news", pages=pages(9000), files=12),
            Section(name="people", pages=pages(4000)),
            Section(name="projects", pages=pages(4000), layout="years", files=14),
            Section(name="events", pages=pages(3700), layout="years"),
        ),
        **_usual(drawn),
    )
    yield Plan(
        name="archive",
        sections=(
            Section(name="documents", pages=pages(1500), layout="years", files=500, bunch=4),
            Section(name="minutes", pages=pages(2500), layout="chain", files=60, bunch=5),
            Section(name="news", pages=pages(4000), layout="years", files=40),
        ),
        **_usual(drawn),
    )
    yield Plan(
        name="switched",  # pages with data in three languages, two of them behind the menu alone
        languages=("en", "de", "fr"),
        sections=(
            Section(name="about", pages=pages(90)),
            Section(name="data", pages=pages(300), files=400, switch=True),
            Section(name="news", pages=pages(400)),
        ),
        **_usual(drawn),
    )
    yield Plan(
        name="languages",
        languages=("en", "de", "fr"),
        sections=(
            Section(name="about", pages=pages(300)),
            Section(name="data", pages=pages(200), files=150),
            Section(name="news", pages=pages(400), layout="years", files=10),
        ),
        **_usual(drawn),
    )
    yield Plan(
        name="faq",  # files on a few of very many equal pages
        sections=(Section(name="faqs", pages=pages(12_000), layout="chain", files=69, bunch=4),),
        **_usual(drawn) | {"a_list": 25},
    )
    yield Plan(
        name="doors",  # the same, but the files are in a corner that a few of the pages link to
        sections=(
            Section(name="faqs", pages=pages(10_000), layout="chain"),
            Section(name="ftp", pages=30, files=45, doors=6),
            Section(name="texts", pages=40, files=24, bunch=3),
        ),
        **_usual(drawn) | {"a_list": 25},
    )
    yield Plan(
        name="equal",
        sections=(Section(name="items", pages=pages(6000), files=60),),
        **_usual(drawn),
    )
    for number in range(8):
        yield Plan(name=f"mixed {number + 1}", sections=_drawn(drawn, scale), **_usual(drawn))


def _drawn(drawn: random.Random, scale: float) -> tuple[Section, ...]:
    """Return two to six sections of a few hundred pages, some of which have files."""
    sections: list[Section] = []
    for name in drawn.sample(WORDS, drawn.randint(2, 6)):
        pages = max(10, int(scale * drawn.lognormvariate(5.8, 1.0)))
        share = drawn.choice((0.0, 0.0, 0.0, 0.02, 0.1, 0.5, 0.9))
        layout, bunch = drawn.choice(("list", "years", "chain")), drawn.choice((1, 1, 4))
        files = max(1, int(share * pages)) if share or not sections else 0
        sections.append(Section(name=name, pages=pages, layout=layout, files=files, bunch=bunch))
    return tuple(sections)


def _usual(drawn: random.Random) -> dict[str, Any]:
    """Return what one of the twelve has, and the redirects and lists of others."""
    return {
        "dead": drawn.choice(DEAD) / 100,
        "moved": drawn.choice(MOVED) / 200,
        "files_a_page": max(1.0, drawn.choice(FILES_A_PAGE)),
        "a_list": drawn.choice((10, 20, 25, 40, 60)),
    }
