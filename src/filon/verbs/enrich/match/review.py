"""Which pairs to ask a person about, and what becomes of the answers.

Knows no terminal: whoever holds the dialogue asks for the next pair and hands in the answer.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from filon.core.service import Record
from filon.verbs.enrich.match.matcher import Matches, in_words
from filon.verbs.enrich.match.scorer import logistic
from filon.verbs.enrich.match.similarity import Floats

#: Log odds from the threshold over which a pair loses most of its interest.
NEAR = 1.5
#: Distance, in evidence, within which a pair is like one that was asked about.
LIKE = 2.0
#: So many answers say whether the review still helps; fewer are chance.
PATIENCE = 12
#: Part of the other rows that these may still change when it stops.
CHANGE = 0.002
#: Part of these that may still change their own row: each yes to what was not taken fills one.
OWN = 0.2
#: Pairs farther than this from the threshold are worth a question only where none is nearer.
CERTAIN = 6.0


class Pair(NamedTuple):
    """A question: is this row that record?"""

    row: int
    record: Record
    score: float
    evidence: str


class Review:
    """Asks about the pairs whose answers teach most, as long as they help.

    An answer helps where it changes what is decided of its own row or of others.

    matches: decided anew after each answer. most: questions asked at most; 0: as long as it helps.
    state: what `state` returned, to go on from there.
    """

    def __init__(
        self, matches: Matches, most: int = 0, state: Mapping[str, Any] | None = None
    ) -> None:
        self.matches = matches
        self.most = most
        self._answers: list[tuple[int, str, bool | None]] = []
        self._changes: list[tuple[bool, int]] = []  # of the row in question, and of others
        pairs = matches.candidates
        self._rows = [rows[0] for rows in pairs.table.comparison.spots.values()]
        keys = zip(pairs.rows.tolist(), pairs.records.tolist(), strict=True)
        self._at = {
            (self._rows[row], pairs.pool[record].id): at for at, (row, record) in enumerate(keys)
        }
        if state:
            self._go_on(state)

    @property
    def labels(self) -> dict[tuple[int, str], bool]:
        """What was said so far; what was skipped is not in it."""
        return {(row, record): same for row, record, same in self._answers if same is not None}

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        changes = [list(changed) for changed in self._changes]
        return {"version": 1, "answers": [list(each) for each in self._answers], "changes": changes}

    def _go_on(self, state: Mapping[str, Any]) -> None:
        """Decide once with all answers; an older state does not say what each has changed."""
        answers = [(int(row), str(record), same) for row, record, same in state["answers"]]
        if "changes" in state:
            self._answers = answers
            self._changes = [(bool(own), int(others)) for own, others in state["changes"]]
            self.matches.decide(self.labels)
            return
        for answer in answers:
            self._take(*answer)

    def next(self) -> Pair | None:
        """Return the pair to ask about; None when there is nothing more to learn."""
        if (self.most and len(self._answers) >= self.most) or self._settled():
            return None
        return next(iter(self.waiting(1)), None)

    def waiting(self, most: int) -> list[Pair]:
        """Return the pairs that are worth a question, those that teach most first."""
        worth = self._worth()
        best = np.argsort(-worth, kind="stable")[:most]
        return [self._pair(at) for at in best.tolist() if worth[at] > 0]

    def asked(self) -> list[tuple[Pair, bool | None]]:
        """Return the pairs that were asked about, with what was said, the last first."""
        said = [(self._at.get((row, record)), same) for row, record, same in self._answers]
        return [(self._pair(at), same) for at, same in reversed(said) if at is not None]

    def answer(self, pair: Pair, same: bool | None) -> None:
        """Take an answer: yes, no, or None where the person cannot tell."""
        self._take(pair.row, pair.record.id, same)

    def _take(self, row: int, record: str, same: bool | None) -> None:
        before = self._decisions()
        self._answers.append((row, record, same))
        if same is not None:
            self.matches.decide(self.labels)
            after = self._decisions()
            own = before[row] != after[row]
            changed = sum(a != b for a, b in zip(before, after, strict=True))
            self._changes.append((own, changed - own))

    def _settled(self) -> bool:
        last = self._changes[-PATIENCE:]
        own, others = sum(own for own, _ in last), sum(others for _, others in last)
        helps = own > OWN * PATIENCE or others > CHANGE * self.matches.size
        return len(last) == PATIENCE and not helps

    def _decisions(self) -> list[str]:
        return [
            match.record.id if match.record and match.fate == "matched" else ""
            for match in self.matches
        ]

    def _worth(self) -> Floats:
        """Near the threshold, and unlike what was asked before.

        Where all pairs are far below it, the scorer may have learnt nothing: the best are asked.
        """
        pairs, at = self.matches.candidates, self.matches.threshold
        middle = float(np.log(at / (1 - at))) if at < 1 else CERTAIN
        far = np.abs(self.matches.logits - middle)
        asked = self._spots()
        # Only a row's best record can fill it: of the others nobody needs to know.
        askable = np.zeros(len(far))
        askable[self.matches.best] = 1.0
        askable[asked] = 0.0
        below = (self.matches.logits < middle) & (askable > 0)
        if below.any() and not (far[askable > 0] < CERTAIN).any():
            far = np.where(below, far - far[below].min(), CERTAIN)
        worth = np.where(far < CERTAIN, np.exp(-far / NEAR), 0.0)
        # A row for each field: numpy adds up few long rows many times faster than many short ones.
        parts = np.ascontiguousarray(self.matches.scorer.parts(pairs.similarities).T)
        for spot in asked:
            apart = ((parts - parts[:, spot, None]) ** 2).sum(axis=0)
            worth *= 1 - 0.9 * np.exp(-apart / (2 * LIKE**2))
        return np.asarray(worth * askable)

    def _spots(self) -> list[int]:
        """The pairs that were asked about."""
        asked = ((row, record) for row, record, _ in self._answers)
        return [self._at[key] for key in asked if key in self._at]

    def _pair(self, at: int) -> Pair:
        pairs = self.matches.candidates
        return Pair(
            row=self._rows[int(pairs.rows[at])],
            record=pairs.pool[int(pairs.records[at])],
            score=round(float(logistic(self.matches.logits[at])), 4),
            evidence=in_words(pairs.table.comparison.pairings, pairs.similarities[at]),
        )
