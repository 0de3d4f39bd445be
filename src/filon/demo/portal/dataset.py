"""The page of a dataset: what it is, its files, a preview, what is near."""

from collections.abc import Sequence

from filon.demo.answer import Answer
from filon.demo.choice import draw, pick, shuffled
from filon.demo.html import Html, el, link
from filon.demo.portal.catalogue import DATASETS, Dataset, File, files, lost, table
from filon.demo.portal.layout import section_name, show
from filon.demo.portal.places import path
from filon.demo.words import REGIONS, SENTENCES, both, say

_FILES = both("Files", "Fichiers")
_PREVIEW = both("Preview", "Aperçu")
_RELATED = both("Related datasets", "Données voisines")
_METHOD = both("Methodological note (PDF)", "Note méthodologique (PDF)")
_ARCHIVED = both("Archived edition", "Édition archivée")
_DOWNLOAD = both("Download", "Télécharger")


def find(lang: str, slug: str) -> Dataset | None:
    """Return the dataset of that name in URLs."""
    return next((dataset for dataset in DATASETS if dataset.slug(lang) == slug), None)


def answer(lang: str, slug: str) -> Answer | None:
    """Answer with the page of a dataset."""
    dataset = find(lang, slug)
    if dataset is None:
        return None
    shown = files(dataset)
    topic = dataset.topic
    return show(
        lang,
        "datasets",
        say(lang, dataset.title),
        el(
            "article.dataset",
            el("p.lead", describe(lang, dataset)),
            el("section.resources", el("h2", say(lang, _FILES)), _resources(lang, dataset, shown)),
            el("section.preview", el("h2", say(lang, _PREVIEW)), _preview(shown[0])),
        ),
        _related(lang, dataset),
        there=both(
            path("en", "datasets", dataset.slug("en")), path("fr", "datasets", dataset.slug("fr"))
        ),
        crumbs=[
            (path(lang, "datasets"), section_name("datasets", lang)),
            (path(lang, "topics", topic.key), say(lang, topic.name)),
        ],
    )


def describe(lang: str, dataset: Dataset) -> str:
    """Return two sentences on a dataset."""
    first, second = shuffled(SENTENCES, dataset.key, "sentences")[:2]
    filled = {
        "subject": say(lang, dataset.title),
        "region": say(lang, pick(REGIONS, dataset.key)),
        "year": dataset.latest,
    }
    return f"{say(lang, first)} {say(lang, second)}".format(**filled)


def _resources(lang: str, dataset: Dataset, shown: Sequence[File]) -> Html:
    offers = [(file.where, _label(file)) for file in shown]
    offers += [(where, say(lang, _ARCHIVED)) for where in lost(dataset)]
    items = [
        el(
            "li.resource",
            el("span.resource-name", label),
            link(where, say(lang, _DOWNLOAD), "a.download"),
        )
        for where, label in offers
    ]
    if has_note(dataset):
        items.append(el("li.note", link(note_path(lang, dataset), say(lang, _METHOD))))
    return el("ul.resource-list", *items)


def _label(file: File) -> str:
    tongue = {"en": ", English", "fr": ", français"}.get(file.lang, "")
    return f"{file.kind.upper()}, {file.year}{tongue}"


def has_note(dataset: Dataset) -> bool:
    """Say whether the dataset has a methodological note."""
    return draw(4, dataset.key, "note") == 0


def note_path(lang: str, dataset: Dataset) -> str:
    """Return where the methodological note is."""
    return f"/documents/{lang}/{dataset.key}-method.pdf"


def _preview(file: File) -> Html:
    first, *rows = table(file).lines[:4]
    return el(
        "table.figures",
        el("tr", *(el("th", str(cell)) for cell in first)),
        *(el("tr", *(el("td", str(cell)) for cell in row)) for row in rows),
    )


def _related(lang: str, dataset: Dataset) -> Html:
    near = [other for other in DATASETS if other.topic is dataset.topic and other != dataset]
    items = (
        el("li", link(path(lang, "datasets", other.slug(lang)), say(lang, other.title)))
        for other in shuffled(near, dataset.key, "near")[:2]
    )
    return el("section.related", el("h2", say(lang, _RELATED)), el("ul.related-list", *items))
