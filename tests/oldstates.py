"""States as older versions wrote them down, made from today's."""

from itertools import chain
from typing import Any

import numpy as np


def in_one_piece(state: dict[str, Any]) -> dict[str, Any]:
    """Return the state of a frontier of `vein` as it was before there were blocks."""
    texts, told = state["texts"], state["told"]
    parents = [text[1][0][number] for text in texts for number in text[1][1].tolist()]
    distinct = list(dict.fromkeys(parents))
    return {
        "version": 2,
        "urls": list(chain.from_iterable(text[0] for text in texts)),
        "parents": [distinct, np.array([distinct.index(one) for one in parents], dtype=np.int32)],
        "arms": np.concatenate([text[2] for text in texts]),
        "free": state["free"],
        "rows": [np.concatenate(state["rows"])],
        "told": np.concatenate([one for one, _ in told], axis=1),
        "chain": np.concatenate([one for _, one in told], axis=1),
        "ends": state["ends"],
        "rated": state["rated"],
    }
