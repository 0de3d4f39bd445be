"""The reasons that the paper's crawler gives for its steps read as sentences."""

import re

from filon.page.types import Types
from filon.testing.site import ToySite
from filon.verbs.harvest.strategies import Brief, build


def reasons(steps: int) -> list[str]:
    site = ToySite()
    strategy = build("sb", Brief(start=site.start, types=Types.parse("data"), seed=1))
    told: list[str] = []
    while len(told) < steps and (step := strategy.propose()):
        told.append(step.reason.text)
        strategy.observe(step, site.answer(step.request))
    return told


def test_one_link_is_told_in_the_singular_and_more_in_the_plural() -> None:
    counted = [match[0] for told in reasons(150) if (match := re.search(r"\d+ links?\b", told))]
    assert "1 link" in counted
    assert any(each.endswith("links") for each in counted)
    assert "1 links" not in counted
