"""A statistics office's portal: some 800 pages in two languages, and what they hide."""

from filon.demo.answer import Answer, Query
from filon.demo.html import el, link
from filon.demo.portal import (
    about,
    catalogue,
    dataset,
    glossary,
    listing,
    machines,
    news,
    publications,
    staff,
    traps,
)
from filon.demo.portal.layout import show
from filon.demo.portal.places import HOST, START, Place, path, read
from filon.demo.words import both, say

__all__ = ["HOST", "START", "answer"]
_GONE = both("Page not found", "Page introuvable")
_BACK = both("Back to the home page", "Retour à l'accueil")


def answer(where: str, query: Query) -> Answer:
    """Answer to a path and its parameters, as the portal's server would."""
    if where == "/":
        return about.splash()
    place = read(where)
    found = (
        machines.answer(where)
        or catalogue.answer(where)
        or publications.document(where)
        or (place and _section(place, query))
    )
    return found or _missing(place.lang if place else "en")


def _section(place: Place, query: Query) -> Answer | None:
    lang, section, rest = place
    match section:
        case "home":
            return None if rest else about.home(lang)
        case "datasets":
            return dataset.answer(lang, "/".join(rest)) if rest else listing.answer(lang, query)
        case "topics":
            return about.topics(lang, rest)
        case "publications":
            return publications.answer(lang, rest, query)
        case "news":
            return news.answer(lang, rest, query)
        case "calendar":
            return traps.calendar(lang, rest)
        case "glossary":
            return glossary.answer(lang, rest)
        case "staff":
            return staff.answer(lang, rest)
        case "selection":
            return traps.selection(lang, rest, query)
        case _:
            return about.about(lang, rest)


def _missing(lang: str) -> Answer:
    back = el("p", link(path(lang, "home"), say(lang, _BACK)))
    there = both(path("en", "home"), path("fr", "home"))
    return show(lang, "home", say(lang, _GONE), back, there=there, status=404)
