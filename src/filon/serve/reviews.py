"""Reviews that are open in this server: each keeps its question until it is answered.

What was said is kept by the review itself, at once, in the folder of its run; nothing here has to
outlive the server. All of it blocks: `aside` calls it.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from filon.core import UserError
from filon.run import readonly
from filon.run.handle import REPORT
from filon.run.report import write_report
from filon.serve.words import t
from filon.verbs.registry import verb_of
from filon.verbs.review import Review, Shown, Standing
from filon.verbs.settle import settle

#: What may be said of a question, as a form has it.
ANSWERS = {"yes": True, "no": False, "skip": None}
#: Of the list beside a question, so many are shown.
MOST_SHOWN = 50
#: Reviews that are held open: each has the texts of its pages, or the pairs of its table.
MOST_OPEN = 4
#: Where the reviews of all verbs keep what was said, in the folder of the run.
ANSWERED = "review.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How a review stands.

    question: None where nothing more is worth asking. answers: given since it was opened.
    unused: some answers are not yet in the list or the table.
    stale: what was said last was about another question, and is not taken.
    """

    question: Shown | None
    standings: Sequence[Standing]
    answers: int
    unused: bool
    stale: bool = False


@dataclass(slots=True)
class _Sitting:
    """One review, as long as its run stands still."""

    review: Review
    stamp: float
    question: Any = None
    unused: bool = False

    def ask_next(self) -> None:
        """Go on to what is asked now that something was said."""
        self.unused, self.question = True, self.review.next()

    def view(self) -> View:
        """Return how it stands."""
        return View(
            question=self.question.told() if self.question is not None else None,
            standings=self.review.standings(MOST_SHOWN),
            answers=self.review.answers,
            unused=self.unused,
        )


@dataclass(slots=True)
class Reviews:
    """The reviews that are open, by the folders of their runs."""

    _open: dict[Path, _Sitting] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def view(self, run: Path) -> View:
        """Return how a review stands, which is opened where it is not."""
        with self._held(run) as sitting:
            return sitting.view()

    def answer(self, run: Path, key: str, said: str) -> View:
        """Take an answer to a question, one of ANSWERS, and ask the next.

        An answer to another question than the one that is asked now is not taken: it comes from a
        page that has grown stale, as of a second tab.
        """
        if said not in ANSWERS:
            raise UserError(t("decide.unknown", known=", ".join(ANSWERS), said=said))
        with self._held(run) as sitting:
            if sitting.question is None or sitting.question.told().key != key:
                return replace(sitting.view(), stale=True)
            sitting.review.answer(sitting.question, ANSWERS[said])
            sitting.ask_next()
            return sitting.view()

    def undo(self, run: Path) -> View:
        """Take the last answer back; what it was about is asked again."""
        with self._held(run) as sitting:
            if sitting.review.undo():
                sitting.ask_next()
            return sitting.view()

    def use(self, run: Path) -> View:
        """Write what follows from the answers: the list, or the table, and the report."""
        with self._held(run) as sitting:
            self._use(run, sitting)
            return sitting.view()

    def close(self) -> None:
        """Use what was said and not used yet; the server ends."""
        with self._lock:
            for run in [*self._open]:
                self._put_away(run)

    def _use(self, run: Path, sitting: _Sitting) -> None:
        _check_rest(run)
        sitting.review.end()
        write_report(run, verb_of(run).page)
        sitting.unused = False

    def _put_away(self, run: Path) -> None:
        """Close a review, and use what was said."""
        sitting = self._open.pop(run)
        if sitting.unused and not readonly.running(run):
            self._use(run, sitting)

    @contextmanager
    def _held(self, run: Path) -> Iterator[_Sitting]:
        """Give a review to one alone."""
        with self._lock:
            yield self._sitting(run)

    def _sitting(self, run: Path) -> _Sitting:
        """Return a review; one of a run that went on since is opened anew."""
        _check_rest(run)
        stamp = (run / readonly.LEDGER).stat().st_mtime
        found = self._open.get(run)
        if found is None or found.stamp != stamp:
            review = settle(run).review(run, 0)
            stamp = (run / readonly.LEDGER).stat().st_mtime
            found = _Sitting(review, stamp, review.next(), _is_unused(run))
            self._open.pop(run, None)
            while len(self._open) >= MOST_OPEN:
                self._put_away(next(iter(self._open)))
            self._open[run] = found
        return found


def _check_rest(run: Path) -> None:
    if readonly.running(run):
        raise UserError(t("decide.at_work", run=run.name))


def _is_unused(run: Path) -> bool:
    """Say whether something was said since the result was written: the server was killed then."""
    said, report = run / ANSWERED, run / REPORT
    return said.exists() and (
        not report.exists() or said.stat().st_mtime_ns > report.stat().st_mtime_ns
    )


def is_open_to_review(run: Path) -> bool:
    """Say whether a run has something that a person may decide."""
    verb = verb_of(run)
    return verb.review_option is not None and verb.is_reviewable(run)
