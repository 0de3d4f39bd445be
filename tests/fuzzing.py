"""How much a fuzzer tries: a little in `make test`, as much as asked for by FILON_EXAMPLES."""

import os

from hypothesis import settings


def examples(usual: int) -> settings:
    """The settings of a fuzzer that tries `usual` examples, or FILON_EXAMPLES where that is set.

    `FILON_EXAMPLES=10000 make test TESTS=tests/unit/page/test_fuzz.py` is a long look.
    """
    return settings(max_examples=int(os.environ.get("FILON_EXAMPLES", usual)))
