"""Which record each row is: the final decision, and the one while the crawl goes on.

The final one is a pure function of the table, the records, the alignment and the labels. The other
tells which rows a record that has just come is about.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from filon.core.service import Record
from filon.verbs.enrich.match.align import Alignment, Pairing
from filon.verbs.enrich.match.calibrate import LEAST, PRECISION, demand
from filon.verbs.enrich.match.candidates import Candidates, Table
from filon.verbs.enrich.match.fitted import fitted
from filon.verbs.enrich.match.scorer import logistic, taught
from filon.verbs.enrich.match.similarity import Flags, Floats, Ints


def in_words(pairings: Sequence[Pairing], similarities: Floats) -> str:
    """Return how alike each field is; fields that one side lacks are left out.

    >>> import numpy as np
    >>> columns = ("title", "year", "isbn")
    >>> names = [Pairing(column=name, field=name, kind="text") for name in columns]
    >>> in_words(names, np.array([0.973, 1.0, np.nan]))
    'title 0.97, year equal'
    """
    shares = zip((pairing.column for pairing in pairings), similarities.tolist(), strict=True)
    return ", ".join(
        f"{name} equal" if alike == 1.0 else f"{name} {min(alike, 0.99):.2f}"
        for name, alike in shares
        if alike == alike
    )


#: What a person says about pairs: (row, record id) -> whether they match.
Labels = Mapping[tuple[int, str], bool]
#: Log odds by which another row must fit a record better to take it away from a row.
BETTER = 2.0
#: Log odds within which two records fit a row equally well.
EQUAL = 0.5
#: Evidence of a field that speaks clearly against two records being one.
AGAINST = -1.0
#: What a person said is beyond any score.
SAID = 30.0
#: Log odds, at least, of a row and a record that are equal in all fields and to nothing else.
IDENTICAL = 3.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """What became of a row.

    record: the one that it matches best; None where none came near.
    score: the probability that they are one. evidence: why, in words.
    fate: "matched", "ambiguous", "below threshold", or "" where no record came near.
    other: the id of the record that makes an ambiguous row ambiguous.
    """

    row: int
    record: Record | None = None
    score: float = 0.0
    evidence: str = ""
    fate: str = ""
    other: str = ""


class Matches:
    """The best record of each row, and whether it is good enough.

    one_to_one: whether a record may be given to one row only; else equal rows may share it.
    precision: the part of the filled rows that should be right.
    table: the same columns, indexed already; `Prefilter` has one.
    """

    def __init__(
        self,
        columns: Mapping[str, Sequence[str]],
        records: Iterable[Record],
        alignment: Alignment,
        labels: Labels | None = None,
        *,
        one_to_one: bool = False,
        precision: float = PRECISION,
        table: Table | None = None,
    ) -> None:
        self.size = max((len(cells) for cells in columns.values()), default=0)
        self.alignment = alignment
        candidates = Candidates(columns, records, alignment, table)
        self._identical = _identical(candidates)
        self._same = _same(candidates)
        self.candidates, self._unlabelled = fitted(candidates)
        self._one_to_one, self._precision = one_to_one, precision
        #: Which rows are filled without labels.
        self._filled = np.zeros(self.size, dtype=np.bool_)
        self.decide({})
        self._filled[[match.row for match in self.rows if match.fate == "matched"]] = True
        if labels:
            self.decide(labels)

    def decide(self, labels: Labels) -> None:
        """Decide again, with other labels.

        Answers are about what is doubtful, and make the matcher doubt more where many are no: a row
        that was filled without them stays filled while its record is more probable than not.
        """
        pairs = self.candidates
        labelled = self._said(labels)
        spots = np.array(sorted(labelled), dtype=np.int64)
        answers = np.array([float(labelled[spot]) for spot in spots.tolist()])
        leads = pairs.logits(self._unlabelled) - self._unlabelled.logits(pairs.similarities)
        similarities = pairs.similarities[spots]
        self.scorer = taught(self._unlabelled, similarities, leads[spots], answers)
        self.logits = pairs.logits(self.scorer)
        sure = self._identical | self._same
        self.logits[sure] = np.maximum(self.logits[sure], IDENTICAL)
        self.logits[spots] = np.where(answers > 0, SAID, -SAID)
        #: Pairs that are one whatever the threshold: the very same, or so a person says.
        self.sure = self._same.copy()
        self.sure[spots] = answers > 0
        left = self._without_rivals(self.logits)
        order = np.lexsort((-left, ~self.sure))
        if self._one_to_one:
            left = _once(left, order, pairs.rows, pairs.records)
        best = _best(left, order, pairs.rows)
        chances = logistic(left[list(best.values())])
        self.threshold = demand(chances, self._precision, pairs.possible)
        #: The pair of each row that has one: its best.
        self.best = np.array(list(best.values()), dtype=np.int64)
        self.rows = self._told(best, left)

    def __iter__(self) -> Iterator[Match]:
        return iter(self.rows)

    def _said(self, labels: Labels) -> dict[int, bool]:
        """Labels by pair; what was said of a pair that is no candidate changes nothing."""
        if not labels:
            return {}
        pairs = self.candidates
        spots = list(pairs.table.comparison.spots.values())
        of_row = {row: at for at, rows in enumerate(spots) for row in rows}
        asked = {record for _, record in labels}
        held = np.array([record.id in asked for record in pairs.pool], dtype=np.bool_)
        at = {
            (int(pairs.rows[pair]), pairs.pool[pairs.records[pair]].id): int(pair)
            for pair in np.flatnonzero(held[pairs.records])
        }
        known = {(of_row.get(row, -1), record): same for (row, record), same in labels.items()}
        return {at[key]: same for key, same in known.items() if key in at}

    def _without_rivals(self, logits: Floats) -> Floats:
        """Take a record from a row where a different row fits it clearly better."""
        pairs, rows = self.candidates, self.candidates.table.comparison.rows
        owner = np.zeros(len(pairs.pool), dtype=np.int64)
        order = np.argsort(logits, kind="stable")
        owner[pairs.records[order]] = order  # the last one written is the best
        rival = owner[pairs.records]
        doubtful = np.flatnonzero((logits > 0) & (logits < logits[rival] - BETTER) & ~self.sure)
        ours = [rows[pairs.rows[pair]] for pair in doubtful]
        theirs = [rows[pairs.rows[rival[pair]]] for pair in doubtful]
        twins = self.scorer.logits(pairs.table.comparison.compare(ours, theirs)) > 0
        left = logits.copy()
        left[doubtful[~twins]] = -np.inf
        return left

    def _told(self, best: dict[int, int], logits: Floats) -> tuple[Match, ...]:
        matches = [Match(row=row) for row in range(self.size)]
        others = self._equals(best, logits)
        spots = list(self.candidates.table.comparison.spots.values())
        scores = logistic(logits[list(best.values())]).tolist()
        for (row, pair), score in zip(best.items(), scores, strict=True):
            for nth, spot in enumerate(spots[row]):
                other = others.get(pair, "")
                taken = nth > 0 and self._one_to_one
                matches[spot] = self._match(spot, pair, score, other, taken)
        return tuple(matches)

    def _match(self, row: int, pair: int, score: float, other: str, taken: bool) -> Match:
        pairs = self.candidates
        least = min(self.threshold, LEAST) if self._filled[row] else self.threshold
        good = bool(score >= least or self.sure[pair]) and not taken
        return Match(
            row=row,
            record=pairs.pool[pairs.records[pair]],
            score=round(score, 4),
            evidence=in_words(pairs.table.comparison.pairings, pairs.similarities[pair]),
            fate=("ambiguous" if other else "matched") if good else "below threshold",
            other=other if good else "",
        )

    def _equals(self, best: dict[int, int], logits: Floats) -> dict[int, str]:
        """Pairs whose row another record fits as well that is no copy of the first."""
        pairs = self.candidates
        first = np.full(len(pairs.table.comparison.rows), -1, dtype=np.int64)
        first[list(best)] = list(best.values())
        lead = first[pairs.rows]
        least = np.log(self.threshold / (1 - self.threshold)) if self.threshold < 1 else SAID
        close = (logits >= logits[lead] - EQUAL) & (logits >= least) & (lead >= 0)
        rivals = np.flatnonzero(close & ~self.sure[lead] & (lead != np.arange(len(lead))))
        ours = [pairs.values[pairs.records[lead[pair]]] for pair in rivals]
        theirs = [pairs.values[pairs.records[pair]] for pair in rivals]
        alike = pairs.table.comparison.compare(ours, theirs)
        copies = self.scorer.logits(alike) > 0
        # Where they differ in what the row does not say, the row cannot tell them apart.
        unsaid = np.isnan(pairs.similarities[lead[rivals]])
        copies &= ~(unsaid & (self.scorer.parts(alike) < AGAINST)).any(axis=1)
        different = rivals[~copies].tolist()
        return {int(lead[pair]): pairs.pool[pairs.records[pair]].id for pair in different[::-1]}


def _identical(pairs: Candidates) -> Flags:
    """Pairs that are alike in all fields as far as both say, where no other row and record is.

    A model that has seen few rows of few columns amid many records cannot tell how rare it is to
    be alike by chance. Numbers alone are often alike.
    """
    if _only_numbers(pairs):
        return np.zeros(len(pairs.rows), dtype=np.bool_)
    return _alone(np.asarray(_alike(pairs).all(axis=1)), pairs)


def _same(pairs: Candidates) -> Flags:
    """Pairs of which every compared field is the very same, or an identifier that no other has.

    What stands in brackets behind a text, and an article before or behind it, are no part of it
    where no other row and record is then the same. Numbers alone tell one thing from the next only
    where no other has them.
    """
    same = _alone(pairs.equal, pairs) if _only_numbers(pairs) else pairs.equal.copy()
    bare = pairs.bare.any(axis=1) & (_alike(pairs) | pairs.bare).all(axis=1)
    same |= _alone(np.asarray(bare), pairs)
    for at, whole in enumerate(pairs.table.identify):
        if whole:
            same |= _alone(_alike(pairs)[:, at], pairs)
    return same


def _alike(pairs: Candidates) -> Flags:
    return np.asarray(pairs.similarities >= 1 - 1e-9)


def _only_numbers(pairs: Candidates) -> bool:
    return all(pairing.kind in ("number", "date") for pairing in pairs.table.comparison.pairings)


def _alone(chosen: Flags, pairs: Candidates) -> Flags:
    """Those of the chosen pairs whose row and whose record are in no other of them."""
    at = np.flatnonzero(chosen)
    rows, records = pairs.rows[at], pairs.records[at]
    alone = np.bincount(rows, minlength=1)[rows] == 1
    alone &= np.bincount(records, minlength=1)[records] == 1
    found = np.zeros(len(chosen), dtype=np.bool_)
    found[at[alone]] = True
    return found


def _best(logits: Floats, order: Ints, rows: Ints) -> dict[int, int]:
    """The best pair of each row; of equals the first.

    order: the pairs, the best first.
    """
    order = order[logits[order] > -np.inf]
    found, first = np.unique(rows[order], return_index=True)
    return dict(zip(found.tolist(), order[first].tolist(), strict=True))


def _once(logits: Floats, order: Ints, rows: Ints, records: Ints) -> Floats:
    """Give each record to one row and each row one record, the most certain first."""
    left = np.full(len(logits), -np.inf)
    given: set[int] = set()
    served: set[int] = set()
    for pair in order.tolist():
        row, record = int(rows[pair]), int(records[pair])
        if row not in served and record not in given:
            left[pair] = logits[pair]
            served.add(row)
            given.add(record)
    return left


#: A record of lower odds (as a logarithm: nine to one) is doubtful: it may not fill the row.
SURE = 2.2
#: Rows that are compared with a record: fewer than in the end, for there are many records.
KEEP = 3


class Prefilter:
    """Matches a record at a time, with the weights it starts with.

    It learns nothing, so what it says of a record does not depend on those before.

    table: the columns, indexed when the first record comes: no call has to wait for it.
    doubts: the rows that were matched, and whether by doubtful records only.
    """

    def __init__(self, columns: Mapping[str, Sequence[str]], alignment: Alignment) -> None:
        self._columns, self._alignment = columns, alignment
        self.table: Table | None = None
        self._spots: list[list[int]] = []
        self.doubts: dict[int, bool] = {}

    def rows(self, record: Record) -> Sequence[int]:
        """Return the rows that the record matches: more than one only where they are alike."""
        if self.table is None:
            self.table = Table(self._columns, self._alignment)
            self._spots = list(self.table.comparison.spots.values())
        comparison = self.table.comparison
        values = comparison.values(record)
        near = self.table.near(values, KEEP)
        if not near:
            return []
        logits = self.table.start.logits(
            comparison.compare([comparison.rows[row] for row in near], [values] * len(near))
        )
        least = max(0.0, float(logits.max()) - BETTER)
        equal = comparison.equal(values)
        good = [at for at, row in enumerate(near) if logits[at] > least or row == equal]
        for at in good:
            doubtful = float(logits[at]) < SURE and near[at] != equal
            for row in self._spots[near[at]]:
                self.doubts[row] = self.doubts.get(row, True) and doubtful
        return sorted(spot for at in good for spot in self._spots[near[at]])
