"""What to ask search engines for: words that tell what is good from what is not, in its language.

A word counts by how much oftener good pages have it than rejected ones, as the logarithm of that
ratio, times how many good ones do: a word of one page brings that page again.
"""

import math
from collections import Counter
from collections.abc import Sequence

from filon.core.forms import KEYS, pairs
from filon.core.state import Stateful, stored
from filon.verbs.discover.strategies.dsdd import shipped
from filon.verbs.discover.strategies.operators import meta_words, words_of
from filon.verbs.discover.strategies.page import Page
from filon.verbs.discover.strategies.scout.languages import WORDS, language_of

#: Words that are kept of each side; the rarest are forgotten first.
MOST_WORDS = 30_000
#: Of a long page, so many of its words.
PAGE_WORDS = 300
#: New queries that are made at a time, and languages besides the user's.
EACH, MOST_LANGUAGES = 6, 4
#: A language must have been met on so many good sites.
MET = 2


class Queries(Stateful):
    """Words of good and of rejected pages, and the queries that were made of them.

    others: texts of something else.
    ends: whether queries end with a word for data: repositories are wanted, not any site.
    """

    STATE = (
        stored("_good", pairs()),
        stored("_bad", pairs()),
        "_pages",
        stored("_languages", pairs()),
        stored("_used", KEYS),
        stored("_spoken", KEYS),
        "_dry",
    )

    def __init__(
        self, topic: str, languages: tuple[str, ...], others: Sequence[str] = (), *, ends: bool
    ) -> None:
        self._topic, self._ends = topic.strip(), ends
        self._good: Counter[str] = Counter()
        self._bad: Counter[str] = Counter()
        self._pages = [0, 0]
        self._languages: Counter[str] = Counter(dict.fromkeys(languages, MET))
        self._used: dict[str, None] = dict.fromkeys(self._topic.lower().split())
        if ends:
            self._used.update(dict.fromkeys(shipped()["stop"]))
        self._spoken: dict[str, None] = {}
        self._dry = -1  # good pages by the time that no word was left
        for text in others:
            self._bad.update(sorted(set(words_of(text)[:PAGE_WORDS])))
            self._pages[1] += 1

    def first(self) -> list[str]:
        """Return the queries to begin with."""
        if not self._topic:
            return []
        if not self._ends:
            return [self._topic]
        told = [self._topic, f"{self._topic} open data", f"{self._topic} datasets"]
        return [*told, *self._translated()]

    def learn(self, page: Page, more: str, good: float) -> None:
        """Take in the words of a page that was good, from 0 to 1. more: what its API listed."""
        words = {*meta_words(page), *words_of(f"{page.text} {more}")[:PAGE_WORDS]}
        if good >= 0.5:
            self._good.update(sorted(words))
            self._pages[0] += 1
            top = page.site.rpartition(".")[2]
            self._languages[language_of(top, page.text.lower().split()[:400])] += 1
        else:
            self._bad.update(sorted(words))
            self._pages[1] += 1
        for counts in (self._good, self._bad):
            if len(counts) > MOST_WORDS:
                kept = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
                counts.clear()
                counts.update(dict(kept[: MOST_WORDS // 2]))

    def more(self) -> list[str]:
        """Return some queries that were never made; none if no word is left."""
        if self._pages[0] == self._dry:
            return []
        told = self._translated()
        for word in self._best(EACH):
            self._used[word] = None
            told.append(self._query(word))
        if not told:
            self._dry = self._pages[0]
        return [query for query in told if query]

    def _query(self, word: str) -> str:
        if not self._ends:
            return f"{self._topic} {word}".strip()
        language = self._languages.most_common(1)[0][0] if self._languages else "en"
        last = WORDS.get(language, WORDS["en"])[0] if language_holds(word, language) else "dataset"
        return f"{self._topic} {word} {last}".strip()

    def _best(self, most: int) -> list[str]:
        """Return the words that speak most for a good page and were not used."""
        good, bad = self._pages
        scores = []
        for word, count in self._good.items():
            if word in self._used or count < min(2, good):
                continue
            lift = math.log((count + 0.5) / (good + 1)) - math.log(
                (self._bad[word] + 0.5) / (bad + 1)
            )
            scores.append((-round(lift * math.log(1 + count), 9), word))
        return [word for score, word in sorted(scores)[:most] if score < 0]

    def _translated(self) -> list[str]:
        """Return queries in languages that were met and not used yet."""
        if not self._ends:
            return []
        met = [name for name, count in self._languages.most_common() if count >= MET]
        told = []
        for name in met[: MOST_LANGUAGES + 1]:
            if name in WORDS and name != "en" and name not in self._spoken:
                self._spoken[name] = None
                told += [f"{self._topic} {word}" for word in WORDS[name][:2]]
        return told


def language_holds(word: str, language: str) -> bool:
    """Say whether a word may be of a language that is not written in plain Latin letters only."""
    return language != "en" and (not word.isascii() or language in ("fr", "es", "pt", "de", "it"))
