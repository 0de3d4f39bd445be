"""The site of an association that watches rivers: some 60 pages, reports and measurements."""

from filon.demo.answer import Answer, Query, download, page, text
from filon.demo.choice import draw, pick, shuffled
from filon.demo.files import TYPES, Table, write
from filon.demo.html import Html, document, el, join, link, slug

HOST = "clearwater.test"
START = f"http://{HOST}/"
NAME = "Clear Water Watch"
RIVERS = (
    "Arvel", "Boscane", "Corve", "Drinne", "Eaulne", "Fresque", "Galante", "Hiverne",
    "Isolette", "Junelle", "Lorane", "Mireuse", "Nanse", "Ombrelle",
)  # fmt: skip
MEASURES = ("temperature", "nitrates", "oxygen", "flow")
REPORTS = tuple(
    f"{what} {year}"
    for year in range(2023, 2017, -1)
    for what in ("State of our rivers", "Annual accounts", "Fish counts", "Water and farming")
)
VOICES = (
    "A morning with the volunteers of the {river}",
    "Why the {river} runs dry in August",
    "Schools adopt a bridge over the {river}",
    "What we asked the ministry about the {river}",
)
STORIES = tuple(VOICES[i % 4].format(river=RIVERS[(i * 5) % 14]) for i in range(14))
_MENU = {"/": "Home", "/rivers": "Rivers", "/reports": "Reports", "/stories": "Stories",
         "/join": "Join us"}  # fmt: skip
PER_PAGE = 8


def answer(where: str, query: Query) -> Answer:
    """Answer to a path and its parameters, as the association's server would."""
    number = query.get("page", "1")
    match where.strip("/").split("/"):
        case [""]:
            return _home()
        case ["robots.txt"]:
            return text("text/plain", "User-agent: *\nDisallow:\n")
        case ["rivers"]:
            return _show("Rivers", _list("rivers", RIVERS))
        case ["rivers", name]:
            return _river(name)
        case ["reports"]:
            return _reports(number)
        case ["reports", name]:
            return _report(name)
        case ["stories"]:
            return _show("Stories", _list("stories", STORIES))
        case ["stories", name]:
            return _story(name)
        case ["join"]:
            return _show("Join us", el("p", "Ten crowns a year, and wet feet."))
        case [folder, name] if folder in ("measurements", "pdf"):
            return _file(name)
    return _missing()


def _home() -> Answer:
    rivers = shuffled(RIVERS, "home")[:3]
    return _show(
        NAME,
        el("p.intro", "Volunteers measure the water of Orvania, and publish what they find."),
        el("section.rivers", el("h2", "Where we measure"), _list("rivers", rivers)),
        el("p.source", "Flows: ", link("http://statistics.test/en/datasets", "national figures")),
    )


def _list(folder: str, titles: tuple[str, ...] | list[str]) -> Html:
    items = (el("li", link(f"/{folder}/{slug(title)}", title)) for title in titles)
    return el(f"ul.{folder}-list", *items)


def measurements(river: str) -> list[str]:
    """Return the names of the files of a river."""
    count = 1 + draw(3, river, "files")
    chosen = sorted(shuffled(MEASURES, river)[:count])
    return [f"{slug(river)}-{measure}.csv" for measure in chosen]


def _river(name: str) -> Answer:
    river = next((river for river in RIVERS if slug(river) == name), "")
    if not river:
        return _missing()
    files = (
        el("tr", el("td", file), el("td", link(f"/measurements/{file}", "CSV", "a.csv")))
        for file in measurements(river)
    )
    near = [other for other in RIVERS if other != river]
    return _show(
        river,
        el("p", f"The {river} has been measured every month since {2010 + draw(8, river)}."),
        el("table.measurements", *files),
        el("section.near", _list("rivers", shuffled(near, river, "near")[:3])),
    )


def _reports(number: str) -> Answer:
    last = -(-len(REPORTS) // PER_PAGE)
    if not number.isdecimal() or not 1 <= int(number) <= last:
        return _missing()
    here = int(number)
    pages = (
        link(f"/reports?page={other}" if other > 1 else "/reports", str(other))
        for other in range(1, last + 1)
        if other != here
    )
    shown = REPORTS[(here - 1) * PER_PAGE : here * PER_PAGE]
    return _show("Reports", _list("reports", shown), el("p.pages", *pages))


def _report(name: str) -> Answer:
    title = next((title for title in REPORTS if slug(title) == name), "")
    if not title:
        return _missing()
    links = [el("p.pdf", link(f"/pdf/{name}.pdf", "Read it (PDF)"))]
    if title.startswith("Fish"):
        links.append(el("p.annex", link(f"/measurements/{name}.ods", "The counts (ODS)")))
    return _show(title, el("p", f"{title}: what we saw, and what we ask for."), *links)


def _story(name: str) -> Answer:
    title = next((title for title in STORIES if slug(title) == name), "")
    if not title:
        return _missing()
    others = [other for other in STORIES if other != title]
    return _show(
        title,
        el("p", pick(("It rained all day.", "The water was clear.", "Nobody fell in."), title)),
        el("aside.more", _list("stories", shuffled(others, title)[:3])),
        el("p.elsewhere", link("http://datanotes.test/", "Also told on Data Notes")),
    )


def _file(name: str) -> Answer:
    known = {file for river in RIVERS for file in measurements(river)}
    known |= {f"{slug(title)}.pdf" for title in REPORTS}
    known |= {f"{slug(title)}.ods" for title in REPORTS if title.startswith("Fish")}
    if name not in known:
        return _missing()
    stem, _, kind = name.rpartition(".")
    rows = tuple(
        (f"{year}-{month:02}", draw(1000, stem, year, month) / 10)
        for year in range(2019, 2024)
        for month in range(1, 13)
    )
    return download(write(kind, Table(stem, ("month", "value"), rows)), TYPES[kind])


def _show(title: str, *main: str, status: int = 200) -> Answer:
    menu = (el("li", link(where, label)) for where, label in _MENU.items())
    body = el(
        "body.ngo",
        el("div.banner", el("h1", title), el("ul.nav", *menu)),
        el("div.content", *main),
        el("div.footer", join("With ", link("http://statistics.test/", "Statistics Orvania"))),
    )
    return page(document("en", f"{title} - {NAME}", "", body), status)


def _missing() -> Answer:
    return _show("Not here", el("p", "The page has floated away."), status=404)
