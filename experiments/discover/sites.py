"""Generated sites around real descriptions of catalogues: repositories and what is round them.

Names, descriptions, languages and software are the registry's; pages, files and links are made
up, by the seed alone.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from experiments.discover.frames import page
from experiments.discover.pages import Writer
from experiments.discover.repository import Repository, host_of, make
from filon.page.url import host

#: Portals whose owner has a site of his own that links to it; that link to others of the topic;
#: that stand at a second address too.
OWNED, PARTNERED, MIRRORED = 0.5, 1 / 3, 0.06
#: How few portals most links go to: the exponent of a Pareto distribution.
FAME = 1.2
#: Portals that a story in the news names at most.
MENTIONED = 2
#: Datasets of a portal that has next to none.
_FEW = 2
_SERVICES = ("news", "events", "contact", "team", "projects", "publications")
#: Where most sites link to.
_SOCIAL = ("facebook", "mastodon", "video", "maps")


@dataclass(slots=True)
class Made:
    """What was generated.

    pages: by URL. repositories: by host, those with next to no data among them.
    homes: of the real ones, and their topics. others: home pages that are none.
    mirrors: hosts that are another's. listed: catalogues that a registry may know, by home page.
    """

    pages: dict[str, str] = field(default_factory=dict)
    repositories: dict[str, Repository] = field(default_factory=dict)
    homes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    mirrors: dict[str, str] = field(default_factory=dict)
    listed: dict[str, dict[str, Any]] = field(default_factory=dict)


class Maker:
    """Makes sites: first all repositories, then what links to them, then their pages."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.made = Made()
        self._fame: dict[str, float] = {}

    def repository(self, catalogue: dict[str, Any], topics: Sequence[str]) -> None:
        """Make a site that has data. topics: those of ours that it is about."""
        name = host_of(catalogue)
        if not name or name in self.made.repositories:
            return
        self.made.repositories[name] = make(catalogue, tuple(topics), self._random)
        self.made.homes[f"http://{name}/"] = tuple(topics)
        self._fame[f"http://{name}/"] = self._random.paretovariate(FAME)
        self.made.listed[f"http://{name}/"] = catalogue

    def look_alike(self, catalogue: dict[str, Any]) -> None:
        """Make a site that talks like a repository, runs its software, and has next to no files."""
        name = host_of(catalogue)
        if not name or name in self.made.repositories:
            return
        own = make(catalogue, (), self._random)
        kept = own.datasets[: self._random.randint(0, _FEW)]
        self.made.repositories[name] = replace(own, datasets=kept)
        self.made.others.append(f"http://{name}/")
        self.made.listed[f"http://{name}/"] = catalogue

    def write(self) -> None:
        """Write the pages of all repositories, of their owners, and the copies."""
        for name, own in sorted(self.made.repositories.items()):
            links = [*self._partners(f"http://{name}/"), *self._owner(own)]
            social = self._random.choice(_SOCIAL)
            links.append((f"http://www.{social}.example/", social.title()))
            written = Writer(own, self._random, links).write()
            self.made.pages |= {f"{own.root}{path}": body for path, body in written.items()}
            if f"http://{name}/" in self.made.homes and self._random.random() < MIRRORED:
                self._mirror(own, written)
        for social in _SOCIAL:
            self.made.pages[f"http://www.{social}.example/"] = page(social, "Sign in to go on")

    def _partners(self, home: str) -> list[tuple[str, str]]:
        if self._random.random() >= PARTNERED:
            return []
        same = self._like(self.made.homes.get(home, ()), home)
        return [(url, "Partner") for url in self._some(same, 1, 2)]

    def _like(self, topics: Sequence[str], home: str = "") -> list[str]:
        """Return the repositories that share a topic."""
        return sorted(
            url
            for url, told in self.made.homes.items()
            if url != home and (set(told) & set(topics) or told == tuple(topics))
        )

    def _owner(self, own: Repository) -> list[tuple[str, str]]:
        """Make the site of a portal's owner: it talks of the same things and has no data."""
        if self._random.random() >= OWNED:
            return []
        home = f"http://www.office-{own.host.replace('.', '-')}.example/"
        menu = [(f"{home}{name}", name.title()) for name in self._random.sample(_SERVICES, 3)]
        words = own.text.split()
        for url, name in menu:
            self._random.shuffle(words)
            self.made.pages[url] = page(name, " ".join(words[:40]), [(home, "Home")])
        links = [*menu, (f"{own.root}/", "Open data")]
        self.made.pages[home] = page(f"Office of {own.name}", " ".join(words), links)
        self.made.others.append(home)
        return [(home, "Owner")]

    def _mirror(self, own: Repository, written: dict[str, str]) -> None:
        name = f"mirror.{own.host}"
        self.made.mirrors[name] = own.host
        for path, body in written.items():
            self.made.pages[f"http://{name}{path}"] = body.replace(own.root, f"http://{name}")

    def news(self, number: int, texts: Sequence[str]) -> None:
        """Make a site that writes about the topics, has no data, and links to who has."""
        home = f"http://www.daily{number}.example/"
        stories = [f"{home}story/{n}" for n in range(self._random.randint(3, 12))]
        portals = sorted(self.made.homes)
        for url in stories:
            words = " ".join(self._random.sample(list(texts), 2)).split()
            self._random.shuffle(words)
            named = self._some(portals, 0, MENTIONED)
            links = [(home, "Home"), *((url, "Source") for url in named)]
            self.made.pages[url] = page(" ".join(words[:5]), " ".join(words[:80]), links)
        links = [(url, "Read more") for url in stories]
        self.made.pages[home] = page(f"The Daily {number}", "Stories of the day", links)
        self.made.others.append(home)

    def hubs(self, count: int, topics: Sequence[str], others: Sequence[str]) -> None:
        """Make pages of links: to repositories of one topic, and to anything else."""
        copies = {own: name for name, own in self.made.mirrors.items()}
        for number in range(count):
            topic = topics[number % len(topics)]
            good = self._some(self._like([topic]), 3, 9)
            mirrored = [f"http://{copies[host(url)]}/" for url in good if host(url) in copies]
            links = [*good, *mirrored, *self._some(others, 3, 9)]
            self._list(f"http://links{number}.example/resources.html", topic, links)

    def lists(self, count: int, pages: Mapping[str, str]) -> None:
        """Make pages of links to pages of one label and of others. pages: their labels."""
        labels = sorted(set(pages.values()))
        for number in range(count):
            label = labels[number % len(labels)]
            good = self._some(sorted(u for u, told in pages.items() if told == label), 4, 12)
            links = [*good, *self._some(sorted(pages), 2, 6)]
            self._list(f"http://list{number}.example/links.html", f"{label} pages", links)

    def _some(self, urls: Sequence[str], fewest: int, most: int) -> list[str]:
        """Draw a few; what is well known is drawn more often."""
        drawn = {url: self._random.random() ** (1 / self._fame.get(url, 1.0)) for url in urls}
        return sorted(drawn, key=lambda url: -drawn[url])[: self._random.randint(fewest, most)]

    def _list(self, url: str, about: str, links: list[str]) -> None:
        self._random.shuffle(links)
        named = [(link, host(link)) for link in links]
        self.made.pages[url] = page("Useful links", f"A list of resources on {about}", named)
