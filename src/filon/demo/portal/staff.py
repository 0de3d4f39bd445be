"""Who is who: a page a department, a page a person."""

from collections.abc import Sequence

from filon.demo.answer import Answer
from filon.demo.choice import pick
from filon.demo.html import el, link, slug
from filon.demo.portal.layout import section_name, show
from filon.demo.portal.places import path
from filon.demo.subjects import TOPICS, Topic
from filon.demo.words import FIRST_NAMES, JOBS, LAST_NAMES, both, say

PEOPLE_EACH = 5
_TEAM = both("Team", "Équipe")


def people(topic: Topic) -> list[str]:
    """Return the names of those who work on a topic."""
    place = TOPICS.index(topic)
    return [
        f"{pick(FIRST_NAMES, topic.key, i)} {LAST_NAMES[(PEOPLE_EACH * place + i) % 20]}"
        for i in range(PEOPLE_EACH)
    ]


def answer(lang: str, rest: tuple[str, ...]) -> Answer | None:
    """Answer with the departments, a department, or a person."""
    topic = next((topic for topic in TOPICS if rest and topic.key == rest[0]), None)
    if not rest:
        items = (
            el("li.department", link(path(lang, "staff", topic.key), say(lang, topic.name)))
            for topic in TOPICS
        )
        return _show(lang, (), section_name("staff", lang), el("ul.departments", *items))
    if topic is None:
        return None
    if len(rest) == 1:
        cards = (
            el("div.card", el("h3", link(path(lang, "staff", topic.key, slug(name)), name)))
            for name in people(topic)
        )
        title = f"{say(lang, _TEAM)} : {say(lang, topic.name)}"
        return _show(lang, rest, title, el("div.people", *cards))
    return _person(lang, topic, rest)


def _person(lang: str, topic: Topic, rest: tuple[str, ...]) -> Answer | None:
    name = next((name for name in people(topic) if slug(name) == rest[1]), "")
    if not name or len(rest) > 2:
        return None
    mail = f"{slug(name).replace('-', '.')}@statistics.test"
    return _show(
        lang,
        rest,
        name,
        el("p.job", f"{say(lang, pick(JOBS, name))}, {say(lang, topic.name)}"),
        el("p.mail", link(f"mailto:{mail}", mail)),
    )


def _show(lang: str, rest: Sequence[str], title: str, *main: str) -> Answer:
    crumbs = [(path(lang, "staff"), section_name("staff", lang))] if rest else []
    if len(rest) > 1:
        crumbs.append((path(lang, "staff", rest[0]), rest[0].title()))
    there = both(path("en", "staff", *rest), path("fr", "staff", *rest))
    return show(lang, "staff", title, *main, there=there, crumbs=crumbs)
