"""A blog on data: some 80 pages, three files, much talk."""

from filon.demo.answer import Answer, Query, download, page, text
from filon.demo.choice import pick, shuffled
from filon.demo.files import TYPES, Table, write
from filon.demo.html import Html, document, el, link, slug
from filon.demo.subjects import TOPICS

HOST = "datanotes.test"
START = f"http://{HOST}/"
NAME = "Data Notes"
TAGS = ("charts", "maps", "spreadsheets", "open data", "mistakes", "tools", "history", "teaching")
_ANGLES = (
    "What I learnt from {subject}",
    "{subject}, in one chart",
    "Stop averaging: {subject}",
    "A short history of {subject}",
)
_THOUGHTS = (
    "I spent the weekend with a table and came back with more questions than answers.",
    "The best chart of the week has no colours at all.",
    "Somebody asked for the source, so here is how I found it.",
    "A column named 'value' is a small cry for help.",
    "If in doubt, count again.",
    "The median was right there, and nobody looked at it.",
)
_SUBJECTS = [subject.en.lower() for topic in TOPICS for subject in topic.subjects]
POSTS = tuple(
    pick(_ANGLES, "angle", i).format(subject=subject).capitalize()
    for i, subject in enumerate(_SUBJECTS)
)
#: The only files: the post that offers each, by its number.
FILES = {7: "bread-prices.csv", 19: "my-bookshelf.json", 31: "bus-delays.xlsx"}
PER_PAGE = 5


def tags(number: int) -> list[str]:
    """Return the tags of a post."""
    return shuffled(TAGS, "tags", number)[:2]


def answer(where: str, query: Query) -> Answer:
    """Answer to a path and its parameters, as the blog's server would."""
    match where.strip("/").split("/"):
        case [""]:
            return _posts(NAME, "/page", list(range(len(POSTS))), "1")
        case ["page", number]:
            return _posts(NAME, "/page", list(range(len(POSTS))), number)
        case ["robots.txt"]:
            return text("text/plain", "User-agent: *\nAllow: /\n")
        case ["tag", tag]:
            return _tag(tag, "1")
        case ["tag", tag, number]:
            return _tag(tag, number)
        case ["post", name]:
            return _post(name)
        case ["about"]:
            return _show("About", el("p", "One person, one spreadsheet."))
        case ["files", name] if name in FILES.values():
            return _file(name)
    return _show("Nothing here", el("p", "Perhaps a typing mistake?"), status=404)


def _tag(tag: str, number: str) -> Answer:
    posts = [i for i in range(len(POSTS)) if tag in map(slug, tags(i))]
    return _posts(f"Tagged {tag}", f"/tag/{tag}", posts, number)


def _posts(title: str, base: str, posts: list[int], number: str) -> Answer:
    here = int(number) if number.isdecimal() else 0
    shown = posts[(here - 1) * PER_PAGE : here * PER_PAGE] if here else []
    if not shown:
        return _show("Nothing here", el("p", "Perhaps a typing mistake?"), status=404)
    older = link(f"{base}/{here + 1}", "Older posts", "a.older")
    return _show(
        title,
        el("div.stream", *(_teaser(i) for i in shown)),
        el("nav.navigation", older if here * PER_PAGE < len(posts) else ""),
    )


def _teaser(number: int) -> Html:
    labels = (el("li", link(f"/tag/{slug(tag)}", tag)) for tag in tags(number))
    return el(
        "article.post",
        el("h2.entry-title", link(f"/post/{slug(POSTS[number])}", POSTS[number])),
        el("p", pick(_THOUGHTS, "teaser", number)),
        el("ul.tags", *labels),
    )


def _post(name: str) -> Answer:
    numbers = [i for i, title in enumerate(POSTS) if slug(title) == name]
    if not numbers:
        return _show("Nothing here", el("p", "Perhaps a typing mistake?"), status=404)
    number = numbers[0]
    paragraphs = (el("p", thought) for thought in shuffled(_THOUGHTS, "post", number)[:4])
    file = FILES.get(number)
    return _show(
        POSTS[number],
        el("article.entry", *paragraphs),
        el("p.attachment", link(f"/files/{file}", "Take the data")) if file else "",
        el("p.source", link(_source(number), "Where the figures come from")),
    )


def _source(number: int) -> str:
    choices = ("http://statistics.test/en/datasets", "http://clearwater.test/rivers")
    return pick(choices, "source", number)


def _file(name: str) -> Answer:
    stem, _, kind = name.rpartition(".")
    rows = tuple((day, len(pick(_THOUGHTS, stem, day))) for day in range(1, 31))
    return download(write(kind, Table(stem, ("day", "value"), rows)), TYPES[kind])


def _show(title: str, *main: str, status: int = 200) -> Answer:
    draw = (("http://clearwater.test/", "Clear Water Watch"),
            ("http://statistics.test/", "Statistics Orvania"))  # fmt: skip
    body = el(
        "body.blog",
        el("header#masthead", link("/", NAME, "a.site-title"), link("/about", "About")),
        el("div#content", el("h1", title), *main),
        el("aside#secondary", el("ul.blogroll", *(el("li", link(*pair)) for pair in draw))),
    )
    return page(document("en", f"{title} - {NAME}", "", body), status)
