"""`lode` and `bfs` on a web whose names and hosts are those of a registry of identifiers.

    pip download bioregistry --no-deps && unzip bioregistry-*.whl bioregistry/data/bioregistry.json
    python -m experiments.follow.registry ../shared/data/follow bioregistry/data/bioregistry.json

Real are some 600 hosts, the forms of the addresses of 1,700 resources, examples of their
identifiers, home pages, addresses of files, and which resources have RDF, as far as the registry
tells; generated are further identifiers, how answers are given, and who mentions whom.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from experiments.follow.plan import WITH_RDF, Place
from experiments.follow.variants import Variant, VariantWeb, compare, pick
from filon.page.url import parse

#: What describes vocabularies and ontologies alone.
ONTOLOGIES = ("obofoundry", "lov", "zazuko")
#: Things that are described at most.
MOST = 8_000
#: Of the files that are named, those that are gone.
GONE = 0.3
_DIGIT = re.compile(r"\d")
PUBLISHED = {"negotiated": 4, "html+jsonld": 1, "plain": 1, "xml": 1, "alternate": 1}
OTHERS = {"html": 7, "missing": 2, "soft-missing": 1}


class RegistryWeb(VariantWeb):
    """A web of identifiers of a registry."""

    def __init__(self, folder: Path, registry: Path, seed: int) -> None:
        self._resources: dict[str, Any] = json.loads(registry.read_text("utf-8"))
        super().__init__(folder, Variant(with_rdf=PUBLISHED, without=OTHERS), seed, MOST)

    def _publish(self, names: list[str], variant: Variant) -> None:
        waiting = list(names)
        for resource in self._resources.values():
            named = resource.get("rdf_uri_format") or any(n in resource for n in ONTOLOGIES)
            for form, is_main in _forms(resource):
                alive = bool(named) and is_main and not resource.get("deprecated")
                profile = pick(self._dice, variant.with_rdf if alive else variant.without)
                for url in self._identified(resource, form):
                    self._put(url, profile, waiting)
            for address in _files(resource):
                gone = self._dice.random() < GONE
                self._put(address, "missing" if gone else "turtle", waiting)
            self._put(str(resource.get("homepage", "")), "html", waiting)

    def _identified(self, resource: dict[str, Any], form: str) -> Iterator[str]:
        """Yield addresses of identifiers: the example, and others of its form."""
        dice, example = self._dice, str(resource.get("example") or "0000001")
        for number in range(min(60, int(1.5 * dice.paretovariate(0.9)))):
            other = _DIGIT.sub(lambda _: str(dice.randrange(10)), example) if number else example
            yield form.replace("$1", other)

    def _put(self, address: str, profile: str, waiting: list[str]) -> None:
        url = parse(address)
        if not url or url in self.plan.places or not _can_be_said(url):
            return
        if profile in WITH_RDF:
            self._place_things([waiting.pop()], url, profile)
        else:
            self.plan.places[url] = Place(url, profile)
            self.plan.pages.append(url)


def _can_be_said(url: str) -> bool:
    try:
        return bool(ox.NamedNode(url))
    except ValueError:
        return False


def _forms(resource: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """Yield the forms of a resource's addresses, and whether it is the one that leads to RDF."""
    main = str(resource.get("rdf_uri_format") or resource.get("uri_format") or "")
    told = [resource.get("uri_format"), *(one.get("uri_format") for one in _nested(resource))]
    for form in dict.fromkeys([main, *filter(None, told)]):
        if "$1" in form:
            yield form, form == main


def _nested(resource: dict[str, Any]) -> list[dict[str, Any]]:
    several = resource.get("providers") or []
    return [*several, *(one for one in resource.values() if isinstance(one, dict))]


def _files(resource: dict[str, Any]) -> Iterator[str]:
    for name in ("download_owl", "download_rdf", "download_skos"):
        if name in resource:
            yield str(resource[name])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row a strategy; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("registry", type=Path)
    parser.add_argument("--strategies", default="lode,ldcoc")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=1)
    asked = parser.parse_args(arguments)

    def web(seed: int) -> VariantWeb:
        return RegistryWeb(asked.folder, asked.registry, seed)

    seeds = range(asked.first, asked.first + asked.seeds)
    compare("registry", web, seeds, asked.strategies.split(","))
    return 0


if __name__ == "__main__":
    sys.exit(main())
