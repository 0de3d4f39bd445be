"""Where things are: the paths of the portal in each language, and back."""

from typing import NamedTuple
from urllib.parse import quote, urlencode

from filon.demo.words import LANGUAGES, Both, both, say

HOST = "statistics.test"
START = f"http://{HOST}/"

SECTIONS: dict[str, Both] = {
    "home": both("", ""),
    "datasets": both("datasets", "donnees"),
    "topics": both("topics", "themes"),
    "publications": both("publications", "publications"),
    "news": both("news", "actualites"),
    "calendar": both("calendar", "calendrier"),
    "glossary": both("glossary", "glossaire"),
    "staff": both("staff", "equipe"),
    "about": both("about", "a-propos"),
    "selection": both("selection", "selection"),
}


class Place(NamedTuple):
    """A page of a section in a language; `rest` is the path behind the section's word."""

    lang: str
    section: str
    rest: tuple[str, ...] = ()


def path(lang: str, section: str, *rest: object, **query: object) -> str:
    """Return the path of a place; parameters that are empty are left out.

    >>> path("fr", "datasets", topic="health", year="", page=2)
    '/fr/donnees?topic=health&page=2'
    """
    word = say(lang, SECTIONS[section])
    steps = [lang, *([word] if word else []), *map(str, rest)]
    parameters = urlencode({key: value for key, value in query.items() if value})
    home = "/" if section == "home" else ""
    return "/" + "/".join(map(quote, steps)) + home + (f"?{parameters}" if parameters else "")


def read(path: str) -> Place | None:
    """Return the place at a path, if a section is there.

    >>> read("/fr/donnees/x")
    Place(lang='fr', section='datasets', rest=('x',))
    """
    lang, *steps = path.removeprefix("/").split("/")
    if lang not in LANGUAGES or not steps:
        return None
    word, *rest = steps
    for section, words in SECTIONS.items():
        if say(lang, words) == word:
            return Place(lang, section, tuple(rest))
    return None
