"""What a link is expected to bring: by its look, by what its like brought, by what is behind it.

Prior: how likely a link is a target before anything was learnt on the site. The extension says
most, then a media type that the page gives with the link. Without these, a `download` attribute, a
folder or parameter that downloads have, or a format's name in the anchor text, is a hint. These
chances are where learning starts, not where it ends.

Outcomes: two ridge regressions over the same recent outcomes: the chance that a link is a live
target, as a correction to the prior; and the logarithm of the number of new targets behind it. With
a budget in bytes a third one predicts what a link costs.

Credit: pages that lead to good pages are good too; index and pagination pages earn by their
children. The label of a page is what it brought itself, or the discounted mean of that and of what
the pages behind it brought, whichever is more. A new label changes those of the pages above. A link
that was counted by its chance counts as one as soon as it is known to be a target.

Forecast: a crawl is over when it is nearly sure that next to nothing is left. Few links tried of a
kind of which many wait, and few finds so far, say little, so then it goes on.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from filon.core.forms import flat, row
from filon.core.state import Stateful, group, stored, version
from filon.learn.ridge import Design, GrowingDesign, Ridge, Rows, Vector, design, sums
from filon.learn.sparse import Single
from filon.page import formats
from filon.page.links import Link
from filon.page.types import Types, housekeeping
from filon.page.url import extension
from filon.verbs.harvest.strategies.vein.features import (
    AT_HUNCH,
    AT_TWIN,
    HUNCH_STEP,
    HUNCHES,
    SET_APART,
    SIZE,
    TWIN,
    WIDTH,
    values,
)

FILE, TYPED, HINTED, UNKNOWN, FOLDER, PAGE = 0.9, 0.8, 0.4, 0.1, 0.02, 0.02

_PAGES = frozenset(
    [
        "html",
        "htm",
        "xhtml",
        "shtml",
        "php",
        "php3",
        "asp",
        "aspx",
        "jsp",
        "jspx",
        "do",
        "cgi",
        "cfm",
        "pl",
    ]
)
_DOWNLOAD = re.compile(
    r"/(?:downloads?|dl|get-?file|attachments?|exports?|bitstreams?|datafile)(?:/|$)"
    r"|[?&](?:format|outputformat|accesstype|download|file|filename|export)=",
    re.IGNORECASE,
)
_FORMAT = re.compile(
    r"\b(?:csv|tsv|xlsx?|ods|json|geojson|xml|zip|pdf|docx?|parquet|shp|kml|sav|dta)\b",
    re.IGNORECASE,
)


class Prior:
    """Chances by look. hints: whether more than the extension is looked at."""

    def __init__(self, types: Types, *, hints: bool = True) -> None:
        self._types = types
        self._hints = hints
        self._by_extension: dict[str, float] = {}

    def chance(self, link: Link) -> float:
        """Return the chance that a link is a target, dead links aside."""
        ending = extension(link.url)
        if ending in ("xml", "gz", "txt") and housekeeping(link.url):
            return UNKNOWN
        known = UNKNOWN
        if ending:
            known = self._of_extension(ending)
        if self._hints and known != FILE and "/" in link.hint:
            return self._of_type(link.hint)
        if known != UNKNOWN:
            return known
        if self._hints and (self._is_download(link, ending) or _FORMAT.search(link.text)):
            return HINTED
        return FOLDER if link.url.endswith("/") else UNKNOWN

    @staticmethod
    def _is_download(link: Link, ending: str) -> bool:
        # A file whose extension no format has is for download too, but not of a wanted type.
        return bool((link.hint and not ending) or _DOWNLOAD.search(link.url))

    def _of_type(self, mime: str) -> float:
        return TYPED if self._types.wants(mime) else PAGE

    def _of_extension(self, ending: str) -> float:
        known = self._by_extension.get(ending)
        if known is None:
            known = self._by_extension[ending] = self._look_up(ending)
        return known

    def _look_up(self, ending: str) -> float:
        if ending in _PAGES:
            return PAGE
        media = formats.FORMATS.get(formats.canonical(ending))
        if not media:
            return UNKNOWN  # a dot in a name, a version number
        return FILE if any(self._types.wants(mime) for mime in media) else PAGE


#: Outcomes that are remembered; older ones give way.
WINDOW = 2000
#: Passes of each refit at most: it starts from the last solution, so mostly fewer suffice.
ROUNDS = 30
#: Strength of the pull towards the prior and towards the mean yield, in outcomes.
CHANCE_PENALTY, YIELD_PENALTY, COST_PENALTY = 20.0, 30.0, 10.0
#: The least that is hoped of a link of which nothing is known: where nothing was found yet, kinds
#: of links that were tried in vain fall behind those that were not.
HOPE = 0.3
#: What each feature that was never tried adds to the logarithm; after so many tries it is half.
#: Just enough to choose between equals: of many kinds of links each gets a look.
DOUBT, HALVED_AFTER = 0.001, 5.0
#: In a drought doubt grows: it is once more as much after so many requests that brought nothing.
DRY = 5.0
#: What is thought of a page that was read before under another query, before it is tried.
KNOWN_PAGE = -0.4
#: Outcomes, and requests without a find, after which what other sites teach counts half.
FADES = 50
#: No link is certain.
LEAST, MOST = 0.001, 0.999
#: Of logarithms: no page leads to more than a million targets, whatever its features add up to.
MOST_BEHIND = 14.0


#: The features that say something before anything was learnt: of the prior over sites, of twins.
_TOLD = slice(AT_HUNCH, AT_TWIN + 1)
_STEPS = np.arange(HUNCHES + 1, dtype=np.float64) - HUNCHES // 2


class Prediction(NamedTuple):
    """What is thought of links, a number each.

    chances: that it is a live target. behind: new targets expected behind it. hoped: the same, with
    more where little is known.
    """

    chances: Vector
    behind: Vector
    hoped: Vector


class Outcomes:
    """A window of outcomes with the models learnt from them.

    doubt: whether kinds of links that were hardly tried are preferred among equals.
    """

    def __init__(self, *, doubt: bool = True) -> None:
        self.sent = 0  # links that were asked for
        self.count = 0  # of all outcomes so far
        self._doubt = DOUBT if doubt else 0.0
        # By feature: links that were asked for, answered or not; and those since the last refit.
        self._tried = np.zeros(SIZE, dtype=np.float32)
        self._latest: list[Rows] = []
        self._dry = 1.0  # what doubt has grown to in a drought
        # By feature: what it says of what is behind, from elsewhere.
        self._start = np.zeros(SIZE, dtype=np.float32)
        self._start[_TOLD] = _start()
        self._values = values()
        self._rows = np.zeros((WINDOW, WIDTH), dtype=np.uint16)
        self._residual = np.zeros(WINDOW)  # 1 for a target, 0 for none, less the prior
        self._yield = np.zeros(WINDOW)  # log(1 + new targets behind it)
        self._cost = np.zeros(WINDOW)  # log(1 + bytes)
        self._is_page = np.zeros(WINDOW, dtype=bool)  # not a target: its yield says something
        self._dual = np.zeros((3, WINDOW))
        self._known = GrowingDesign(self._values)  # all outcomes, until older ones give way
        self._chance = Ridge(SIZE, CHANCE_PENALTY)
        self._behind = Ridge(SIZE, YIELD_PENALTY)
        self._size = Ridge(SIZE, COST_PENALTY)
        self._mean_yield = HOPE
        self._mean_cost = 0.0
        self._mean_start = 0.0
        # By feature, with its value: for the chance, for what is expected behind a link, doubt; and
        # nothing, since four numbers are faster to read than three.
        self._weights = np.zeros((SIZE, 4), dtype=np.float32)
        self._weights[1:, 2] = self._bonus(self._tried, self._values)[1:]
        self._gathered = [self._chance.features, self._behind.features]
        self._gather()

    def send(self, row: Rows) -> None:
        """Take note that a link is asked for: its kind is less new, before the answer is in."""
        self.sent += 1
        self._tried[row.astype(np.intp)] += 1.0
        self._latest.append(row)

    def add(self, row: Rows, prior: float, is_target: bool, behind: float, size: int) -> int:
        """Remember an outcome and return its number."""
        slot = self.count % WINDOW
        self._rows[slot] = 0
        self._rows[slot, : len(row)] = row
        self._residual[slot] = is_target - prior
        self._yield[slot] = math.log1p(behind)
        self._cost[slot] = math.log1p(size)
        self._is_page[slot] = not is_target
        self._dual[:, slot] = 0.0
        self.count += 1
        return self.count - 1

    def relabel(self, number: int, behind: float) -> None:
        """Correct the yield of an outcome, if it is still remembered; -1 is none."""
        if number >= 0 and self.count - number <= WINDOW:
            self._yield[number % WINDOW] = math.log1p(behind)

    def refit(self, *, costs: bool = False, drought: int = 0) -> None:
        """Bring the models up to date.

        drought: requests since the last find.
        """
        size = min(self.count, WINDOW)
        self._start[_TOLD] = _start(FADES / (FADES + self.count + drought))
        if size:
            self._fit(size, costs=costs)
        if self._latest:
            rows = np.concatenate(self._latest).astype(np.intp)
            self._weights[rows, 2] = self._bonus(self._tried[rows], self._values[rows])
            self._weights[0, 2] = 0.0
            self._latest.clear()
        self._dry = 1 + drought / DRY
        self._gather()

    def _bonus(self, tried: Single, values: Single) -> Single:
        """Return what features that were so often tried add, with their values."""
        return self._doubt / (1.0 + tried / HALVED_AFTER) * values

    def _gather(self) -> None:
        """Put the weights that a prediction takes side by side, where they have changed."""
        values, weights = self._values, self._weights
        for column, model in enumerate((self._chance, self._behind)):
            at = model.features
            weights[self._gathered[column], column] = 0.0
            weights[at, column] = model.weights[at] * values[at]
            self._gathered[column] = at
        behind = self._start[_TOLD] + self._behind.weights[_TOLD]
        weights[_TOLD, 1] = behind * values[_TOLD]

    def _fit(self, size: int, *, costs: bool) -> None:
        pages = np.flatnonzero(self._is_page[:size])
        rows = self._design(size)
        labels, dual = self._residual[:size], self._dual[0, :size]
        self._dual[0, :size] = self._chance.fit(rows, labels, dual, ROUNDS)
        if len(pages):
            self._fit_yield(pages, rows.only(pages))
        if costs:
            self._mean_cost = float(self._cost[:size].mean())
            labels, dual = self._cost[:size] - self._mean_cost, self._dual[2, :size]
            self._dual[2, :size] = self._size.fit(rows, labels, dual, ROUNDS)

    def _design(self, size: int) -> Design:
        if self.count > WINDOW:
            return design(self._rows[:size], self._values)
        self._known.add(self._rows[len(self._known) : size])
        return self._known.design()

    def _fit_yield(self, pages: NDArray[np.intp], rows: Design) -> None:
        labels, told = self._yield[pages], self._rows[pages, -SET_APART:]
        start = np.add.reduce(self._start[told] * self._values[told], axis=1)
        self._mean_yield = max(float(np.add.reduce(labels) / len(labels)), HOPE)
        self._mean_start = float(np.add.reduce(start) / len(start))
        residual = labels - self._mean_yield - (start - self._mean_start)
        self._dual[1, pages] = self._behind.fit(rows, residual, self._dual[1, pages], ROUNDS)

    def predict(self, rows: Rows, priors: Vector) -> Prediction:
        """Return what is thought of links."""
        summed = sums(rows, self._weights).astype(np.float64)
        summed[:, 2] = summed[:, 1] + self._dry * summed[:, 2]
        logarithms = summed[:, 1:3] + (self._mean_yield - self._mean_start)
        behind = np.expm1(np.minimum(np.maximum(logarithms, 0.0), MOST_BEHIND))
        chances = np.minimum(np.maximum(priors + summed[:, 0], LEAST), MOST)
        return Prediction(chances, behind[:, 0], behind[:, 1])

    def bytes(self, rows: Rows) -> Vector:
        """Return the bytes that each link is expected to cost."""
        table = (self._size.weights * self._values)[:, None]
        logarithms = self._mean_cost + sums(rows, table)[:, 0]
        expected: Vector = np.exp(np.clip(logarithms, 0.0, 30.0)).astype(np.float64)
        return expected

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: arrays of a fixed size, stored as far as they are filled.
        size, tried = min(self.count, WINDOW), np.flatnonzero(self._tried)
        return {
            "version": 4,
            "count": self.count,
            "sent": self.sent,
            "tried": [tried, self._tried[tried]],
            "latest": [list(self._latest), self._dry],
            "rows": self._rows[:size].copy(),
            "labels": np.stack([self._residual, self._yield, self._cost])[:, :size],
            "is_page": self._is_page[:size].copy(),
            "dual": self._dual[:, :size].copy(),
            "models": [model.state() for model in (self._chance, self._behind, self._size)],
            "means": [self._mean_yield, self._mean_cost, self._mean_start],
            "start": self._start[AT_HUNCH : AT_HUNCH + HUNCHES].copy(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.count, self.sent = state["count"], state["sent"]
        at, counts = state["tried"]
        self._tried[:] = 0.0
        self._tried[at] = counts
        self._known = GrowingDesign(self._values)
        size = len(state["rows"])
        rows = np.asarray(state["rows"])  # those of older versions are shorter
        self._rows[:size, : rows.shape[1] if size else 0] = rows if size else 0
        self._residual[:size], self._yield[:size], self._cost[:size] = state["labels"]
        self._is_page[:size] = state["is_page"]
        self._dual[:, :size] = state["dual"]
        models = (self._chance, self._behind, self._size)
        for model, saved in zip(models, state["models"], strict=True):
            model.restore(saved)
        self._mean_yield, self._mean_cost, *more = state["means"]
        self._mean_start = more[0] if more else 0.0
        self._start[AT_HUNCH : AT_HUNCH + HUNCHES] = state.get("start", 0.0)
        self._latest, self._dry = state["latest"] if state["version"] > 3 else self._doubts(state)
        tried = self._tried.copy()  # at the last refit
        for sent in self._latest:
            tried[sent] -= 1.0
        self._weights[1:, 2] = self._bonus(tried, self._values)[1:]
        self._gather()

    def _doubts(self, state: dict[str, Any]) -> tuple[list[Rows], float]:
        """Return what was sent of late, and what doubt has grown to, by a state of old.

        There what is hoped was in one number a feature: of one of which nothing is known, it is
        the doubt.
        """
        hope = np.asarray(state["hope"], dtype=np.float64) - self._start - self._behind.weights
        untried = np.flatnonzero(self._tried == 0.0)[1:]
        grown = hope[untried] / self._doubt if self._doubt else np.ones(1)
        return [], float(np.median(grown)) if len(grown) else 1.0


def _start(elsewhere: float = 1.0) -> Vector:
    """Return what features (_TOLD) say of what is behind a link before anything was learnt.

    elsewhere: how much of what other sites teach is believed.
    """
    start: Vector = elsewhere * HUNCH_STEP * _STEPS
    start[-1] = KNOWN_PAGE / TWIN
    return start


#: What a page's children say of the page, against what the page says itself.
DISCOUNT = 0.7
#: How far up a new label is felt.
LEVELS = 3


@dataclass(slots=True)
class Page:
    """A page that was fetched: its own yield, and its children's labels."""

    own: float
    rest: float  # what its targets were counted too low for, each
    above: str
    outcome: int
    behind: float = 0.0  # the sum of the children's labels
    children: int = 0  # links of the page that were followed
    label: float = 0.0


class Credit(Stateful):
    """Labels of pages, kept up to date as their children come in.

    relabel: called with the number of an outcome and its new label.
    """

    STATE = (version(1), stored("_pages", flat(row(Page))))

    def __init__(self, relabel: Callable[[int, float], None]) -> None:
        self._relabel = relabel
        self._pages: dict[str, Page] = {}

    def earn(self, url: str, chances: Vector, above: str, outcome: int) -> None:
        """Enter a page that was reached from another one.

        chances: of those of its new links that may be targets.
        """
        own = float(np.add.reduce(chances))
        rest = 1.0 - (own / len(chances) if len(chances) else 0.0)
        page = self._pages[url] = Page(own, rest, above, outcome)
        if parent := self._pages.get(above):
            parent.children += 1
        self._update(page, LEVELS)

    def spend(self, above: str) -> None:
        """Count a link of a page that led to nothing."""
        if parent := self._pages.get(above):
            parent.children += 1
            self._update(parent, LEVELS)

    def confirm(self, above: str) -> None:
        """Count a link of a page as one target, whatever it was counted for."""
        if parent := self._pages.get(above):
            parent.own += parent.rest
            self._update(parent, LEVELS)

    def deny(self, above: str, chance: float) -> None:
        """Take back what a link of a page was counted for, when it may not be followed."""
        if parent := self._pages.get(above):
            parent.own = max(parent.own - chance, 0.0)
            self._update(parent, LEVELS)

    def _update(self, page: Page, levels: int) -> None:
        mean = (page.own + page.behind) / (1 + page.children)
        label = max(page.own, DISCOUNT * mean)
        change, page.label = label - page.label, label
        self._relabel(page.outcome, label)
        parent = self._pages.get(page.above)
        if parent and levels:
            parent.behind += change
            self._update(parent, levels - 1)


#: Requests without a find after which every other one is for what is known least of.
DROUGHT = 25
#: Requests without a find before which nothing is over, and requests at all: a small site is read.
SILENT, FIRST = 20, 100
#: How many times the estimate may be left, in 19 of 20 cases.
SURE = 3.0
#: An estimate of more than so many times what was found is of links whose like was hardly tried. As
#: long as it is, no bound is told: on recorded sites three of eight would not hold.
FORETOLD = 2.0
#: A crawl is over when at most so many targets are left: not one, or a share of those found.
ONE, SHARE = 0.75, 0.02
#: Links that wait, as a share of the requests so far, for which it is not worth to stop.
FEW = 0.05


class Forecast(Stateful):
    """Counts requests and finds; tells how sure it is that next to nothing is left."""

    STATE = (version(2), group("counts", "requests", "finds", "_last_find"))

    def __init__(self) -> None:
        self.requests = 0
        self.finds = 0
        self._last_find = 0

    def note(self, is_find: bool) -> None:
        """Count an answer."""
        self.requests += 1
        if is_find:
            self.finds += 1
            self._last_find = self.requests

    @property
    def drought(self) -> int:
        """Requests since the last find."""
        return self.requests - self._last_find

    @property
    def is_dry(self) -> bool:
        """Tell whether nothing was found for a while."""
        return self.drought >= DROUGHT

    def tell(self, left: float) -> dict[str, float] | None:
        """Return an estimate of the targets left for people: its mean, spread, and upper bound.

        None: it is too early to tell.
        """
        if left and (self.requests < FIRST or left > FORETOLD * (1 + self.finds)):
            return None
        return {"mean": left, "spread": (SURE - 1) * left / 2, "most": SURE * left}

    def is_over(self, waiting: int, left: Callable[[], float]) -> bool:
        """Tell whether to stop.

        waiting: links that wait. left: tells how many targets are left by estimate, if asked.
        """
        if self.requests < FIRST or self.drought < SILENT or waiting < FEW * self.requests:
            return False
        return SURE * left() <= max(ONE, SHARE * self.finds)
