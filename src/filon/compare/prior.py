"""Learns a prior over sites from recorded ones: what `filon learn` does.

On each site `vein` runs to its last link. An example is a link that was followed, as the page said
it; its labels are whether it was a file, less what its look says, and the logarithm of the files
behind it, as `Credit` counts them. Sites whose pages have many files weigh as much as others.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse

from filon.compare.replica import Replica
from filon.compare.trial import Tally
from filon.core import Account, Budget, Find, Request, Response, Step, drive
from filon.learn.pooled import Matrix, pooled
from filon.learn.ridge import Vector
from filon.page.links import ALONE, Link
from filon.page.types import Types
from filon.verbs.harvest.strategies import build
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.vein.site_prior import SIZE, Weights, features_of
from filon.verbs.harvest.strategies.vein.strategy import HEADS
from filon.verbs.harvest.strategies.vein.value import Credit, Prior

#: Examples of one site at most: more say nothing new.
MOST = 2000
#: Strength of the pull of what all sites share towards 0, and of what one site has alone.
PENALTY, OWN_PENALTY = 100.0, 100.0
#: The spread that the labels of each site are brought to: what is usual. Where all pages are alike
#: there is nothing to be learnt from the little that they differ.
SPREAD, LEAST_SPREAD = 0.3, 0.05
#: Parts of the sites that are left out in turn, to see how much of a prior holds elsewhere.
FOLDS = 4


class Examples(NamedTuple):
    """Links of a site that were followed: their features and their labels.

    pages: those that were no files themselves, for which `yields` says something.
    """

    features: Matrix
    residuals: Vector
    yields: Vector
    pages: np.ndarray[tuple[int], np.dtype[np.bool_]]


class Steps(Tally):
    """Remembers which links were followed, and what they were."""

    def __init__(self, replica: Replica) -> None:
        super().__init__(replica)
        self._from: dict[str, tuple[str, str]] = {}  # where a redirect led: the link that led there
        self.followed: list[tuple[str, str, str, str]] = []  # page, link, where it led, kind

    def record(
        self, number: int, step: Step, response: Response, finds: Sequence[Find], *, idle: bool
    ) -> None:
        """Remember a link."""
        url = step.request.url
        page, link = self._from.pop(url, (step.parent, url))
        if response.redirects and step.reason.kind != "start":
            self._from.update(dict.fromkeys(self._replica.leads(url), (page, link)))
        elif page:
            kind = "target" if finds else self._replica.kind(url)
            self.followed.append((page, link, url, kind))


def examples(replica: Replica, types: Types) -> Examples:
    """Return what a recorded site teaches."""
    # A link is told by the page that was the first to have it: that one is credited with it.
    brief = Brief(
        start=replica.start,
        types=types,
        stop="never",
        read=replica.memory.read,
        options={"sightings": "off"},
    )
    steps = Steps(replica)
    asyncio.run(drive(build("vein", brief), replica.fresh(), Account(Budget()), steps))
    return _examples(replica, steps.followed, Prior(types))


def _examples(replica: Replica, followed: list[tuple[str, str, str, str]], look: Prior) -> Examples:
    labels = _labels(followed)
    new = Counter(page for page, *_ in followed)
    if len(followed) > MOST:
        kept = np.random.RandomState(0).choice(len(followed), MOST, replace=False)
        followed, labels = [followed[at] for at in kept], labels[kept]
    pages: dict[str, dict[str, Link]] = {}
    rows, chances = [], []
    for page, url, *_ in followed:
        if page not in pages:
            pages[page] = _links(replica, page)
        link = pages[page].get(url) or Link(url, "", "", "a")
        rows.append(features_of(link, page, new[page]))
        chances.append(look.chance(link))
    are_targets = np.array([kind == "target" for *_, kind in followed], bool)
    return Examples(_matrix(rows), are_targets - np.array(chances), labels, ~are_targets)


def _labels(followed: list[tuple[str, str, str, str]]) -> Vector:
    """Return the logarithm of what is behind each link."""
    labels = np.zeros(len(followed))
    found = Counter(page for page, *_, kind in followed if kind == "target")

    def relabel(number: int, behind: float) -> None:
        if number >= 0:
            labels[number] = behind

    credit = Credit(relabel)
    for number, (page, _, url, kind) in enumerate(followed):
        if kind == "html":
            credit.earn(url, np.ones(found[url]), page, number)
        elif kind != "target":
            credit.spend(page)
    return np.log1p(labels)


def _links(replica: Replica, page: str) -> dict[str, Link]:
    """Return the links of a page by their addresses, the first of each."""
    response = replica.answer(Request(url=page))
    read = replica.memory.read(response, around=ALONE, heads=HEADS)
    return {link.url: link for link in reversed(read)}


def _matrix(rows: list[list[tuple[int, float]]]) -> Matrix:
    flat = [pair for row in rows for pair in row]
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.array([number for number, _ in flat], dtype=np.int32)
    values = np.array([scale for _, scale in flat], dtype=np.float32)
    return sparse.csr_matrix((values, columns, ends), shape=(len(rows), SIZE))


def learn(sites: Sequence[Examples]) -> Weights:
    """Return the weights of a prior, each kind as strong as it proved on sites left out."""
    kinds = [[_chances(site) for site in sites], [_yields(site) for site in sites]]
    learnt = [pooled(groups, PENALTY, OWN_PENALTY) for groups in kinds]
    strengths = [_strength(kinds[0]), _strength(kinds[1], centred=True)]
    return np.stack([s * w for s, w in zip(strengths, learnt, strict=True)]).astype(np.float32)


def _chances(site: Examples) -> tuple[Matrix, Vector]:
    return site.features, site.residuals


def _yields(site: Examples) -> tuple[Matrix, Vector]:
    labels = site.yields[site.pages]
    spread = max(float(labels.std()) if len(labels) else 0.0, LEAST_SPREAD)
    return site.features[site.pages], (labels - labels.mean()) * SPREAD / spread


def _strength(groups: list[tuple[Matrix, Vector]], *, centred: bool = False) -> float:
    """Return by how much predictions for sites left out are to be scaled, 1 at most.

    centred: whether a prediction only counts against others of its site.
    """
    product = square = 0.0
    for fold in range(min(FOLDS, len(groups))):
        kept = [group for at, group in enumerate(groups) if at % FOLDS != fold]
        left = [group for at, group in enumerate(groups) if at % FOLDS == fold]
        weights = pooled(kept, PENALTY, OWN_PENALTY) if kept else np.zeros(SIZE)
        for features, labels in left:
            told = features @ weights
            told -= told.mean() if centred else 0.0
            product += float(told @ labels) / len(labels)
            square += float(told @ told) / len(labels)
    return min(max(product / square, 0.0), 1.0) if square else 0.0
