"""Generated sites around real descriptions of catalogues: repositories, look-alikes, news, hubs.

Names and descriptions are the registry's; pages, files and links are made up, by the seed alone.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any
from urllib.parse import urlsplit

#: Extensions that the files of a generated repository have.
FORMATS = ("csv", "xlsx", "json", "zip", "xml", "geojson")
#: What a look-alike has instead of data.
_SERVICES = ("news", "events", "contact", "team", "projects", "publications")


@dataclass(slots=True)
class Made:
    """Generated pages by URL, and the home pages by what they are."""

    pages: dict[str, str] = field(default_factory=dict)
    homes: dict[str, str] = field(default_factory=dict)  # of repositories: their topic
    others: list[str] = field(default_factory=list)


def page(title: str, text: str, links: Sequence[tuple[str, str]] = ()) -> str:
    """Return the HTML of a page."""
    anchors = "".join(f'<li><a href="{escape(url)}">{escape(name)}</a></li>' for url, name in links)
    description = escape(text[:160], quote=True)
    return (
        f'<html><head><title>{escape(title)}</title><meta name="description" '
        f'content="{description}"></head><body><h1>{escape(title)}</h1>'
        f"<p>{escape(text)}</p><ul>{anchors}</ul></body></html>"
    )


class Maker:
    """Makes sites of catalogues."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.made = Made()

    def repository(self, catalogue: dict[str, Any], topic: str) -> None:
        """Make a site whose home page leads to ten files or more within three links."""
        home = home_of(catalogue)
        if home in self.made.pages:
            return
        count, depth = self._random.randint(6, 25), self._random.choice((1, 2, 2, 3))
        sets = [f"{home}dataset/{number}" for number in range(count)]
        for url in sets:
            self._dataset(url, catalogue)
        listed = [(url, f"Dataset {number}") for number, url in enumerate(sets)]
        way = self._way(home, listed, depth, catalogue)
        self._home(home, catalogue, way)
        self.made.homes[home] = topic

    def _way(
        self, home: str, listed: list[tuple[str, str]], depth: int, catalogue: dict[str, Any]
    ) -> list[tuple[str, str]]:
        """Put lists between the home page and the datasets; return what the home page links to."""
        if depth == 1:
            return listed
        self._inner(f"{home}datasets", "All datasets", catalogue, listed)
        if depth == 2:
            return [(f"{home}datasets", "Datasets")]
        self._inner(f"{home}themes", "Themes", catalogue, [(f"{home}datasets", "Browse")])
        return [(f"{home}themes", "Themes")]

    def _inner(
        self, url: str, name: str, catalogue: dict[str, Any], links: list[tuple[str, str]]
    ) -> None:
        """Make a page within a site: it bears the site's name and some of its words."""
        words = str(catalogue["description"]).split()
        start = self._random.randrange(max(1, len(words) - 12))
        text = " ".join(words[start : start + self._random.randint(12, 40)])
        home = url[: url.find("/", 8) + 1]
        title = f"{name} - {catalogue['name']}"
        self.made.pages[url] = page(title, text, [*links, (home, str(catalogue["name"]))])

    def _dataset(self, url: str, catalogue: dict[str, Any]) -> None:
        kinds = self._random.sample(FORMATS, self._random.randint(1, 3))
        files = [(f"{url}/table.{kind}", f"Download {kind.upper()}") for kind in kinds]
        self._inner(url, f"Dataset {url.rpartition('/')[2]}", catalogue, files)

    def look_alike(self, catalogue: dict[str, Any]) -> None:
        """Make a site that talks like a repository and has next to no files."""
        home = home_of(catalogue)
        if home in self.made.pages:
            return
        way = [(f"{home}brochure.csv", "Key figures")] if self._random.random() < 0.5 else []
        self._home(home, catalogue, way)
        self.made.others.append(home)

    def _home(self, home: str, catalogue: dict[str, Any], way: list[tuple[str, str]]) -> None:
        menu = [(f"{home}{name}", name.title()) for name in self._random.sample(_SERVICES, 4)]
        for url, name in menu:
            self._inner(url, name, catalogue, [])
        self.made.pages[home] = page(
            str(catalogue["name"]), str(catalogue["description"]), [*menu, *way]
        )

    def news(self, number: int, texts: Sequence[str]) -> None:
        """Make a site that writes about the topic and has no data."""
        home = f"http://www.daily{number}.example/"
        stories = [f"{home}story/{n}" for n in range(self._random.randint(3, 12))]
        for url in stories:
            words = " ".join(self._random.sample(list(texts), 2)).split()
            self._random.shuffle(words)
            self.made.pages[url] = page(" ".join(words[:5]), " ".join(words[:80]), [(home, "Home")])
        links = [(url, "Read more") for url in stories]
        self.made.pages[home] = page(f"The Daily {number}", "Stories of the day", links)
        self.made.others.append(home)

    def hubs(self, count: int, others: Sequence[str]) -> None:
        """Make pages of links: mostly to repositories of one topic, and to anything else."""
        topics = sorted(set(self.made.homes.values()))
        for number in range(count):
            topic = topics[number % len(topics)]
            same = sorted(url for url, told in self.made.homes.items() if told == topic)
            good = self._random.sample(same, min(len(same), self._random.randint(3, 8)))
            bad = self._random.sample(list(others), min(len(others), self._random.randint(2, 8)))
            links = [(url, urlsplit(url).netloc) for url in (*good, *bad)]
            self._random.shuffle(links)
            url = f"http://links{number}.example/resources.html"
            self.made.pages[url] = page("Useful links", f"A list of resources on {topic}", links)

    def partners(self) -> None:
        """Let a third of the repositories link to one or two of their topic."""
        for home, topic in sorted(self.made.homes.items()):
            if self._random.random() < 1 / 3:
                same = sorted(
                    u for u, told in self.made.homes.items() if told == topic and u != home
                )
                chosen = self._random.sample(same, min(len(same), self._random.randint(1, 2)))
                anchors = "".join(f'<a href="{url}">Partner</a>' for url in chosen)
                body = self.made.pages[home]
                self.made.pages[home] = body.replace("</body>", f"{anchors}</body>")


def home_of(catalogue: dict[str, Any]) -> str:
    """Return the home page that a catalogue has in the generated web."""
    return f"http://{urlsplit(str(catalogue['link'])).netloc.rpartition('@')[2].lower()}/"
