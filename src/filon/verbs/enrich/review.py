"""Review a run's matches: the most uncertain pairs are asked about, and the table filled again."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from filon.run import readonly
from filon.run.text import plain
from filon.verbs.enrich import EnrichSettings
from filon.verbs.enrich.fill import gather, match, read_review, write_filled, write_review
from filon.verbs.enrich.job import reopen
from filon.verbs.enrich.match.review import Pair, Review


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Is this row that record? The cells and fields that are matched stand side by side."""

    pair: Pair
    sides: Mapping[str, tuple[str, str]]

    def shown(self, number: int) -> str:
        """Return the question as lines for a terminal."""
        width = max(map(len, self.sides), default=0)
        lines = [f"\n{number}. Are these the same? (score {self.pair.score:.2f})"]
        for name, (own, found) in self.sides.items():
            lines.append(f"  {plain(name):>{width}}  {plain(own, 100)}")
            lines.append(f"  {'':>{width}}  {plain(found, 100)}")
        return "\n".join(lines)


class MatchReview:
    """A review of a run: what is said is kept at once, and the table filled at the end."""

    done = "the table is filled"

    def __init__(self, run_path: Path, most: int = 50) -> None:
        self._path = run_path
        self._job = reopen(run_path, EnrichSettings.of(readonly.config(run_path)))
        self._gathered = gather(run_path, self._job)
        matches = match(self._job, self._gathered.fetched)
        kept = read_review(run_path)
        self._review = Review(matches, most + len(kept.get("answers", [])), kept or None)
        self._earlier = len(kept.get("answers", []))

    @property
    def answers(self) -> int:
        """How many pairs were asked about in this session."""
        return len(self._review.state()["answers"]) - self._earlier

    def next(self) -> Question | None:
        """Return the next question; None when there is nothing more to learn."""
        pair = self._review.next()
        if pair is None:
            return None
        sides = {}
        for pairing in self._review.matches.candidates.table.comparison.pairings:
            own = self._job.distinct.columns[pairing.column][pair.row]
            sides[pairing.column] = own, pair.record.fields.get(pairing.field, "")
        return Question(pair=pair, sides=sides)

    def answer(self, question: Question, same: bool | None) -> None:
        """Take an answer and keep it: yes, no, or None where the person cannot tell."""
        self._review.answer(question.pair, same)
        write_review(self._path, self._review.state())

    def end(self) -> None:
        """Fill the table with what was learnt."""
        write_filled(self._path, self._job, self._gathered, self._review.matches)
