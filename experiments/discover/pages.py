"""The pages of a generated repository, as its software writes them, by path."""

import json
import random

from experiments.discover.frames import FRAMES, PLAIN, WORDS, Frame, page
from experiments.discover.repository import SCRIPT, Dataset, Repository, files

#: Datasets on a page of a list.
EACH = 20
#: Pages that a portal has beside its data, with where most have them.
_MENUS = {
    "ckan": ("organization", "group", "about", "user/login"),
    "dkan": ("about", "topics", "blog", "contact"),
    "dataverse": ("dataverseuser.xhtml", "search-help", "terms", "support"),
    "geonetwork": ("about", "help", "legal", "contact"),
    "socrata": ("stories", "developers", "login", "video-guides"),
    "arcgishub": ("pages/about", "pages/contact", "apps", "events"),
}
_MENU = ("news", "events", "contact", "team", "projects", "publications")
#: Where the list of all datasets is.
_LISTS = {
    "ckan": "/dataset/",
    "dkan": "/search",
    "dataverse": "/dataverse/root",
    "geonetwork": "/geonetwork/srv/eng/catalog.search",
    "dspace": "/browse/title",
    "datasette": "/data",
    "socrata": "/browse?limitTo=datasets",
    "arcgishub": "/search",
    "opendatasoft": "/explore/",
    "inveniordm": "/search",
    "geonode": "/catalogue/",
}
#: Where the page of a dataset is.
_PAGES = {
    "dataverse": "/dataset.xhtml?persistentId=doi:10.5072/{id}",
    "geonetwork": "/geonetwork/srv/api/records/{id}",
    "dspace": "/handle/{id}",
    "datasette": "/data/{id}",
    "socrata": "/d/{uid}",
    "arcgishub": "/datasets/{hex}",
    "opendatasoft": "/explore/dataset/{id}/",
    "inveniordm": "/records/{id}",
    "geonode": "/datasets/{id}",
}
Links = list[tuple[str, str]]


def place(own: Repository, dataset: Dataset) -> str:
    """Return the path of the page of a dataset."""
    told = _PAGES.get(own.software, "/dataset/{id}")
    return told.format(id=dataset.id, uid=dataset.uid, hex=dataset.hex)


class Writer:
    """Writes the pages of one repository. partners: other sites that its home page links to."""

    def __init__(self, own: Repository, dice: random.Random, partners: Links) -> None:
        self._own, self._dice, self._partners = own, dice, partners
        self._words = WORDS.get(own.language, WORDS["EN"])
        self._first = _LISTS.get(own.software, "/datasets")
        if own.software == "custom":
            self._first = {1: "/", 3: "/themes"}.get(own.depth, "/datasets")
        self.pages: dict[str, str] = {}

    @property
    def frame(self) -> Frame:
        """What all pages have."""
        return FRAMES.get(self._own.software, PLAIN) if self._own.signed else PLAIN

    def write(self) -> dict[str, str]:
        """Return all pages."""
        own = self._own
        listed = [(place(own, each), each.title) for each in own.datasets]
        for dataset in own.datasets:
            self._dataset(dataset)
        way = self._hidden(listed) if own.software in SCRIPT else self._way(listed)
        names = _MENUS.get(own.software) or self._dice.sample(_MENU, 4)
        menu = [(f"/{name}", name.rpartition("/")[2].title()) for name in names]
        for path, name in menu:
            self._inner(path, name, [])
        self.pages["/"] = self._page(own.name, own.text, [*menu, *way, *self._partners])
        if own.sitemap:
            self.pages["/sitemap.xml"] = self._sitemap([path for path, _ in listed])
        return self.pages

    def _dataset(self, dataset: Dataset) -> None:
        own = self._own
        links = [(path, f"{self._words[1]} {kind.upper()}") for path, kind in files(own, dataset)]
        shown = [] if own.software in SCRIPT else links
        extra = self._markup(dataset, links) if own.markup else ""
        self._inner(place(own, dataset), dataset.title, shown, dataset.text, extra)

    def _way(self, listed: Links) -> Links:
        """Put lists between the home page and the datasets; return what the home page links to."""
        own, title = self._own, self._words[0]
        if own.software == "custom" and own.depth == 1:
            return listed
        first = _LISTS.get(own.software, "/datasets")
        parts = [listed[start : start + EACH] for start in range(0, len(listed) or 1, EACH)]
        paths = [first, *(f"{first}?page={n}" for n in range(2, len(parts) + 1))]
        for number, part in enumerate(parts):
            onward = [(paths[number + 1], "»")] if number + 1 < len(parts) else []
            self._inner(paths[number], title, [*part, *onward])
        if own.software == "custom" and own.depth == 3:
            self._inner("/themes", "Themes", [(first, title)])
            return [("/themes", "Themes")]
        return [(first, title)]

    def _hidden(self, listed: Links) -> Links:
        """Scripts would fill the list: it is a frame; some of the datasets may be featured."""
        own = self._own
        first = _LISTS[own.software]
        self._inner(first, self._words[0], [])
        featured = listed[: self._dice.choice((0, 0, 3, 6))]
        if not own.listed:
            return [(first, self._words[0]), *featured]
        direct = [
            (path, f"{each.title} {kind.upper()}")
            for each in own.datasets
            for path, kind in files(own, each)
        ]
        self._inner("/pages/downloads", self._words[1], direct)
        return [(first, self._words[0]), ("/pages/downloads", self._words[1]), *featured]

    def _inner(self, path: str, name: str, links: Links, text: str = "", extra: str = "") -> None:
        """Write a page within the site: it bears the site's name and some of its words."""
        words = self._own.text.split()
        start = self._dice.randrange(max(1, len(words) - 12))
        text = text or " ".join(words[start : start + self._dice.randint(12, 40)])
        title = f"{name} - {self._own.name}"
        menu = [("/", self._own.name), (self._first, self._words[0])]  # on every page
        self.pages[path] = self._page(title, text, [*menu, *links], extra)

    def _page(self, title: str, text: str, links: Links, extra: str = "") -> str:
        return page(title, text, links, self.frame, self._own.language, extra)

    def _markup(self, dataset: Dataset, links: Links) -> str:
        """Return the dataset in the words of schema.org."""
        root = self._own.root
        shares = [{"@type": "DataDownload", "contentUrl": f"{root}{path}"} for path, _ in links]
        told = {
            "@context": "https://schema.org/",
            "@type": "Dataset",
            "name": dataset.title,
            "description": dataset.text,
            "dateModified": dataset.modified,
            "distribution": shares,
        }
        said = json.dumps(told, ensure_ascii=False).replace("<", "\\u003c")
        return f'<script type="application/ld+json">{said}</script>'

    def _sitemap(self, paths: list[str]) -> str:
        root = self._own.root
        places = "".join(
            f"<url><loc>{root}{path.replace('&', '&amp;')}</loc></url>" for path in ("/", *paths)
        )
        space = "http://www.sitemaps.org/schemas/sitemap/0.9"
        return f'<?xml version="1.0"?><urlset xmlns="{space}">{places}</urlset>'
