"""A small table and the service that it is enriched from, without a socket: `ToyTable`."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import parse_qs, urlencode

from filon.core import Answer, Record, Request, Response, Strategy
from filon.page.url import split
from filon.page.words import keywords
from filon.verbs.enrich.strategies import Brief, Sample

#: The running example of SMARTCRAWL's paper: the table of Figure 1(a), the hidden one of Figure
#: 1(c), the best of it first, and the places of those that are in the sample of Figure 1(b).
LOCAL = ("Thai Noodle House", "Jade Noodle House", "Thai House", "Thai BBQ")
HIDDEN = (
    "Thai House",
    "Steak House",
    "Thai Noodle House",
    "Thai BBQ",
    "Jade Noodle House",
    "House of Pizza",
    "Ramen House",
    "Curry Bar",
    "Sushi Place",
)
SAMPLED = (0, 5, 8)
_URL = "http://hidden.invalid/search"
_WORDS = [a + b for a in ("ka", "lo", "mi", "nu", "re", "so", "ti") for b in ("ban", "dor", "fel")]


class ToyTable:
    """A table of one column, and the provider, the matcher and the web that belong to it.

    rows, hidden: the texts of the table and of the records. A record is about the row that says the
        same. page_size: records of an answer, the best first: those that stand first.
    sampled: the places of the records that a sample holds.

    >>> table = ToyTable()
    >>> [record.fields["name"] for record in table.answer("house").records]
    ['Thai House', 'Steak House']
    """

    name, joins = "toy", "and"

    def __init__(
        self,
        rows: Sequence[str] = LOCAL,
        hidden: Sequence[str] = HIDDEN,
        page_size: int = 2,
        sampled: Sequence[int] = SAMPLED,
    ) -> None:
        self.page_size = page_size
        self.records = [
            Record(id=f"h{at}", fields={"name": text}) for at, text in enumerate(hidden)
        ]
        drawn = [self.records[place] for place in sampled]
        sample = Sample(records=drawn, ratio=len(drawn) / len(self.records))
        self._brief = Brief(
            columns={"name": list(rows)}, provider=self, matcher=self, sample=sample
        )
        self._rows = {text: row for row, text in enumerate(rows)}
        self._held = [frozenset(keywords(text)) for text in hidden]

    @classmethod
    def made(cls, rows: int = 60, hidden: int = 240) -> "ToyTable":
        """Return a larger one of made-up titles; every tenth row is not in the hidden table."""
        chance = random.Random("toy table")
        texts = [_title(chance, number) for number in range(rows + hidden)]
        records = [text for row, text in enumerate(texts) if row >= rows or row % 10]
        chance.shuffle(records)
        return cls(texts[:rows], records, 10, range(0, len(records), 10))

    def brief(self, seed: int = 1, **options: str | float) -> Brief:
        """Return what a strategy is asked to do, with a sample."""
        return replace(self._brief, seed=seed, options=options)

    def play(self, strategy: Strategy, calls: int = 1000) -> list[tuple[str, int]]:
        """Let a strategy make so many calls; return each query and the rows that it covered."""
        played: list[tuple[str, int]] = []
        while len(played) < calls and (step := strategy.propose()):
            finds = strategy.observe(step, self._response(step.request))
            played.append((step.reason.arm, len(finds)))
        return played

    def rows(self, record: Record) -> Sequence[int]:
        """Return the rows that say the same as a record."""
        row = self._rows.get(record.fields["name"])
        return [] if row is None else [row]

    def takes(self, query: str) -> bool:
        """Take every query that has words."""
        return bool(keywords(query))

    def request(self, query: str, page: str = "") -> Request:
        """Return the request for a page of a query's results."""
        return Request(url=f"{_URL}?{urlencode({'q': query, 'page': page or '1'})}")

    def answer(self, query: str) -> Answer:
        """Return the first page of a query's results."""
        return self.parse(self._response(self.request(query)))

    async def fetch(self, request: Request) -> Response:
        """Answer as a service would, in JSON."""
        return self._response(request)

    async def close(self) -> None:
        """Nothing is open."""

    def parse(self, response: Response) -> Answer:
        """Return the records of an answer, or what is wrong with it."""
        if refused := refusal(response):
            return refused
        try:
            reply = json.loads(response.body)
            records = tuple(self.records[place] for place in reply["places"])
            return Answer(records=records, total=reply["total"], more=reply["more"])
        except (ValueError, LookupError, TypeError):
            return Answer(problem="schema", detail="not an answer of this service")

    def _response(self, request: Request) -> Response:
        asked = parse_qs(split(request.url).query)
        wanted, page = frozenset(keywords(asked["q"][0])), int(asked["page"][0])
        found = [place for place, held in enumerate(self._held) if wanted <= held]
        first, last = (page - 1) * self.page_size, page * self.page_size
        more = str(page + 1) if last < len(found) else ""
        reply = {"places": found[first:last], "total": len(found), "more": more}
        return Response(url=request.url, status=200, body=json.dumps(reply).encode(), at_s=1.0)


def refusal(response: Response) -> Answer | None:
    """Return what a service's failure means; None where there is an answer to be read."""
    if response.status == 429:
        return Answer(problem="quota")
    if not response.ok:
        return Answer(problem="query" if 400 <= response.status < 500 else "down")
    return None


def _title(chance: random.Random, number: int) -> str:
    return " ".join([*chance.sample(_WORDS, chance.randint(2, 5)), f"no{number}"])
