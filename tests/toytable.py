"""A small local table and a hidden one that holds most of it, without a socket."""

import asyncio
import random

from experiments.enrich.datasets import Dataset
from experiments.enrich.hidden import Hidden
from experiments.enrich.trial import Known
from filon.core import Record, Request, Response
from filon.verbs.enrich.strategies import Brief

WORDS = [a + b for a in ("ka", "lo", "mi", "nu", "re", "so", "ti") for b in ("ban", "dor", "fel")]
NAMES = [a + b for a in ("Ar", "Be", "Co", "Di", "El", "Fu") for b in ("nim", "pol", "qua", "ris")]


class ToyTable:
    """Rows of a title and an author; every tenth row is not in the hidden table. A web as well."""

    def __init__(
        self, *, rows: int = 60, hidden: int = 240, page_size: int = 10, joins: str = "and"
    ) -> None:
        chance = random.Random("toy table")
        texts = [_text(chance, number) for number in range(rows + hidden)]
        local, others = texts[:rows], texts[rows:]
        found = [row for row in range(rows) if row % 10]
        records = [Record(id=f"h{row}", fields=_fields(local[row])) for row in found]
        records += [Record(id=f"x{at}", fields=_fields(text)) for at, text in enumerate(others)]
        chance.shuffle(records)
        self.dataset = Dataset(
            name="toy",
            columns={
                "title": [title for title, _ in local],
                "author": [author for _, author in local],
            },
            hidden=records,
            gold={f"h{row}": (row,) for row in found},
        )
        self.hidden = Hidden(records, page_size=page_size, joins=joins)
        self.truth = Known(self.hidden, self.dataset)

    def brief(self, seed: int = 1, *, given: bool = True, **options: str | float) -> Brief:
        """Return a brief with all that a strategy may want; the sample only where it is given."""
        return Brief(
            columns=self.dataset.columns,
            provider=self.hidden,
            matcher=self.dataset,
            seed=seed,
            sample=self.dataset.sample(0.1, seed) if given else None,
            options=options,
        )

    async def fetch(self, request: Request) -> Response:
        """Answer as the hidden table does."""
        return await self.hidden.fetch(request)

    async def close(self) -> None:
        """Nothing is open."""

    def answer(self, request: Request) -> Response:
        """Answer at once."""
        return asyncio.run(self.fetch(request))


def _text(chance: random.Random, number: int) -> tuple[str, str]:
    words = chance.sample(WORDS, chance.randint(2, 5))
    return " ".join([*words, f"no{number}"]), chance.choice(NAMES)


def _fields(text: tuple[str, str]) -> dict[str, str]:
    return {"title": text[0], "author": text[1]}
