"""What plugins promise, as checks that their tests can call: `filon.testing`.

A check is a function that returns nothing and raises an AssertionError with a sentence. pytest is
not needed; with it, one test a check is one line:

    import pytest
    from filon.testing import STRATEGY, harvest_case

    @pytest.mark.parametrize("check", STRATEGY)
    def test_tide_keeps_the_contract(check):
        check(harvest_case(Tide))

    strategies   STRATEGY, on a `Case`: a strategy and the small web it is tried on, as
                 harvest_case, enrich_case and discover_case make it
    exports      check_export
    sources      check_source, and check_searcher for search services
    portals      check_portal
    verbs        check_verb
    guards       Listed and play: a strategy to stand round, and a loop without a web
    webs         check_web; acheck_web within a loop
    learners     check_learner
"""

from filon.testing.case import Case, discover_case, enrich_case, harvest_case
from filon.testing.discovery import ToyDiscovery
from filon.testing.listed import Listed, play
from filon.testing.parts import (
    acheck_web,
    check_export,
    check_learner,
    check_portal,
    check_searcher,
    check_source,
    check_verb,
    check_web,
)
from filon.testing.site import ToySite
from filon.testing.strategies import STRATEGY, check_strategy
from filon.testing.table import ToyTable

__all__ = [
    "STRATEGY",
    "Case",
    "Listed",
    "ToyDiscovery",
    "ToySite",
    "ToyTable",
    "acheck_web",
    "check_export",
    "check_learner",
    "check_portal",
    "check_searcher",
    "check_source",
    "check_strategy",
    "check_verb",
    "check_web",
    "discover_case",
    "enrich_case",
    "harvest_case",
    "play",
]
