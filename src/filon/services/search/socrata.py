"""Socrata Discovery: datasets of all portals of one maker, and the portals they are on."""

from collections import Counter
from dataclasses import replace

from filon.core import Response
from filon.core.searcher import Hit, Hits
from filon.services.search.described import Described
from filon.services.search.searcher import number


class Socrata(Described):
    """Keywords bring datasets; seeds are the portals of these, those with most first."""

    def read(self, operator: str, response: Response) -> Hits:
        """Return what an answer holds."""
        hits = super().read(operator, response)
        if operator == "keyword" or hits.problem:
            return hits
        return replace(hits, hits=_portals(hits.hits), total=None)


def _portals(datasets: tuple[Hit, ...]) -> tuple[Hit, ...]:
    counts = Counter(hit.extra["domain"] for hit in datasets if hit.extra.get("domain"))
    return number(
        [
            Hit(
                url=f"https://{domain}/",
                title=domain,
                extra={"datasets": str(count), "software": "socrata"},
            )
            for domain, count in counts.most_common()
        ]
    )
