"""What every strategy promises (`filon.testing`), on those of the verbs, and guards."""

from collections.abc import Callable

import pytest

from contracts.cases import CASES, case
from filon.testing import STRATEGY, Case, ToySite
from filon.testing.case import run
from filon.testing.strategies import digest, digests, is_the_same_in_another_process

#: All but the one that starts a process: that is done once for all.
CHECKS = [check for check in STRATEGY if check is not is_the_same_in_another_process]
HARVESTING = [name for name in CASES if name.startswith("harvest ")]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_it_keeps_the_contract(name: str, check: Callable[[Case], None]) -> None:
    check(case(name))


def test_they_are_the_same_byte_for_byte_in_another_process() -> None:
    assert digests("contracts.cases:case", CASES) == {name: digest(case(name)) for name in CASES}


@pytest.mark.parametrize("name", HARVESTING)
def test_it_finds_every_target_of_a_small_site(name: str) -> None:
    assert {find.url for find in run(case(name)).finds} == set(ToySite().targets())
