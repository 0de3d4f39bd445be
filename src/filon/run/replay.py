"""Brings a strategy to where a run stands: the last checkpoint, then the ledger's tail.

The loop asks a strategy in an order that the ledger can tell: for each answer, first the steps
that were proposed since the answer before, then, if the row says so, one proposal of nothing,
then the answer itself.
"""

from pathlib import Path

from filon.core import MachineError, Step, Strategy
from filon.run.answers import Answers
from filon.run.checkpoint import UnreadableError, load
from filon.run.ledger import Ledger, Proposal, telling


def rewind(run: Path, ledger: Ledger, strategy: Strategy) -> dict[int, Step]:
    """Replay a run and return the steps in flight by number."""
    answers = Answers(run)
    steps_in, answers_in, flying = _restore(ledger, strategy)
    proposals = ledger.proposed(steps_in)
    waiting = next(proposals, None)
    for row in ledger.answered(answers_in):
        while waiting and waiting.after < row["answer"]:
            flying[waiting.step] = _propose(run, strategy, waiting)
            waiting = next(proposals, None)
        if row["idle"] and strategy.propose() is not None:
            raise _stranger(run, row["step"])
        step = flying.pop(row["step"])
        strategy.observe(step, answers.read(row, step.request.url))
    while waiting:
        flying[waiting.step] = _propose(run, strategy, waiting)
        waiting = next(proposals, None)
    return dict(sorted(flying.items()))


def _restore(ledger: Ledger, strategy: Strategy) -> tuple[int, int, dict[int, Step]]:
    for row in ledger.checkpoints():
        try:
            checkpoint = load(row["state"])
        except UnreadableError:
            continue  # the one before it, or the whole ledger, leads to the same place
        strategy.restore(checkpoint.state)
        return row["steps"], row["answers"], dict(checkpoint.flying)
    return 0, 0, {}


def _propose(run: Path, strategy: Strategy, proposal: Proposal) -> Step:
    step = strategy.propose()
    if step is None or telling(step) != proposal.told:
        raise _stranger(run, proposal.step)
    return step


def _stranger(run: Path, step: int) -> MachineError:
    return MachineError(
        f"{run} was made by another version of Filon: "
        f"from step {step} on, its strategy would go another way."
    )
