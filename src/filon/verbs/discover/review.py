"""Review a discovery: the user accepts or rejects sites, and the list is ordered anew."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from filon.core import UserError
from filon.learn.rank.fusion import Fusion
from filon.learn.rank.vectors import Vocabulary, grams
from filon.page.text import page_text
from filon.run import readonly
from filon.run.archive import Answers
from filon.run.text import plain
from filon.verbs.discover.found import Site, read_found, write_sites
from filon.verbs.discover.found.verdicts import marked, read_verdicts, write_verdicts
from filon.verbs.review import Shown, Standing

#: Sites that are compared with what the user said; those after them keep their places.
MOST_JUDGED = 1_000
#: Of a page, what tells its topic.
MOST_TEXT = 8_000
#: What likeness to what was said is worth at most: a score is multiplied by 4, or divided by 2.
MOST_LIFTED, MOST_LOWERED = 4.0, 2.0
#: In so many pages a word stands at least to count.
LEAST = 1
#: Questions that are asked where nobody says how many.
SUFFICE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Is this what is looked for?"""

    site: Site

    def shown(self, number: int) -> str:
        """Return the question as lines for a terminal."""
        site = self.site
        parts = (site.url, site.title, site.verified, f"because {site.why}")
        lines = (f"  {plain(line, 160)}" for line in parts if line)
        return "\n".join([f"\n{number}. Is this what you look for? (rank {site.rank})", *lines])

    def told(self) -> Shown:
        """Return the question as plain data."""
        site = self.site
        facts = (("title", site.title), ("seen", site.verified), ("why", site.why))
        return Shown(
            key=site.url,
            kind="site",
            facts=[(name, fact) for name, fact in facts if fact],
            url=site.url,
        )


def texts(run_path: Path, urls: Sequence[str]) -> dict[str, list[str]]:
    """Return the words of pages that a run has read, by address."""
    stored, found = Answers(run_path), {}
    query = (
        "SELECT * FROM steps WHERE url = ? AND status = 200 AND warc IS NOT NULL"
        " ORDER BY answer DESC LIMIT 1"
    )
    with readonly.reading(run_path) as ledger:
        for url in urls:
            row = ledger.execute(query, (url,)).fetchone()
            if row is not None:
                page = stored.read(row, url)
                content = page_text(page.body, page.header("content-type"))
                found[url] = grams(f"{content.meta} {content.text}"[:MOST_TEXT])
    return found


def judged(
    run_path: Path, sites: Sequence[Site], likeness: "_Likeness | None" = None
) -> list[Site]:
    """Return a list in the order that follows from what the user said of it.

    likeness: of the pages of the list, where they were read already.

    Sites that were accepted come first, those that were rejected last. The strategy's score of
    each other site is multiplied by what its likeness to both is worth, between a half and four:
    an answer lifts no site above one that is far better. Without a site that was accepted there is
    nothing to tell good from bad by, and the others keep their order.
    """
    verdicts = read_verdicts(run_path)
    marks = sorted(marked(sites, verdicts), key=lambda site: site.place)
    first = [site for site in marks if site.verdict == "accepted"]
    first = [replace(site, apart="") for site in first]
    last = [site for site in marks if site.verdict == "rejected"]
    beside = [site for site in marks if not site.verdict and site.apart]
    rest = [site for site in marks if not site.verdict and not site.apart]
    if first:
        likeness = likeness or _Likeness(run_path, marks)
        rest = ordered(rest, likeness.contrast(first, last))
    return [
        replace(site, rank=n) for n, site in enumerate([*first, *rest, *last, *beside], start=1)
    ]


def ordered(sites: Sequence[Site], contrast: Mapping[str, float]) -> list[Site]:
    """Return sites in the order of their scores, each weighed by its contrast.

    contrast: how much more like the accepted than the rejected a site is, from -1 to 1, by address.

    >>> sites = [Site(url="a", score=0.6, place=1), Site(url="b", score=0.5, place=2)]
    >>> [site.url for site in ordered(sites, {"a": -0.5, "b": 0.5})]
    ['b', 'a']
    """
    worth, best = {}, 0.0
    scored = any(site.score > 0 for site in sites)
    for site in sorted(sites, key=lambda site: -site.place):
        # A site that the strategy put first for another reason counts as the best after it.
        best = max(best, site.score if scored else 1 / max(1, site.place))
        likeness = contrast.get(site.url, 0.0)
        worth[site.place] = best * (MOST_LIFTED if likeness > 0 else MOST_LOWERED) ** likeness
    return sorted(sites, key=lambda site: (-round(worth[site.place], 12), site.place))


class _Likeness:
    """The pages of a list, to be compared with some of them."""

    def __init__(self, run_path: Path, sites: Sequence[Site]) -> None:
        shown = [site.url for site in sites if not site.verdict][:MOST_JUDGED]
        judged = [site.url for site in sites if site.verdict][:MOST_JUDGED]
        seeds = [str(seed) for seed in readonly.config(run_path).get("seeds") or ()]
        self._texts = texts(run_path, [*shown, *judged])
        self._seeds = list(texts(run_path, seeds[:MOST_JUDGED]).values())

    def contrast(self, accepted: Sequence[Site], rejected: Sequence[Site]) -> dict[str, float]:
        """Return by address how much more like an accepted page than a rejected one a page is."""
        held = self._texts
        if not held:
            return {}
        rows = Vocabulary.learn(held.values(), LEAST).weighted(list(held.values()))
        numbers = {url: number for number, url in enumerate(held)}
        likeness = []
        for side in (accepted, rejected):
            chosen = [numbers[site.url] for site in side if site.url in numbers]
            near = (rows @ rows[chosen].T).toarray() if chosen else np.zeros((len(held), 1))
            likeness.append(near.max(axis=1))
        return dict(zip(held, (likeness[0] - likeness[1]).tolist(), strict=True))

    def scores(self, accepted: Sequence[Site], rejected: Sequence[Site]) -> dict[str, float]:
        """Return how like the accepted, and unlike the rejected, each page is."""
        held = self._texts
        examples = [held[site.url] for site in accepted if site.url in held] + self._seeds
        others = [held[site.url] for site in rejected if site.url in held]
        if not examples or not held:
            return {}
        found = Fusion()(examples, others, list(held.values()))
        return {url: float(score) for url, score in zip(held, found, strict=True)}


class SiteReview:
    """A review of a discovery: what is said is kept at once, and the list written at the end.

    most: questions asked at most; 0: a few dozen, which suffice.
    """

    done = "the list is ordered"

    def __init__(self, run_path: Path, most: int = 0) -> None:
        with readonly.reading(run_path) as ledger:
            self._sites = read_found(run_path, ledger)
        if not self._sites:
            raise UserError(f"{run_path} has found nothing yet: there is nothing to review.")
        self._path = run_path
        self._most = most or SUFFICE
        self._verdicts = read_verdicts(run_path)
        self._likeness = _Likeness(run_path, self._sites)
        self.answers = 0

    def next(self) -> Candidate | None:
        """Return the next question: the best of the list and the most doubtful by turns."""
        sites = marked(self._sites, self._verdicts)
        left = [site for site in sites if not site.verdict and site.url not in self._verdicts]
        if not left or self.answers >= self._most:
            return None
        if self.answers % 2 and (doubtful := self._doubtful(sites, left)):
            return Candidate(site=doubtful)
        return Candidate(site=left[0])

    def _doubtful(self, sites: Sequence[Site], left: Sequence[Site]) -> Site | None:
        """Return the site that is as like the accepted as the rejected."""
        yes = [site for site in sites if site.verdict == "accepted"]
        no = [site for site in sites if site.verdict == "rejected"]
        scores = self._likeness.scores(yes, no) if yes and no else {}
        ends = [[scores[site.url] for site in side if site.url in scores] for side in (yes, no)]
        known = [site for site in left if site.url in scores]
        if not all(ends) or not known:
            return None
        middle = sum(sum(side) / len(side) for side in ends) / 2
        return min(known, key=lambda site: abs(scores[site.url] - middle))

    def answer(self, question: Candidate, good: bool | None) -> None:
        """Take an answer and keep it: yes, no, or None where the person cannot tell."""
        verdict = {True: "accepted", False: "rejected", None: "skipped"}[good]
        self._verdicts[question.site.url] = {"said": verdict, "site": question.site.site}
        write_verdicts(self._path, self._verdicts)
        self.answers += 1

    def undo(self) -> bool:
        """Take the last answer back, of this session or an earlier one."""
        if not self._verdicts:
            return False
        self._verdicts.popitem()
        write_verdicts(self._path, self._verdicts)
        self.answers = max(0, self.answers - 1)
        return True

    def standings(self, most: int) -> list[Standing]:
        """Return the first of the list as it would be written now."""
        ranked = judged(self._path, self._sites, self._likeness)
        return [
            Standing(
                key=site.url,
                name=site.title or site.url,
                note=site.verified,
                score=site.score,
                said=self._verdicts.get(site.url, {}).get("said", site.verdict),
            )
            for site in ranked[:most]
        ]

    def end(self) -> None:
        """Write the list in its new order."""
        write_sites(self._path, judged(self._path, self._sites))
