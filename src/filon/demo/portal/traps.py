"""Two traps that real sites have: a calendar without end, an address that changes at each visit."""

from filon.demo.answer import Answer, Query
from filon.demo.choice import pick, token
from filon.demo.html import el, link
from filon.demo.portal.catalogue import DATASETS
from filon.demo.portal.layout import section_name, show
from filon.demo.portal.places import path
from filon.demo.words import MONTHS, Both, both, say

TODAY = (2024, 6)
_BEFORE, _AFTER = both("Month before", "Mois précédent"), both("Next month", "Mois suivant")
_EMPTY = both("Your selection is empty.", "Votre sélection est vide.")
_REFRESH, _PRINT = both("Refresh", "Actualiser"), both("Print", "Imprimer")


def calendar(lang: str, rest: tuple[str, ...]) -> Answer | None:
    """Answer with a month of the release calendar; there is always a month after it."""
    if rest and (len(rest) != 2 or not all(step.isdecimal() for step in rest)):
        return None
    year, month = (int(step) for step in rest) if rest else TODAY
    if not 1 <= month <= 12 or not 2020 <= year <= 9999:
        return None
    title = f"{section_name('calendar', lang)}, {say(lang, MONTHS[month - 1])} {year}"
    planned = (
        el("li.release", f"{day}. {say(lang, pick(DATASETS, year, month, day).title)}")
        for day in (5, 14, 26)
    )
    steps = [
        (_AFTER, *divmod(year * 12 + month, 12)),
        (_BEFORE, *divmod(year * 12 + month - 2, 12)),
    ]
    months = (
        el("li", link(path(lang, "calendar", y, f"{m + 1:02}"), say(lang, label)))
        for label, y, m in steps
        if 2020 <= y <= 9999
    )
    return show(
        lang,
        "calendar",
        title,
        el("ol.releases", *planned),
        el("nav.months", el("ul", *months)),
        there=both(path("en", "calendar", *rest), path("fr", "calendar", *rest)),
    )


def selection(lang: str, rest: tuple[str, ...], query: Query) -> Answer | None:
    """Answer with the visitor's empty basket under a session that is new each time."""
    if rest:
        return None
    sid = token("session", lang, *sorted(query.items()))
    return show(
        lang,
        "selection",
        section_name("selection", lang),
        el("p.empty", say(lang, _EMPTY)),
        el(
            "ul.actions",
            el("li", link(_session(lang, sid), say(lang, _REFRESH))),
            el("li", link(_session(lang, sid, view="print"), say(lang, _PRINT))),
        ),
        there=_everywhere(sid),
    )


def _session(lang: str, sid: str, **query: str) -> str:
    return path(lang, "selection", sid=sid, **query)


def _everywhere(sid: str) -> Both:
    return both(_session("en", sid), _session("fr", sid))
