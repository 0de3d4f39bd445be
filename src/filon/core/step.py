"""A request with its reason: the raw material of `filon why`."""

from dataclasses import dataclass, field

from filon.core.request import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why a step was taken.

    kind: "start", "link", "target", "redirect", "head", "robots", "retry", or what a strategy adds.
    arm: the group that was chosen, as the strategy names it; empty where it has none.
    score, expected: what made it the best choice, and the finds it was expected to bring.
    text: the same for people: a clause that continues "because".
    outlook: what the strategy expects of the rest of the run, for the progress line.
    """

    kind: str
    arm: str = ""
    score: float = 0.0
    expected: float = 0.0
    text: str = ""
    outlook: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A request, the reason for it, and the URL of the answer that led to it."""

    request: Request
    reason: Reason = field(default_factory=lambda: Reason(kind="start"))
    parent: str = ""
