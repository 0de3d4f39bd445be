"""Promise 4: a million known URLs take less than 1 GiB, also while a checkpoint is made."""

import pytest

from experiments.capacity import known_urls


@pytest.mark.timeout(180)
@pytest.mark.parametrize("strategy", ["bfs", "sb", "vein"])
def test_a_million_known_urls_fit_into_1_gib(strategy: str) -> None:
    told = known_urls(strategy, 1_000_000)
    assert told["known"] >= 1_000_000
    assert told["mib"] < 1024
