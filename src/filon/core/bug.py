"""What becomes of an answer that Filon itself fails on: a failed step, with how to report it.

Its body is kept in the archive, for whoever mends the bug, and not looked at again: the strategy is
told of a failure and no more.
"""

import traceback
from dataclasses import replace
from pathlib import PurePath

from filon.core.response import Response

#: The kind of Response.error.
BUG = "bug"


def failed(response: Response, problem: BaseException) -> Response:
    """Return an answer that could not be dealt with, as what it is: a failure of ours.

    The exception's own text stays out of it: it may hold anything, a password too.
    """
    detail = (
        f"Filon failed on this answer ({type(problem).__name__} at {_place(problem)}), which is a "
        "bug; the run goes on without it. Please report it as an issue of the project, with this "
        "sentence, the address and what filon --version prints."
    )
    return replace(response, error=BUG, detail=detail)


def bare(response: Response) -> Response:
    """Return what a strategy is told of such an answer."""
    return replace(response, headers=(), body=b"", spool="", cut="")


def _place(problem: BaseException) -> str:
    """Return where it came up: the innermost lines of code, the last first."""
    frames = traceback.extract_tb(problem.__traceback__)[-3:]
    return " < ".join(
        f"{'/'.join(PurePath(frame.filename).parts[-2:])}:{frame.lineno}" for frame in frames[::-1]
    )
