"""Review a run's matches: the most uncertain pairs are asked about, and the table filled again."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from filon.run import readonly
from filon.run.text import count, plain
from filon.verbs.enrich import EnrichSettings
from filon.verbs.enrich.fill import gather, match, read_review, write_filled, write_review
from filon.verbs.enrich.job import reopen
from filon.verbs.enrich.match.review import Pair, Review
from filon.verbs.review import Shown, Standing

#: Names of columns that say what a row is called.
_ID = re.compile(r"(?i)(^|[\W_])(id|key|code|number|nr|no)$")
#: Rows that say the same are listed up to so many.
_ROWS = 5
_SAID = {True: "accepted", False: "rejected", None: "skipped"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Is this row that record? The cells and fields that are matched stand side by side.

    rows: of the table, counted from 1, that say so.
    id: what the table calls the first of them, with the name of that column.
    """

    pair: Pair
    sides: Mapping[str, tuple[str, str]]
    rows: Sequence[int] = ()
    id: str = ""

    def shown(self, number: int) -> str:
        """Return the question as lines for a terminal."""
        width = max(map(len, self.sides), default=0)
        lines = [f"\n{number}. Are these the same? (score {self.pair.score:.2f})"]
        lines.append(f"  {' · '.join(filter(None, [self._place, plain(self.id, 100)]))}")
        record = self.pair.record
        lines.append(
            f"  record {' · '.join(plain(name, 100) for name in (record.id, record.url) if name)}"
        )
        for name, (own, found) in self.sides.items():
            lines.append(f"  {plain(name):>{width}}  {plain(own, 100)}")
            lines.append(f"  {'':>{width}}  {plain(found, 100)}")
        return "\n".join(lines)

    def told(self) -> Shown:
        """Return the question as plain data."""
        record, score = self.pair.record, f"{self.pair.score:.2f}"
        facts = [("row", self._place), ("called", self.id), ("record", record.id), ("score", score)]
        return Shown(
            key=_key(self.pair),
            kind="match",
            facts=[(name, fact) for name, fact in facts if fact],
            sides=[(name, own, found) for name, (own, found) in self.sides.items()],
            url=record.url,
        )

    @property
    def _place(self) -> str:
        listed = ", ".join(map(count, self.rows[:_ROWS]))
        more = " …" if len(self.rows) > _ROWS else ""
        return f"row{'s' * (len(self.rows) > 1)} {listed}{more}"


class MatchReview:
    """A review of a run: what is said is kept at once, and the table filled at the end.

    most: questions asked at most in this session; 0: as long as the answers help.
    """

    done = "the table is filled"

    def __init__(self, run_path: Path, most: int = 0) -> None:
        self._path = run_path
        self._job = reopen(run_path, EnrichSettings.of(readonly.config(run_path)))
        self._gathered = gather(run_path, self._job)
        matches = match(self._job, self._gathered.fetched)
        kept = read_review(run_path)
        self._earlier = len(kept.get("answers", []))
        self._review = Review(matches, most + self._earlier if most else 0, kept or None)
        self._rows = self._job.distinct.rows()
        self._ids = self._read_ids()

    def _read_ids(self) -> list[str]:
        """Return what the table calls its rows, in a column that is not compared anyway."""
        others = (name for name in self._job.table.names if name not in self._job.matched)
        for name in others:
            if _ID.search(name):
                cells = self._job.table.read([name])[name]
                is_number = all(cell == str(row) for row, cell in enumerate(cells, start=1))
                return [] if is_number else [f"{name} {cell}" for cell in cells]
        return []

    @property
    def answers(self) -> int:
        """How many pairs were asked about in this session."""
        return len(self._review.state()["answers"]) - self._earlier

    def next(self) -> Question | None:
        """Return the next question; None when there is nothing more to learn."""
        pair = self._review.next()
        if pair is None:
            return None
        sides = self._sides(pair)
        rows = self._rows[pair.row]
        own = self._ids[rows[0]] if self._ids else ""
        return Question(pair=pair, sides=sides, rows=[row + 1 for row in rows], id=own)

    def _sides(self, pair: Pair) -> dict[str, tuple[str, str]]:
        """Return by column what the table and what the record says."""
        sides = {}
        for pairing in self._review.matches.candidates.table.comparison.pairings:
            own = self._job.distinct.columns[pairing.column][pair.row]
            sides[pairing.column] = own, pair.record.fields.get(pairing.field, "")
        return sides

    def answer(self, question: Question, same: bool | None) -> None:
        """Take an answer and keep it: yes, no, or None where the person cannot tell."""
        self._review.answer(question.pair, same)
        write_review(self._path, self._review.state())

    def undo(self) -> bool:
        """Take the last answer back, of this session or an earlier one."""
        state = self._review.state()
        if not state["answers"]:
            return False
        *_, same = state["answers"].pop()
        if same is not None:
            state["changes"].pop()
        most = self._review.most
        self._earlier = min(self._earlier, len(state["answers"]))
        self._review = Review(self._review.matches, most, state)
        write_review(self._path, state)
        return True

    def standings(self, most: int) -> list[Standing]:
        """Return the pairs that wait, the most doubtful first, after those that were asked."""
        asked = [self._standing(pair, _SAID[same]) for pair, same in self._review.asked()]
        waiting = self._review.waiting(most)
        return [*asked, *(self._standing(pair, "") for pair in waiting)][:most]

    def _standing(self, pair: Pair, said: str) -> Standing:
        sides = self._sides(pair).values()
        own, found = (" · ".join(filter(None, side)) for side in zip(*sides, strict=True))
        return Standing(key=_key(pair), name=own, note=found, score=pair.score, said=said)

    def end(self) -> None:
        """Fill the table with what was learnt."""
        write_filled(self._path, self._job, self._gathered, self._review.matches)


def _key(pair: Pair) -> str:
    """Return what tells a pair from the others."""
    return f"{pair.row}:{pair.record.id}"
