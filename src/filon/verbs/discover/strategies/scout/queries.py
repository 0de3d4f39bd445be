"""What search services are asked for, in which language, and which of them is asked next.

A word counts by how much oftener good pages have it than rejected ones, as the logarithm of that
ratio, times how many good ones do: a word of one page brings that page again. Four in ten
catalogues are not in English, and a search engine finds them by their own words.

The arms are every operator with every service that serves it. A bandit chooses the arm
(learn/discounted.py); within it the question of which most is expected is asked. Of a
further page of results as much is expected as the page before brought, against what first pages of
this arm bring. A service that fails puts its own arms to sleep, and no others.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from filon.core import Response
from filon.core.forms import KEYS, each, pairs, record
from filon.core.service import Hit, Searcher
from filon.core.state import Stateful, stored
from filon.learn.discounted import Discounted
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.page import Page, meta_words, shipped, words_of
from filon.verbs.discover.strategies.scout.tasks import LAST, ScoutTask, ScoutTasks, arm_named
from filon.verbs.discover.strategies.tasks import SEARCH_OF

#: By language: what a dataset is called, open data, statistics.
WORDS: dict[str, tuple[str, str, str]] = {
    "en": ("dataset", "open data", "statistics"),
    "fr": ("jeux de données", "données ouvertes", "statistiques"),
    "es": ("conjunto de datos", "datos abiertos", "estadísticas"),
    "pt": ("conjunto de dados", "dados abertos", "estatísticas"),
    "de": ("Datensatz", "offene Daten", "Statistik"),
    "it": ("dataset", "dati aperti", "statistiche"),
    "nl": ("dataset", "open data", "statistieken"),
    "pl": ("zbiór danych", "otwarte dane", "statystyka"),
    "cs": ("datová sada", "otevřená data", "statistika"),
    "sv": ("datamängd", "öppna data", "statistik"),
    "fi": ("tietoaineisto", "avoin data", "tilastot"),
    "el": ("σύνολο δεδομένων", "ανοικτά δεδομένα", "στατιστικά"),
    "tr": ("veri seti", "açık veri", "istatistik"),
    "ru": ("набор данных", "открытые данные", "статистика"),
    "uk": ("набір даних", "відкриті дані", "статистика"),
    "id": ("dataset", "data terbuka", "statistik"),
    "ar": ("مجموعة بيانات", "البيانات المفتوحة", "إحصاءات"),
    "zh": ("数据集", "开放数据", "统计数据"),
    "ja": ("データセット", "オープンデータ", "統計"),
    "ko": ("데이터셋", "공공데이터", "통계"),
}
#: Endings of names that suggest a language.
_TOPS = {
    **{name: name for name in ("fr", "es", "pt", "de", "it", "nl", "pl", "fi", "tr", "ru", "id")},
    "at": "de",
    "ch": "de",
    "be": "fr",
    "br": "pt",
    "ao": "pt",
    "mz": "pt",
    "cz": "cs",
    "se": "sv",
    "gr": "el",
    "ua": "uk",
    "cn": "zh",
    "tw": "zh",
    "jp": "ja",
    "kr": "ko",
    **dict.fromkeys(("mx", "ar", "co", "cl", "pe", "ec", "uy", "cr", "gt", "bo", "py"), "es"),
    **dict.fromkeys(("sn", "ci", "ml", "bf", "tn", "ma", "dz"), "fr"),
    **dict.fromkeys(("sa", "ae", "eg", "jo", "qa", "kw", "om"), "ar"),
}
#: Little words that hardly any other language has.
_LITTLE: dict[str, frozenset[str]] = {
    "fr": frozenset(["les", "des", "une", "dans", "pour", "est", "sur", "avec", "aux"]),
    "es": frozenset(["los", "las", "una", "para", "del", "con", "por", "más"]),
    "pt": frozenset(["uma", "dos", "das", "não", "para", "com", "são"]),
    "de": frozenset(["und", "der", "die", "das", "für", "mit", "ist", "von"]),
    "it": frozenset(["gli", "della", "delle", "per", "con", "che", "una", "dei"]),
    "nl": frozenset(["het", "een", "van", "voor", "met", "zijn"]),
    "pl": frozenset(["oraz", "się", "jest", "dla", "nie", "na"]),
    "sv": frozenset(["och", "för", "med", "som", "att", "är"]),
    "tr": frozenset(["ve", "bir", "için", "ile"]),
    "id": frozenset(["dan", "yang", "untuk", "dengan"]),
}
#: Fewer little words than this are quotations.
_ENOUGH = 5


def language_of(url_top: str, words: Iterable[str]) -> str:
    """Return the language that a page is likely in; "en" where nothing speaks for another.

    >>> language_of("org", "les prix des maisons dans une ville pour les gens".split())
    'fr'
    >>> language_of("br", ["hello"]), language_of("com", ["hello"])
    ('pt', 'en')
    """
    counts = Counter(words)
    told = {name: sum(counts[word] for word in little) for name, little in _LITTLE.items()}
    best = max(told, key=lambda name: told[name])
    if told[best] >= _ENOUGH:
        return best
    return _TOPS.get(url_top, "en")


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


#: Questions that an arm keeps; the least promising are dropped.
MOST_QUESTIONS = 2_000
#: A page of results is worth less than the one before it: the best come first.
FURTHER, MOST_EXPECTED = 0.8, 1.5
#: How much the last first page counts in what is expected of the next: they bring less and less.
LATELY = 0.2
#: Pages in a row without results after which no more is asked for.
MOST_EMPTY = 3


@dataclass(slots=True)
class Question:
    """Something to ask.

    expected: what its results are expected to bring, against those of other questions.
    cursor: which page of the results; "" for the first. got: results so far.
    empty: pages in a row that had none.
    """

    expected: float
    number: int
    query: str
    parent: str = ""
    cursor: str = ""
    got: int = 0
    empty: int = 0


_QUESTIONS = each(record(Question, {"expected": "promise"}))


@dataclass(slots=True)
class Arm:
    """An operator and who serves it.

    mean, firsts: what was expected of the first pages of results lately, and how many there were.
    """

    operator: str
    searcher: Searcher
    questions: list[Question] = field(default_factory=list)
    mean: float = 0.0
    firsts: int = 0

    @property
    def has_new(self) -> bool:
        """A question is left that was not asked at all."""
        return any(not question.cursor for question in self.questions)

    def put(self, question: Question) -> None:
        """Keep a question."""
        if question.empty >= MOST_EMPTY:
            return
        self.questions.append(question)
        if len(self.questions) > MOST_QUESTIONS:
            self.questions.sort(key=lambda one: (-one.expected, one.number))
            del self.questions[MOST_QUESTIONS // 2 :]

    def take(self) -> Question:
        """Return the question of which most is expected, the oldest among equals."""
        best = min(self.questions, key=lambda one: (-one.expected, one.number))
        self.questions.remove(best)
        return best

    def further(self, gain: float) -> float:
        """Return what is expected of the page after one that was worth so much."""
        return min(MOST_EXPECTED, FURTHER * gain / max(0.05, self.mean))

    def first(self, gain: float) -> None:
        """Take note of what a first page was worth."""
        self.firsts += 1
        self.mean += (gain - self.mean) * max(1 / self.firsts, LATELY)

    def state(self) -> list[Any]:
        """Return plain data."""
        # By hand: it is a list.
        return [_QUESTIONS.write(self.questions), self.mean, self.firsts]

    def restore(self, state: list[Any]) -> None:
        """Go on from there."""
        self.questions = _QUESTIONS.read(state[0])
        self.mean, self.firsts = state[1:]


#: The operators that services are asked for; links are followed without them.
OPERATORS = ("keyword", "related", "backward", "seeds")
#: Answers after which services that were down are tried again.
WAKE_AFTER = 25

#: Lets results wait, and says what is expected of them.
Take = Callable[[ScoutTask, Sequence[Hit]], float]


class Asking:
    """All arms that ask."""

    def __init__(self, brief: Brief, tasks: ScoutTasks, bandit: Discounted, dollar: float) -> None:
        self._limits = brief.limits
        self._tasks, self._bandit, self._dollar = tasks, bandit, dollar
        self._arms: dict[str, Arm] = {}
        for operator in OPERATORS:
            for searcher in brief.searchers:
                if SEARCH_OF[operator] in searcher.operators:
                    name = arm_named(operator, searcher.name)
                    self._arms[name] = Arm(operator, searcher)
                    bandit.add(name)
        self._offered: dict[str, None] = {}
        self._numbers = 0
        self._answers = 0

    def _awake(self, arm: Arm) -> bool:
        return self._tasks.searching.answers(arm.searcher.name)

    def lacks(self, operator: str) -> bool:
        """Say whether an arm of an operator that could ask has no question that is new."""
        return any(
            arm.operator == operator and self._awake(arm) and not arm.has_new
            for arm in self._arms.values()
        )

    def offer(self, operator: str, query: str, expected: float, parent: str = "") -> None:
        """Give all arms of an operator a question, each once."""
        name = f"{operator} {query}"
        if name in self._offered or not query:
            return
        self._offered[name] = None
        for arm in self._arms.values():
            if arm.operator == operator and arm.searcher.takes(SEARCH_OF[operator], query):
                self._numbers += 1
                arm.put(Question(expected, self._numbers, query, parent))

    def best(self) -> tuple[str, float]:
        """Return the arm to use next and what it is expected to bring; "" if none can ask."""
        awake = [name for name, arm in self._arms.items() if arm.questions and self._awake(arm)]
        return self._bandit.choose(awake)

    def ask_spent(self) -> bool:
        """Ask one service whose quota is spent, as nothing else is left to do; False: none is.

        The question waits in a guard until there are calls again: of each service one does.
        """
        for name, arm in self._arms.items():
            service = arm.searcher.name
            if not self._tasks.searching.is_spent(service) or self._tasks.waits_for(service):
                continue
            while arm.questions:
                if self.ask(name, 0.0, LAST):
                    return True
        return False

    def ask(self, name: str, score: float, role: str = "") -> bool:
        """Put the best question of an arm in line; False: it was asked before."""
        arm = self._arms[name]
        question = arm.take()
        task = ScoutTask(
            kind="search",
            operator=arm.operator,
            searcher=arm.searcher.name,
            query=question.query,
            cursor=question.cursor,
            parent=question.parent,
            got=question.got,
            depth=question.empty,
            role=role,
            score=score,
        )
        if not self._tasks.search(task):
            return False
        self._bandit.pull(name, 1 + self._dollar * arm.searcher.cost)
        return True

    def hear(self, task: ScoutTask, response: Response, take: Take) -> None:
        """Take the results of a search; the page after them waits, valued by them."""
        self._answers += 1
        if self._answers % WAKE_AFTER == 0:
            self._tasks.searching.wake()
        name, search = arm_named(task.operator, task.searcher), SEARCH_OF[task.operator]
        spent = self._tasks.searching.is_spent(task.searcher)
        self._tasks.searching.note(task.searcher, "calls", int(task.role == LAST))
        answer = self._tasks.searching.hear(task.searcher, search, response)
        if response.sent != "yes":  # nothing was spent
            self._bandit.spend(name, -1.0)
        if answer.problem == "quota":
            self._keep(task)
            if spent and task.role == LAST:
                self._tasks.searching.give_up(task.searcher)
        if answer.problem:
            return
        most = self._limits.keyword if search == "seeds" else self._limits.results(search)
        hits = answer.hits[: most - task.got]
        self._tasks.searching.note(task.searcher, "results", len(hits))
        gain = take(task, hits)
        got = task.got + len(hits)
        if not task.cursor and hits:
            self._arms[name].first(gain)
        if answer.more and got < most:
            self._further(self._arms[name], task, answer.more, got, gain if hits else -1.0)

    def _keep(self, task: ScoutTask) -> None:
        """Let a question wait again that was refused for a quota."""
        self._tasks.refused(task)
        arm = self._arms[arm_named(task.operator, task.searcher)]
        self._numbers += 1
        expected = max((one.expected for one in arm.questions), default=1.0)
        where = task.query, task.parent, task.cursor
        arm.put(Question(expected, self._numbers, *where, task.got, task.depth))

    def _further(self, arm: Arm, task: ScoutTask, cursor: str, got: int, gain: float) -> None:
        """Keep the next page of results. gain: below 0 where there were none to judge by."""
        expected = arm.further(gain) if gain >= 0 else 1.0  # some lists begin with a number only
        empty = task.depth + 1 if gain < 0 else 0
        self._numbers += 1
        arm.put(Question(expected, self._numbers, task.query, task.parent, cursor, got, empty))

    def summary(self) -> list[dict[str, Any]]:
        """Return the arms for people: what each brought, and how many questions are left."""
        left = {name: len(arm.questions) for name, arm in self._arms.items()}
        return [{**arm, "left": left.get(arm["arm"], 0)} for arm in self._bandit.summary()]

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: a state may tell of arms that are no more.
        return {
            "arms": {name: arm.state() for name, arm in self._arms.items()},
            "offered": list(self._offered),
            "counts": [self._numbers, self._answers],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there; a service that is new since has nothing to ask yet."""
        for name, told in state["arms"].items():
            if name in self._arms:
                self._arms[name].restore(told)
        self._offered = dict.fromkeys(state["offered"])
        self._numbers, self._answers = state["counts"]
