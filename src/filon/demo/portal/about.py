"""The home page, the topics, and pages about the office."""

from filon.demo.answer import Answer, page
from filon.demo.html import Html, document, el, link, slug
from filon.demo.portal import news
from filon.demo.portal.catalogue import DATASETS, Dataset, files
from filon.demo.portal.layout import section_name, show
from filon.demo.portal.places import path
from filon.demo.subjects import TOPICS, Topic
from filon.demo.words import COUNTRY, LANGUAGES, OFFICE, Both, both, say

_LATEST = both("Latest news", "Dernières actualités")
_POPULAR = both("Most downloaded", "Les plus téléchargés")
_NEW = both("New data", "Nouvelles données")
_ALL_OF = both("All datasets of this topic", "Tous les jeux de données de ce thème")
_WELCOME = both(
    "Figures on the people, the economy and the environment of Orvania.",
    "Des chiffres sur la population, l'économie et l'environnement de l'Orvanie.",
)
_PAGES: tuple[tuple[Both, Both], ...] = (
    (
        both("Contact", "Contact"),
        both("Write to us, or call on weekdays.", "Écrivez-nous, ou appelez en semaine."),
    ),
    (
        both("Careers", "Emplois"),
        both("We look for curious people.", "Nous cherchons des personnes curieuses."),
    ),
    (
        both("Quality", "Qualité"),
        both("Figures are checked twice.", "Les chiffres sont vérifiés deux fois."),
    ),
    (
        both("Legal notice", "Mentions légales"),
        both("Use the data, name the source.", "Les données sont libres, citez leur source."),
    ),
    (
        both("Privacy", "Vie privée"),
        both("Answers to surveys stay secret.", "Les réponses aux enquêtes restent secrètes."),
    ),
    (
        both("Accessibility", "Accessibilité"),
        both("No mouse is needed here.", "Ces pages se consultent sans souris."),
    ),
)


def splash() -> Answer:
    """Answer with the page before all others: the choice of a language, and what most come for."""
    languages = (
        el("li", link(path(lang, section), f"{say(lang, OFFICE)}: {section_name(section, lang)}"))
        for lang in LANGUAGES
        for section in ("home", "news", "about")
    )
    popular = (
        el(
            "li",
            link(file.where, f"{say('en', dataset.title)} ({file.kind.upper()})", "a.download"),
        )
        for dataset in DATASETS[2:8]
        for file in files(dataset)[-1:]
    )
    body = el(
        "body.splash",
        el("ul.choose-language", *languages),
        el("section.popular", el("h2", say("en", _POPULAR)), el("ul", *popular)),
    )
    return page(document("en", say("en", OFFICE), "", body))


def home(lang: str) -> Answer:
    """Answer with the home page."""
    stories = (news.teaser(lang, item) for item in news.ITEMS[:4])
    cards = (el("li.card", _link(lang, dataset)) for dataset in DATASETS[3::16])
    return show(
        lang,
        "home",
        say(lang, OFFICE),
        el("p.welcome", say(lang, _WELCOME)),
        el("section.latest", el("h2", say(lang, _LATEST)), el("ul.news-list", *stories)),
        el("section.new-data", el("h2", say(lang, _NEW)), el("ul.cards", *cards)),
        el("p.key-figure", f"{say(lang, COUNTRY)} : 4 812 300"),
        there=both(path("en", "home"), path("fr", "home")),
    )


def _link(lang: str, dataset: Dataset) -> Html:
    return link(path(lang, "datasets", dataset.slug(lang)), say(lang, dataset.title))


def topics(lang: str, rest: tuple[str, ...]) -> Answer | None:
    """Answer with the list of topics or with one."""
    if not rest:
        items = (
            el("li.topic", link(path(lang, "topics", topic.key), say(lang, topic.name)))
            for topic in TOPICS
        )
        there = both(path("en", "topics"), path("fr", "topics"))
        title = section_name("topics", lang)
        return show(lang, "topics", title, el("ul.topics", *items), there=there)
    found = [topic for topic in TOPICS if rest == (topic.key,)]
    return _topic(lang, found[0]) if found else None


def _topic(lang: str, topic: Topic) -> Answer:
    everything = path(lang, "datasets", topic=topic.key)
    stories = [item for item in news.ITEMS if item.dataset.topic is topic][:3]
    return show(
        lang,
        "topics",
        say(lang, topic.name),
        el("ul.news-list", *(news.teaser(lang, item) for item in stories)),
        el("p.all-data", link(everything, say(lang, _ALL_OF))),
        there=both(path("en", "topics", topic.key), path("fr", "topics", topic.key)),
        crumbs=[(path(lang, "topics"), section_name("topics", lang))],
    )


def about(lang: str, rest: tuple[str, ...]) -> Answer | None:
    """Answer with the pages about the office."""
    title = section_name("about", lang)
    if not rest:
        items = (
            el("li", link(path(lang, "about", slug(say(lang, name))), say(lang, name)))
            for name, _ in _PAGES
        )
        there = both(path("en", "about"), path("fr", "about"))
        return show(lang, "about", title, el("ul.about-pages", *items), there=there)
    found = [pair for pair in _PAGES if rest == (slug(say(lang, pair[0])),)]
    if not found:
        return None
    name, content = found[0]
    there = both(*(path(other, "about", slug(say(other, name))) for other in ("en", "fr")))
    crumbs = [(path(lang, "about"), title)]
    paragraph = el("p", say(lang, content))
    return show(lang, "about", say(lang, name), paragraph, there=there, crumbs=crumbs)
