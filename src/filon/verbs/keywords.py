"""Words that settings had in earlier versions: a Python caller may still use them."""

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from filon.verbs.settings import Settings

P = ParamSpec("P")
R = TypeVar("R")


def takes_old_words(settings: type[Settings]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator: old keywords of these settings are passed on by today's words.

    Each is a DeprecationWarning.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            return function(*args, **settings.renamed(kwargs, warn=True))

        return call

    return decorate
