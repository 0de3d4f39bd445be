"""Strategies that know a replica beforehand."""

import pytest

from filon.compare.oracles import NAMES, ORACLES, build
from filon.core import UserError
from filon.page.types import Types
from filon.testing.site import ToySite
from filon.verbs.harvest.strategies import REPLICA_ONLY, STRATEGIES, Brief


def test_they_are_compared_with_the_strategies_of_harvests_in_the_order_of_the_tables() -> None:
    assert NAMES[:3] == ("vein", "sb", "sb-oracle")
    assert set(NAMES) == {*STRATEGIES, *ORACLES}
    assert len(NAMES) == len(set(NAMES))


def test_a_harvest_knows_their_names_and_has_none_of_them() -> None:
    assert set(ORACLES) == REPLICA_ONLY
    assert not REPLICA_ONLY & set(STRATEGIES)


def test_an_option_that_an_oracle_does_not_have_is_refused() -> None:
    site = ToySite()
    task = Brief(start=site.start, types=Types.parse("data"), options={"alpha": 1.0})
    assert build("sb-oracle", task, site).propose()
    with pytest.raises(UserError, match="no option 'alpha'"):
        build("omniscient", task, site)
