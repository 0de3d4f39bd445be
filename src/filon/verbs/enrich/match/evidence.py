"""Why two things are taken for one, in words."""

from collections.abc import Sequence

from filon.verbs.enrich.match.align import Pairing
from filon.verbs.enrich.match.similarity import Floats


def in_words(pairings: Sequence[Pairing], similarities: Floats) -> str:
    """Return how alike each field is; fields that one side lacks are left out.

    >>> import numpy as np
    >>> columns = ("title", "year", "isbn")
    >>> names = [Pairing(column=name, field=name, kind="text") for name in columns]
    >>> in_words(names, np.array([0.973, 1.0, np.nan]))
    'title 0.97, year equal'
    """
    said = zip((pairing.column for pairing in pairings), similarities.tolist(), strict=True)
    return ", ".join(
        f"{name} equal" if alike == 1.0 else f"{name} {min(alike, 0.99):.2f}"
        for name, alike in said
        if alike == alike
    )
