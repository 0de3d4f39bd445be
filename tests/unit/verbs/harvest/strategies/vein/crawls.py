"""Crawls of small sites by `vein`."""

from collections.abc import Callable

from filon.core import Response, Step, Strategy
from filon.page.types import Types
from filon.testing.site import ToySite
from filon.verbs.harvest.strategies import Brief, build


def vein(site: ToySite, **fields: object) -> Strategy:
    brief = Brief(start=site.start, types=Types.parse("data"), **fields)  # type: ignore[arg-type]
    return build("vein", brief)


def crawl(strategy: Strategy, site: ToySite, most: int = 5000) -> list[tuple[Step, Response]]:
    told: list[tuple[Step, Response]] = []
    while len(told) < most and (step := strategy.propose()):
        response = site.answer(step.request)
        strategy.observe(step, response)
        told.append((step, response))
    return told


class Enlarged(ToySite):
    """Has more to answer."""

    def __init__(self, extra: Callable[[], dict[str, tuple[int, str, bytes]]]) -> None:
        super().__init__(topics=1, datasets=1, news=1)
        self._answers |= extra()
