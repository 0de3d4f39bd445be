"""An acquisition with its parts: the runs of which it is made, and the web that they share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from filon.core import Web
from filon.verbs.acquire import AcquireSettings
from filon.verbs.acquire.index import DISCOVER, Site
from filon.verbs.acquire.known import pages
from filon.verbs.acquire.part import Part
from filon.verbs.acquire.scope import Sites
from filon.verbs.job import Plan, about, live_options
from filon.verbs.option import kind_of, options_of
from filon.verbs.registry import VERBS
from filon.verbs.settings import SHARED, Settings, one_of
from filon.web.live import Live
from filon.web.polite import Polite

#: What stands for yes and no.
_SAID = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}
#: What the whole says for all its runs, or of each of them.
_SET_HERE = {
    "harvest": frozenset({*SHARED, "url", "more_urls", "sites", "per_site"} - {"set"}),
    "discover": frozenset({*SHARED, "topic"} - {"set"}),
}


class AcquireJob(Plan):
    """What is to be acquired, ready to begin."""

    settings: AcquireSettings

    def __init__(self, settings: AcquireSettings) -> None:
        super().__init__(settings)
        self._harvest, self._discover = VERBS.find("harvest")(), VERBS.find("discover")()
        for url in settings.sites[:1] or ("https://example.org/",):
            self._harvesting(url)  # it refuses what it does not understand
        if settings.topic:
            self._found = self._discover.prepare(self._discovering())

    def _harvesting(self, url: str, read: Sequence[str] = ()) -> Settings:
        """Return the settings of a harvest. read: pages of the site that are at hand."""
        more = _meant(self._harvest.settings, "harvest", self.settings.harvest)
        if not more.get("depth"):  # which is counted from where a harvest starts
            more = {"more_urls": tuple(read), **more}
        words = {"url": url, **self.settings.harvesting(), **more}
        made: Settings = self._harvest.settings.from_words(words)
        return made

    def _discovering(self) -> Settings:
        more = _meant(self._discover.settings, "discover", self.settings.discover)
        made: Settings = self._discover.settings.from_words({**self.settings.discovering(), **more})
        return made

    def first_sites(self, known: Sites) -> list[Site]:
        """Return the runs to begin with that are not known yet."""
        sites = [site for url in self.settings.sites if (site := known.given(url))]
        if self.settings.topic and DISCOVER not in known:
            why = f"sites are looked for that have files on “{self.settings.topic}”"
            discovery = Site(name=DISCOVER, kind="discovery", why=why)
            known.keep(discovery)
            sites.append(discovery)
        return sites

    def maker(self, folder: Path) -> Callable[[Site], Part]:
        """Return what makes the run of a site, in the folder of the whole."""
        changes = self.settings.shared()

        def make(site: Site) -> Part:
            path = folder / site.path
            if site.kind == "discovery":
                width = int(self.settings.discovering()["parallel"])
                return Part(site, path, self._discover, self._discovering, changes, width=width)

            return Part(site, path, self._harvest, lambda: self.harvesting(folder, site), changes)

        return make

    def harvesting(self, folder: Path, site: Site) -> Settings:
        """Return the settings of the harvest of a site, in the folder of the whole."""
        return self._harvesting(site.url, pages(folder / DISCOVER, site.url))

    def web(self, spool_dir: Path) -> Web:
        """Return the web that all runs share: one request at a time to a host."""
        settings = self.settings
        options = live_options(settings, settings.url, spool_dir)
        options = replace(options, allow_hosts=settings.sites, connections_per_host=1)
        if settings.max_size:
            options = replace(options, max_bytes=settings.max_size)
        return Polite(Live(options), delay_s=settings.delay, per_host=1)

    def check(self, folder: Path) -> None:
        """Put the parts together."""
        self.web(folder / "spool")

    def first_urls(self) -> list[str]:
        """Return the addresses that are asked for first."""
        return list(self.settings.sites) or list(self._found.first_urls())

    @property
    def what(self) -> str:
        """What is done, in words."""
        return about(self.settings, "the files of", "site", self.settings.sites)

    @property
    def greeting(self) -> Sequence[str]:
        """Who is asked for sites."""
        return self._found.greeting if self.settings.topic else ()

    @property
    def terms(self) -> Sequence[str]:
        """The same for a dry run."""
        return self._found.terms if self.settings.topic else ()

    _found: Any = None


def _meant(settings: type[Settings], verb: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings of a verb as they were meant; what is typed is text, or a number."""
    known = {
        entry.name: kind_of(entry)
        for entry in fields(settings)
        if options_of(entry) and entry.name not in _SET_HERE[verb]
    }
    meant: dict[str, Any] = {}
    for typed, value in given.items():
        name = typed.replace("-", "_")
        one_of(f"setting for --{verb}", name, tuple(known))
        if known[name] is int and isinstance(value, float) and value.is_integer():
            value = int(value)
        elif known[name] is bool and str(value).lower() in _SAID:
            value = _SAID[str(value).lower()]
        meant[name] = value
    return meant
