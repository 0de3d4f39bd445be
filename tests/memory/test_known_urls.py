"""Promise 4: a million known URLs take less than 1 GiB, also while a checkpoint is made.

`make test` counts with a tenth of a million, as the memory grows by the URL; `make bench`, or
`FILON_URLS=1000000 make test TESTS=tests/memory`, with all of them.
"""

import os

import pytest

from experiments.capacity import known_urls

MANY = int(os.environ.get("FILON_URLS", 100_000))


@pytest.mark.timeout(600)
@pytest.mark.parametrize("strategy", ["bfs", "sb", "vein"])
def test_a_million_known_urls_fit_into_1_gib(strategy: str) -> None:
    few, many = known_urls(strategy, MANY // 10), known_urls(strategy, MANY)
    assert many["known"] >= MANY
    a_url = (many["mib"] - few["mib"]) / (many["known"] - few["known"])
    assert a_url > 0
    assert many["mib"] + a_url * (1_000_000 - MANY) < 1024
