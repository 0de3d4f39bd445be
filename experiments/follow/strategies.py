"""What is compared: the strategies of the package, and those that know the web or were taught."""

from collections.abc import Sequence

from experiments.follow.offline import MODELS, Example, Offline
from experiments.follow.oracle import Oracle, Truth
from filon.core import Strategy
from filon.core.plugins import check_options
from filon.verbs.follow import strategies
from filon.verbs.follow.strategies import Brief

NAMES = (*strategies.STRATEGIES, *MODELS, "oracle")


def build(name: str, brief: Brief, truth: Truth, examples: Sequence[Example] = ()) -> Strategy:
    """Return a strategy by its name; only those that must know more are told of it."""
    if name == "oracle":
        check_options(name, {}, brief.options)
        return Oracle(brief, truth)
    if name in MODELS:
        check_options(name, {}, brief.options)
        return Offline(brief, MODELS[name], examples)
    return strategies.build(name, brief)
