"""data.statistics.test: the datasets of the office and their yearly editions, by 303 and Turtle."""

from functools import cache

from filon.demo.answer import Answer, page, redirect, text
from filon.demo.choice import draw, pick
from filon.demo.linked import atlas, people
from filon.demo.linked.things import DATA, VOCABULARY, Thing, turtle, wants_rdf
from filon.demo.linked.things import page as frame
from filon.demo.portal.catalogue import DATASETS, Dataset, files
from filon.demo.portal.places import HOST, path

_HOME = f"http://{DATA}"
CATALOGUE = "catalogue"


def answer(where: str, accept: str) -> Answer:
    """Send visitors on from a thing to its data or its page, and show these."""
    kind, _, name = where.removeprefix("/").partition("/")
    if kind == "id" and name in things():
        return redirect(f"/data/{name}.ttl" if wants_rdf(accept) else f"/page/{name}", 303)
    if kind == "data" and name.removesuffix(".ttl") in things():
        return text("text/turtle; charset=utf-8", turtle([things()[name.removesuffix(".ttl")]]))
    if kind == "page" and name in things():
        return page(frame(things()[name].title, "<p>The figures are in the portal.</p>"))
    return text("text/plain", "There is nothing here.\n", 404)


@cache
def things() -> dict[str, Thing]:
    """Return everything that has an address here, by its name."""
    found = {CATALOGUE: _catalogue()}
    for dataset in DATASETS:
        found[f"dataset/{dataset.key}"] = _dataset(dataset)
        for year in dataset.years:
            found[f"edition/{dataset.code}-{year}"] = _edition(dataset, year)
    return found


def truth() -> dict[str, int]:
    """Return the documents with RDF and their triples."""
    return {f"{_HOME}/data/{name}.ttl": len(thing.triples()) for name, thing in things().items()}


def _catalogue() -> Thing:
    links = [("dataset", _id(f"dataset/{one.key}")) for one in DATASETS if draw(3, one.key) == 0]
    links += [("portal", f"http://{HOST}/"), ("topics", f"http://{VOCABULARY}/topics")]
    return Thing(_id(CATALOGUE), "Catalogue", "The datasets of Statistics Orvania", links)


def _dataset(dataset: Dataset) -> Thing:
    near = [one for one in DATASETS if one.topic is dataset.topic and one != dataset][:2]
    following = DATASETS[(DATASETS.index(dataset) + 1) % len(DATASETS)]
    links = [
        # What a description mentions first is what people look at: pages and files.
        ("page", f"http://{HOST}{path('en', 'datasets', dataset.slug('en'))}"),
        ("page", f"http://{HOST}{path('fr', 'datasets', dataset.slug('fr'))}"),
        *(("download", f"http://{HOST}{file.where}") for file in files(dataset)[:4]),
        ("archived", f"http://{DATA}/old/{dataset.code}"),
        ("topic", f"http://{VOCABULARY}/topics#{dataset.topic.key}"),
        ("contact", people.uri(draw(people.COUNT, "contact", dataset.key))),
        *(("related", _id(f"dataset/{one.key}")) for one in near),
        ("next", _id(f"dataset/{following.key}")),
        *(("edition", _id(f"edition/{dataset.code}-{year}")) for year in dataset.years),
    ]
    return Thing(
        _id(f"dataset/{dataset.key}"),
        "Dataset",
        dataset.title.en,
        links,
        [("identifier", dataset.code)],
    )


def _edition(dataset: Dataset, year: int) -> Thing:
    place = pick(atlas.NAMES, "edition", dataset.code, year)
    links = [
        ("about", atlas.uri(place)),
        ("chart", f"http://{DATA}/charts/{dataset.code}-{year}.png"),
        ("of", _id(f"dataset/{dataset.key}")),
        ("author", people.uri(draw(people.COUNT, "author", dataset.code, year))),
    ]
    title = f"{dataset.title.en}, {year}"
    return Thing(_id(f"edition/{dataset.code}-{year}"), "Edition", title, links)


def _id(name: str) -> str:
    return f"{_HOME}/id/{name}"
