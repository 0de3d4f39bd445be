"""The file of a prior over sites: what `filon learn` writes and a harvest reads.

An archive of numpy with the version of the features, the numbers of those that mean something, and
two weights of each. One comes with Filon.
"""

import io
from pathlib import Path
from typing import TYPE_CHECKING

from filon.core import UserError
from filon.verbs.harvest import prior_bytes

if TYPE_CHECKING:  # numbers are slow to import, and settings are read before any is needed
    from filon.verbs.harvest.strategies.vein.site_prior import SitePrior, Weights

#: Of the file: raised whenever features change their meaning.
VERSION = 1
#: Weights below this are left out of a file.
LEAST = 0.0005


def site_prior(name: str) -> "SitePrior":
    """Return a prior that reads its file when it is needed."""
    from filon.verbs.harvest.strategies.vein.site_prior import SitePrior

    return SitePrior(lambda: load(name))


def load(name: str) -> "Weights":
    """Return the weights of a prior."""
    from zipfile import BadZipFile

    import numpy as np

    from filon.verbs.harvest.strategies.vein.site_prior import SIZE

    weights = np.zeros((2, SIZE), dtype=np.float32)
    try:
        with np.load(io.BytesIO(prior_bytes(name)), allow_pickle=False) as file:
            if int(file["version"]) == VERSION:
                weights[:, file["at"]] = file["weights"]
                return weights
    except (ValueError, IndexError, KeyError, EOFError, BadZipFile):
        pass  # it is none
    raise UserError(f"{name} is no prior of this version: make one with filon learn.")


def save(weights: "Weights", path: Path) -> None:
    """Write a prior into a file."""
    import numpy as np

    at = np.flatnonzero(np.abs(weights).max(axis=0) >= LEAST)
    kept = weights[:, at].astype(np.float16)
    with path.open("wb") as file:
        np.savez_compressed(file, version=VERSION, at=at.astype(np.uint16), weights=kept)
