"""Generated sites around real descriptions of catalogues: repositories and what is round them.

Names, descriptions, languages and software are the registry's; pages, files and links are made
up, by the seed alone.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from filon.bench.discover.frames import page
from filon.bench.discover.pages import Writer
from filon.bench.discover.repository import Repository, host_of, make

#: Portals whose owner has a site of his own that links to it; that link to others of the topic;
#: that stand at a second address too.
OWNED, PARTNERED, MIRRORED = 0.5, 1 / 3, 0.06
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

    def repository(self, catalogue: dict[str, Any], topics: Sequence[str]) -> None:
        """Make a site that has data. topics: those of ours that it is about."""
        name = host_of(catalogue)
        if not name or name in self.made.repositories:
            return
        self.made.repositories[name] = make(catalogue, tuple(topics), self._random)
        self.made.homes[f"http://{name}/"] = tuple(topics)
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
        chosen = self._random.sample(same, min(len(same), self._random.randint(1, 2)))
        return [(url, "Partner") for url in chosen]

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

    def hubs(self, count: int, topics: Sequence[str], others: Sequence[str]) -> None:
        """Make pages of links: mostly to repositories of one topic, and to anything else."""
        copies = {own: name for name, own in self.made.mirrors.items()}
        for number in range(count):
            topic = topics[number % len(topics)]
            same = self._like([topic])
            good = self._random.sample(same, min(len(same), self._random.randint(3, 12)))
            bad = self._random.sample(list(others), min(len(others), self._random.randint(2, 8)))
            links = [(url, urlsplit(url).netloc) for url in (*good, *bad)]
            links += [
                (f"http://{copies[name]}/", "Mirror")
                for url in good
                if (name := urlsplit(url).netloc) in copies
            ]
            self._random.shuffle(links)
            url = f"http://links{number}.example/resources.html"
            self.made.pages[url] = page("Useful links", f"A list of resources on {topic}", links)
