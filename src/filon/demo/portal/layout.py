"""What all pages of the portal share: header, menu, bread crumbs, footer."""

from collections.abc import Iterable

from filon.demo.answer import Answer, page
from filon.demo.html import Html, document, el, join, link
from filon.demo.portal.places import path
from filon.demo.words import LANGUAGES, OFFICE, Both, both, say

_MENU = {
    "datasets": both("Data", "Données"),
    "topics": both("Topics", "Thèmes"),
    "publications": both("Publications", "Publications"),
    "news": both("News", "Actualités"),
    "calendar": both("Release calendar", "Calendrier de diffusion"),
    "about": both("About us", "Qui sommes-nous"),
}
_FOOTER = {
    "glossary": both("Glossary", "Glossaire"),
    "staff": both("Who is who", "Annuaire"),
    "selection": both("My selection", "Ma sélection"),
}
_NAMES = {"en": "English", "fr": "Français"}
_HOME = both("Home", "Accueil")
_SEARCH = both("Search", "Recherche")
_STAFF_ONLY = both("Staff login", "Accès réservé")
_FRIENDS = (
    ("http://clearwater.test/", "Clear Water Watch"),
    ("http://datanotes.test/", "Data Notes"),
)


def section_name(section: str, lang: str) -> str:
    """Return a section's name as the menus say it."""
    return say(lang, (_MENU | _FOOTER).get(section, _HOME))


def show(
    lang: str,
    section: str,
    title: str,
    *main: str,
    there: Both,
    crumbs: Iterable[tuple[str, str]] = (),
    aside: str = "",
    head: str = "",
    status: int = 200,
) -> Answer:
    """Answer with a page of the portal.

    there: its path in each language.
    crumbs: paths and labels between the home page and this one.
    aside: what stands beside the main part.
    """
    body = el(
        f"body.lang-{lang}.section-{section}",
        _header(lang, there),
        el(
            "div.container#page",
            _crumbs(lang, crumbs, title),
            el("div.columns", aside, el("main#content", el("h1", title), *main)),
        ),
        _footer(lang),
    )
    return page(
        document(lang, f"{title} | {say(lang, OFFICE)}", _head(lang, there, head), body), status
    )


def _head(lang: str, there: Both, more: str) -> Html:
    alternates = (
        el("link", rel="alternate", hreflang=other, href=say(other, there))
        for other in LANGUAGES
        if other != lang
    )
    return join(
        el("link", rel="stylesheet", href="/static/site.css"),
        el("link", rel="alternate", type="application/rss+xml", href=f"/{lang}/rss.xml"),
        *alternates,
        more,
    )


def _header(lang: str, there: Both) -> Html:
    menu = (
        el("li.menu-item", link(path(lang, section), say(lang, name)))
        for section, name in _MENU.items()
    )
    languages = (
        el("li", link(say(other, there), _NAMES[other])) for other in LANGUAGES if other != lang
    )
    image = el("img", src="/static/logo.svg", alt=say(lang, OFFICE))
    logo = el("a.logo", image, href=path(lang, "home"))
    return el(
        "header.site-header",
        el(
            "div.container",
            logo,
            el("ul.languages", *languages),
            el("nav.main-menu", el("ul.menu", *menu)),
            el("p.tools", link(f"/search?lang={lang}", say(lang, _SEARCH), "a.search")),
        ),
    )


def _crumbs(lang: str, crumbs: Iterable[tuple[str, str]], title: str) -> Html:
    steps = [(path(lang, "home"), say(lang, _HOME)), *crumbs]
    items = (el("li", link(where, label)) for where, label in steps)
    return el("nav.breadcrumbs", el("ol", *items, el("li.current", title)))


def _footer(lang: str) -> Html:
    inside = (
        el("li", link(path(lang, section), say(lang, name))) for section, name in _FOOTER.items()
    )
    friends = (el("li", link(where, label)) for where, label in _FRIENDS)
    return el(
        "footer.site-footer",
        el("ul.footer-links", *inside),
        el("ul.partners", *friends),
        el("p.small", link("/admin/login", say(lang, _STAFF_ONLY))),
    )


def pager(lang: str, where: dict[int, str], current: int) -> Html:
    """Return links to the pages of a list: the neighbours, as most portals show them."""
    words = {
        current - 1: ("prev", both("Previous", "Précédent")),
        current + 1: ("next", both("Next", "Suivant")),
    }
    items = [
        el("li", link(where[number], say(lang, label), f"a.{kind}"))
        for number, (kind, label) in words.items()
        if number in where
    ]
    return el("nav.pager", el("ul.pagination", *items)) if items else Html("")
