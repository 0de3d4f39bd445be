"""The decision while the crawl goes on: which rows a record that has just come is about."""

from collections.abc import Mapping, Sequence

import numpy as np

from filon.core.service import Record
from filon.verbs.enrich.match.align import Alignment
from filon.verbs.enrich.match.candidates import Table
from filon.verbs.enrich.match.matcher import BETTER

#: A record of lower odds (as a logarithm: nine to one) is doubtful: it may not fill the row.
SURE = 2.2
#: Rows that are compared with a record: fewer than in the end, for there are many records.
KEEP = 3


class Quick:
    """Matches a record at a time, with the weights it starts with.

    It learns nothing, so what it says of a record does not depend on those before.

    doubts: the rows that were matched, and whether by doubtful records only.
    """

    def __init__(self, columns: Mapping[str, Sequence[str]], alignment: Alignment) -> None:
        self.table = Table(columns, alignment)
        self._scorer = self.table.start
        self._spots = list(self.table.lens.spots.values())
        self.doubts: dict[int, bool] = {}

    def rows(self, record: Record) -> Sequence[int]:
        """Return the rows that the record matches: more than one only where they are alike."""
        lens = self.table.lens
        values = lens.values(record)
        near = self.table.near(values, KEEP)
        if not near:
            return []
        logits = self._scorer.logits(
            lens.compare([lens.rows[row] for row in near], [values] * len(near))
        )
        least = max(0.0, float(logits.max()) - BETTER)
        good = np.flatnonzero(logits > least).tolist()
        for at in good:
            for row in self._spots[near[at]]:
                self.doubts[row] = self.doubts.get(row, True) and float(logits[at]) < SURE
        return sorted(spot for at in good for spot in self._spots[near[at]])
