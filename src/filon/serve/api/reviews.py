"""Reviews in the API: questions that only a person can answer, and answers."""

from dataclasses import dataclass
from typing import Annotated, Literal

from filon.core.background import in_thread
from filon.serve.api.operation import Call, Operations
from filon.serve.api.runs import Run
from filon.serve.decide import REVIEWS, reviewable
from filon.serve.reviews import View

operations = Operations("reviews")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewList:
    """Runs of which something can be decided, by name."""

    runs: list[str]


@operations.get("/reviews")
async def list_reviews(call: Call) -> ReviewList:
    """List the runs of which something can be decided."""
    return ReviewList(runs=[each.run.name for each in await in_thread(reviewable, call.home)])


@operations.get("/reviews/{run}")
async def show_review(call: Call, run: Run) -> View:
    """Ask the next question of a review, and tell how the list stands by all answers so far."""
    return await in_thread(call.app[REVIEWS].view, call.home.run(run))


@operations.post("/reviews/{run}")
async def answer_review(
    call: Call,
    run: Run,
    key: Annotated[str, "The key of the question that is answered."],
    said: Annotated[Literal["yes", "no", "skip"], "The answer."],
) -> View:
    """Answer a question, and ask the next; an answer to another question is not taken."""
    return await in_thread(call.app[REVIEWS].answer, call.home.run(run), key, said)


@operations.post("/reviews/{run}/undo")
async def undo_review(call: Call, run: Run) -> View:
    """Take the last answer of a review back."""
    return await in_thread(call.app[REVIEWS].undo, call.home.run(run))


@operations.post("/reviews/{run}/use")
async def use_review(call: Call, run: Run) -> View:
    """Write what follows from the answers: the list, or the table, and the report."""
    return await in_thread(call.app[REVIEWS].use, call.home.run(run))
