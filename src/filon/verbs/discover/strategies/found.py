"""A site or a repository as a run tells it: the same for every strategy, in order of merit."""

from dataclasses import asdict, dataclass
from typing import Any

from filon.verbs.discover.strategies.page import Met, Page


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Met):
    """One result, why it is one, and what was verified.

    kind: "repository" (its data files were seen) or "site".
    url: its page to begin with. site: what is told apart by the brief.
    score: the topic score that orders the list; more is better, and only within one run.
    files, datasets: how many were seen; datasets may be the portal's own count.
    formats: of the files, the most frequent first. software: the portal's.
    licence, modified: the most frequent, the latest; "" where nothing tells.
    markup: what the pages say in a form for machines: "schema.org Dataset", "DCAT".
    mirrors: other addresses of the same.
    known: the registry of catalogues has it.
    apart: why it is not on the list but beside it; "" where it is on it.
    """

    kind: str = "site"
    url: str = ""
    site: str = ""
    title: str = ""
    score: float = 0.0
    files: int = 0
    datasets: int = 0
    formats: tuple[str, ...] = ()
    software: str = ""
    licence: str = ""
    modified: str = ""
    markup: tuple[str, ...] = ()
    known: bool = False
    mirrors: tuple[str, ...] = ()
    apart: str = ""

    def row(self) -> dict[str, Any]:
        """Return plain data."""
        row = asdict(self)
        if not self.apart:
            del row["apart"]
        return row


def found_site(page: Page, score: float) -> Found:
    """Return a site by one of its pages: nothing of it was verified."""
    return Found(
        kind="site",
        url=page.url,
        site=page.site,
        title=page.title,
        score=round(score, 6),
        **page.way,
    )
