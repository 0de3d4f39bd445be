"""The pages of a body: home, what it publishes or writes, what it links to."""

from functools import cache

from filon.demo.answer import Answer, download, page, text
from filon.demo.choice import draw, pick, shuffled
from filon.demo.country.bodies import BODIES, SUBJECTS, Body
from filon.demo.country.datasets import Dataset, datasets, describe
from filon.demo.files import TYPES, write
from filon.demo.html import Html, document, el, join, link

_SAYINGS = (
    "A word on {one} and {two}: the season was unusual.",
    "Everybody asks about {one}; few ask about {two}.",
    "Our readers sent pictures of {one}.",
    "Last week the council talked about {one}, {two} and the budget.",
    "The report on {two} will come in spring.",
    "New data on {one} and {two} surprise the experts.",
    "The quality of {one} divides the neighbours, statistics or not.",
)
STORIES = 5


def answer(body: Body, path: str) -> Answer:
    """Answer with a page or a file."""
    match path.strip("/").split("/"):
        case [""]:
            return _home(body)
        case ["datasets"] if body.kind == "repository":
            return _list(body)
        case ["dataset", name] if found := _find(body, name):
            return _dataset(found)
        case ["files", file] if found := _find(body, file.rpartition(".")[0]):
            return _file(found, file.rpartition(".")[2])
        case ["story", number] if body.kind == "talker" and number in map(str, range(STORIES)):
            return _show(body, f"Story {number}", el("p", prose(body, number, 8)))
        case ["about" | "contact" as name]:
            return _show(body, name.title(), el("p", f"{body.name}, Orvania. {prose(body, name)}"))
    return text("text/plain", "Not here.\n", 404)


def prose(body: Body, about: object, sentences: int = 4) -> str:
    """Return some sentences on the subject of a body."""
    words = SUBJECTS[body.subject][1]
    chosen = []
    for number in range(sentences):
        one, two = shuffled(words, body.host, about, number)[:2]
        chosen.append(pick(_SAYINGS, body.host, about, number).format(one=one, two=two))
    return " ".join(chosen)


def where(body: Body) -> list[str]:
    """Return the addresses of the pages of a body, as a search engine would know them."""
    paths = ["", "about"]
    if body.kind == "talker":
        paths += [f"story/{number}" for number in range(STORIES)]
    if body.kind == "repository":
        paths += ["datasets", *(f"dataset/{one.name}" for one in datasets(body))]
    return [f"{body.home}{path}" for path in paths]


def _home(body: Body) -> Answer:
    if body.kind == "links":
        items = [el("li", link(other.home, other.name)) for other in linked(body)]
        return _show(body, body.name, el("p", prose(body, "home", 2)), el("ul.links", *items))
    if body.kind == "talker":
        lines = [link(f"/story/{number}", f"Story {number}") for number in range(STORIES)]
        return _show(body, body.name, el("p", prose(body, "home")), *lines)
    sentence = f"{body.name} publishes data on {' and '.join(SUBJECTS[body.subject][1][:2])}."
    return _show(
        body,
        body.name,
        el("p", sentence),
        el("p", prose(body, "home", 2)),
        link("/datasets", "Data"),
    )


@cache
def linked(body: Body) -> tuple[Body, ...]:
    """Return whom a page of links points to: mostly its own subject, and anybody."""
    same = [b for b in BODIES if b.kind == "repository" and b.subject == body.subject]
    others = [b for b in BODIES if b.kind == "talker"]
    chosen = shuffled(same, body.host)[:9] + shuffled(others, body.host)[:6]
    return tuple(shuffled(chosen, body.host, "order"))


def _list(body: Body) -> Answer:
    items = [
        el("li", link(f"/dataset/{one.name}", f"{one.title} {one.year}")) for one in datasets(body)
    ]
    return _show(body, "Datasets", el("ul.dataset-list", *items))


def _find(body: Body, name: str) -> Dataset | None:
    return next((one for one in datasets(body) if one.name == name), None)


def _dataset(found: Dataset) -> Answer:
    files = [
        el("li", link(found.file(kind), f"Download {kind.upper()}", "a.download"))
        for kind in found.kinds
    ]
    description = el("p", describe(found))
    return _show(found.body, found.title, description, el("ul.resource-list", *files))


def _file(found: Dataset, kind: str) -> Answer:
    if kind not in found.kinds:
        return text("text/plain", "Not here.\n", 404)
    return download(write(kind, found.table()), TYPES[kind])


def _show(body: Body, title: str, *children: Html) -> Answer:
    menu = el(
        "nav", *(link(f"/{name}", name.title()) for name in ("about", "contact")), _friend(body)
    )
    made = el("meta", name="generator", content="ckan 2.10.4") if body.software else ""
    main = el("main", el("h1", title), *children)
    named = title if title == body.name else f"{title} - {body.name}"
    return page(document("en", named, made, el("body", menu, main)))


def _friend(body: Body) -> Html:
    """Return a link to somebody of the same subject; not all have friends."""
    same = [other for other in BODIES if other.subject == body.subject and other != body]
    if body.kind == "links" or draw(2, body.host, "friend"):
        return join()
    friend = pick(same, body.host, "which friend")
    return link(friend.home, friend.name)
