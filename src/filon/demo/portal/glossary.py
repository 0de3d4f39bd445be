"""The glossary: a page a letter, a page a term."""

from filon.demo.answer import Answer
from filon.demo.choice import shuffled
from filon.demo.html import Html, el, link, slug
from filon.demo.portal.layout import section_name, show
from filon.demo.portal.places import path
from filon.demo.terms import TERMS
from filon.demo.words import Both, both, say

_SEE = both("See also", "Voir aussi")
Term = tuple[Both, Both]


def answer(lang: str, rest: tuple[str, ...]) -> Answer | None:
    """Answer with the letters, the terms of a letter, or a term."""
    if not rest:
        return _letters(lang)
    if len(rest) > 1:
        return None
    if rest[0] in letters(lang):
        return _letter(lang, rest[0])
    found = [term for term in TERMS if slug(say(lang, term[0])) == rest[0]]
    return _term(lang, found[0]) if found else None


def letters(lang: str) -> list[str]:
    """Return the letters with which terms begin."""
    return sorted({slug(say(lang, name))[0] for name, _ in TERMS})


def _letters(lang: str) -> Answer:
    items = (
        el("li", link(path(lang, "glossary", letter), letter.upper())) for letter in letters(lang)
    )
    return show(
        lang,
        "glossary",
        section_name("glossary", lang),
        el("ul.letters", *items),
        there=both(path("en", "glossary"), path("fr", "glossary")),
    )


def _letter(lang: str, letter: str) -> Answer:
    terms = [term for term in TERMS if slug(say(lang, term[0])).startswith(letter)]
    return show(
        lang,
        "glossary",
        letter.upper(),
        el("dl.terms", *(el("dt.term", _link(lang, term)) for term in terms)),
        there=both(path("en", "glossary"), path("fr", "glossary")),
        crumbs=[_crumb(lang)],
    )


def _term(lang: str, term: Term) -> Answer:
    name, definition = term
    near = shuffled([other for other in TERMS if other != term], name.en)[:3]
    return show(
        lang,
        "glossary",
        say(lang, name),
        el("p.definition", say(lang, definition)),
        el("p.see-also", f"{say(lang, _SEE)} ", *(_link(lang, other) for other in near)),
        there=both(*(path(other, "glossary", slug(say(other, name))) for other in ("en", "fr"))),
        crumbs=[_crumb(lang)],
    )


def _link(lang: str, term: Term) -> Html:
    name = say(lang, term[0])
    return link(path(lang, "glossary", slug(name)), name)


def _crumb(lang: str) -> tuple[str, str]:
    return path(lang, "glossary"), section_name("glossary", lang)
