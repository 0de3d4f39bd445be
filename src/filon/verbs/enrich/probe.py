"""Asks a service a few questions to learn how it searches, and compares with its description.

At most MOST calls, each a step of its own for the user to see. The questions are made of words
that its own answers hold: nothing needs to be known beforehand.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from filon.core import Answer, Request, Response, UserError, Web
from filon.page.words import STOP_WORDS, words
from filon.services.source import Source

MOST = 12
#: Words that most collections hold; the first that has results serves.
STARTERS = ("data", "water", "history", "new", "a")
#: No collection holds this word.
NONSENSE = "qzxvkwjq"
_RATE_HEADER = re.compile(r"rate-?limit|quota|retry-after", re.I)

Tell = Callable[[int, Request, Answer], None]


@dataclass(kw_only=True)
class Findings:
    """What was learnt. None and "": it could not be told."""

    calls: int = 0
    page_size: int | None = None
    paging: bool | None = None
    totals: bool | None = None
    joins: str = ""
    stop_words: list[str] = field(default_factory=list)
    ignores_words: bool = False
    rate_headers: dict[str, str] = field(default_factory=dict)
    fields: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    differs: list[str] = field(default_factory=list)


class Probe:
    """One conversation with a service.

    tell: called with each call, its number and its answer. word: one that has results.
    """

    def __init__(
        self,
        source: Source,
        web: Web,
        tell: Tell = lambda number, request, answer: None,
        word: str = "",
    ) -> None:
        self.source = source
        self._starters = (word,) if word.strip() else STARTERS
        self.found = Findings()
        self._web = web
        self._tell = tell

    async def run(self) -> Findings:
        """Ask, and return what was learnt."""
        await self._open()
        first, word = await self._begin()
        if first is None:
            return self._compare()
        self._look(first)
        await self._page(word, first)
        pair = _pair(first)
        if pair:
            await self._join(*pair)
        return self._compare()

    async def _open(self) -> None:
        request = self.source.opening()
        if request:
            response = await self._fetch(request)
            self.source = self.source.opened(response)
            self._tell(self.found.calls, request, Answer())

    async def _begin(self) -> tuple[Answer | None, str]:
        """Find a word that has results."""
        for word in self._starters:
            answer = await self._ask(word)
            if answer.problem in ("key", "quota", "down", "schema"):
                return None, ""
            if answer.records:
                return answer, word
        tried = ", ".join(self._starters)
        self.found.problems.append(f"No results for {tried}: name another word with --word.")
        return None, ""

    def _look(self, answer: Answer) -> None:
        found = self.found
        found.page_size = len(answer.records)
        found.totals = answer.total is not None
        filled = Counter(
            name for record in answer.records for name, text in record.fields.items() if text
        )
        found.fields = [name for name, _ in filled.most_common()]

    async def _page(self, word: str, first: Answer) -> None:
        if not first.more:
            return
        second = await self._ask(word, first.more)
        known = {record.id for record in first.records}
        fresh = [record for record in second.records if record.id not in known]
        self.found.paging = bool(fresh)

    async def _join(self, one: str, other: str) -> None:
        """Compare two words together with each alone; and with one that nobody has."""
        answers = [await self._ask(each) for each in (one, f"{one} {other}", f"{one} {NONSENSE}")]
        if any(answer.problem for answer in answers):
            return
        alone, both, absurd = map(_size, answers)
        nothing = _size(await self._ask(NONSENSE))
        if nothing and nothing >= alone:
            self.found.ignores_words = True
            return
        if absurd and absurd >= min(alone, both):
            self.found.joins = "or"
        elif absurd == 0 and alone:
            self.found.joins = "and"
        await self._stop_words(one, alone)

    async def _stop_words(self, one: str, alone: int) -> None:
        """A stop word changes nothing beside another word; where one will do, it finds nothing."""
        for stop in ("the", "of"):
            any_will_do = self.found.joins == "or"
            answer = await self._ask(stop if any_will_do else f"{one} {stop}")
            if not answer.problem and _size(answer) == (0 if any_will_do else alone):
                self.found.stop_words.append(stop)

    async def _ask(self, query: str, page: str = "") -> Answer:
        if self.found.calls >= MOST:
            return Answer(problem="quota", detail="The probe has no calls left.")
        request = self.source.request(query, page)
        answer = self.source.parse(await self._fetch(request))
        if answer.problem:
            problem = f"{answer.problem}: {answer.detail}"
            if problem not in self.found.problems:
                self.found.problems.append(problem)
        self._tell(self.found.calls, request, answer)
        return answer

    async def _fetch(self, request: Request) -> Response:
        self.found.calls += 1
        response = await self._web.fetch(request)
        limits = {name: text for name, text in response.headers if _RATE_HEADER.search(name)}
        self.found.rate_headers |= limits
        return response

    def _compare(self) -> Findings:
        """Say where the description and the service differ."""
        found, says = self.found, self.source.description
        size = self.source.page_size
        if found.page_size is not None and found.page_size > size:
            found.differs.append(f"an answer brings {found.page_size} records, not {size}")
        if found.totals is False and says.answer.total:
            total = says.answer.total
            where = total if isinstance(total, str) else " or ".join(total)
            found.differs.append(f"there is no total at {where}")
        if found.paging is False:
            found.differs.append("the second page repeats the first")
        if found.joins and says.query.joins and found.joins != says.query.joins:
            found.differs.append(f"words are joined by {found.joins}, not by {says.query.joins}")
        if found.ignores_words:
            found.differs.append("the keywords are ignored: any word finds the same")
        headers = {name.lower() for name in found.rate_headers}
        for name in (says.limits.remaining, says.limits.limit):
            if name and found.calls and name.lower() not in headers:
                found.differs.append(f"no answer has the header {name}")
        return found


def _size(answer: Answer) -> int:
    return len(answer.records) if answer.total is None else answer.total


def _pair(answer: Answer) -> tuple[str, str] | None:
    """Two words of one record that few others of the answer hold."""
    texts = [words(" ".join(record.fields.values())) for record in answer.records]
    held = Counter(word for text in texts for word in set(text))
    for text in texts:
        fit = [w for w in dict.fromkeys(text) if len(w) > 3 and w.isalpha() and w not in STOP_WORDS]
        fit.sort(key=lambda word: (held[word], -len(word), word))
        if len(fit) > 1:
            return fit[0], fit[1]
    return None


def as_json(source: Source, found: Findings) -> dict[str, Any]:
    """Return the findings as plain data, beside what the description says."""
    says = source.description
    return {
        "source": source.name,
        **{name: getattr(found, name) for name in Findings.__dataclass_fields__},
        "described": {
            "page_size": source.page_size,
            "paging": says.paging.how,
            "totals": bool(says.answer.total),
            "joins": says.query.joins,
            "rate": says.limits.rate,
            "quota": says.limits.quota,
        },
    }


def refuse_if_silent(source: Source, found: Findings) -> None:
    """Turn a probe that learnt nothing at all into the sentence that says why."""
    if found.page_size is None and found.problems:
        raise UserError(f"{source.name} could not be probed: {found.problems[-1]}")
