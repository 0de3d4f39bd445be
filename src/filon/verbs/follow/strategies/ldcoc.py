"""LDCOC: the Linked Data crawler with an online classifier (Algorithms 1 and 2).

A hard URI is downloaded where FTRL-proximal gives it more than tau; of the others a part epsilon
is, and each of them stands for 1/epsilon when it is learnt from. Seeds are downloaded unasked: a
model that has learnt nothing would turn most of them down.

The features (section 4.2) are hashed with MurmurHash3 (section 4.3). Sets by letter: t the target's
parts and its content type, r the referrer's parts, p the parts of each direct property, x what is
known of siblings, crossed.
"""

from collections.abc import Callable, Iterator, Mapping
from random import Random

import mmh3
from rapidfuzz.distance import Levenshtein

from filon.core import UserError
from filon.core.forms import RANDOM, pairs
from filon.core.state import stored
from filon.learn.ftrl import Ftrl
from filon.page.url import split
from filon.verbs.follow.strategies.brief import Brief, Candidate
from filon.verbs.follow.strategies.selective import Selective

SETS = "trpx"
#: From this similarity on two URIs count as alike (Definition 15; the paper names no value).
ALIKE = 0.8
#: The paper's tau, epsilon and best set of features; the rest it leaves open.
DEFAULTS: dict[str, float | str] = {
    "tau": 0.5,
    "epsilon": 0.17,
    "features": "trp",
    "bits": 20,
    "alpha": 0.3,
    "beta": 1.0,
    "l1": 0.1,
    "l2": 1.0,
}
#: The least and the most that a number may be. Nothing may be divided by an epsilon of 0, and a
#: model of 2^26 weights takes a gigabyte.
_BOUNDS = {
    "tau": (0.0, 1.0),
    "epsilon": (1e-6, 1.0),
    "bits": (1, 26),
    "alpha": (1e-6, 100.0),
    "beta": (0.0, 100.0),
    "l1": (0.0, 1e6),
    "l2": (0.0, 1e6),
}


class Ldcoc(Selective):
    """`ldcoc`: online prediction, with a part of the rejected sampled.

    Requests for 120 documents with RDF of the bundled small web:

    >>> from filon.demo.sites import to_documents
    >>> to_documents(Ldcoc, 120)
    387

    Reference: H. Huang and F. Gandon, "Learning URI Selection Criteria to Improve the Crawling of
    Linked Open Data", ESWC 2019, Algorithms 1 and 2.
    """

    STATE = ("_model", stored("_random", RANDOM, key="dice"), stored("_labels", pairs()))

    def __init__(self, brief: Brief) -> None:
        _check(brief.options)
        chosen = DEFAULTS | dict(brief.options)
        self._sets = "".join(letter for letter in SETS if letter in str(chosen["features"]))
        super().__init__(brief, with_siblings="x" in self._sets)
        self._tau, self._epsilon = float(chosen["tau"]), float(chosen["epsilon"])
        rates = {name: float(chosen[name]) for name in ("alpha", "beta", "l1", "l2")}
        self._model = Ftrl(1 << int(float(chosen["bits"])), **rates)
        self._random = Random(brief.seed)
        self._labels: dict[str, str] = {}

    def choose(self, candidate: Candidate, mime: str) -> tuple[float, str]:
        """Lines 8 and 19: predicted positive, or sampled."""
        chance = self._model.predict(self._features(candidate, mime))
        if chance > self._tau:
            return 1.0, f"it has RDF with a chance of {chance:.2f}, by what was seen so far"
        if self._random.randrange(1_000_000) < self._epsilon * 1_000_000:
            part = f"{self._epsilon:.0%}"
            return 1.0 / self._epsilon, f"{part} of what looks hopeless is tried all the same"
        return 0.0, ""

    def learn(self, candidate: Candidate, mime: str, label: bool, importance: float) -> None:
        """Lines 17 and 27."""
        self._model.learn(self._features(candidate, mime), label, importance)
        if "x" in self._sets:
            self._labels[candidate.uri] = "yes" if label else "no"

    def _features(self, candidate: Candidate, mime: str) -> list[int]:
        return features(
            candidate,
            mime,
            self._sets,
            self._model.size,
            type_of=self.type_of,
            is_relevant=lambda uri: self._labels.get(uri, ""),
        )


def _check(options: Mapping[str, str | float]) -> None:
    """Refuse values that a parameter cannot take: one sentence says what is wrong."""
    for option, value in options.items():
        if option == "features" and not (value and set(str(value)) <= set(SETS)):
            raise UserError(f"The option features is some of the letters {SETS}, not {value!r}.")
        if option in _BOUNDS:
            _number(option, value)


def _number(option: str, value: str | float) -> None:
    least, most = _BOUNDS[option]
    try:
        number = float(value)
    except ValueError:
        raise UserError(f"The option {option} is a number, not {value!r}.") from None
    if not least <= number <= most:
        raise UserError(f"The option {option} is from {least:g} to {most:g}, not {value}.")
    if option == "bits" and number != int(number):
        raise UserError(f"The option bits is a whole number, not {value}.")


def features(
    candidate: Candidate,
    content_type: str,
    sets: str,
    size: int,
    *,
    type_of: Callable[[str], str] = lambda uri: "",
    is_relevant: Callable[[str], str] = lambda uri: "",
) -> list[int]:
    """Return the numbers of a candidate's features, each once.

    >>> one = Candidate(uri="http://a.org/id/7", document="http://a.org/id/7")
    >>> features(one, "text/html", "t", 1_000)  # scheme, authority, host, path; content type
    [374, 604, 779, 821, 834]

    type_of, is_relevant: what is known of a sibling: its content type; "yes", "no" or "".
    """
    texts: list[str] = []
    if "t" in sets:
        texts.extend(_parts("t", candidate.uri))
        texts.append(f"t_type={content_type}")
    if "r" in sets:
        texts.extend(_parts("r", candidate.referrer))
    if "p" in sets:
        for uri in candidate.properties:
            texts.extend(_parts("p", uri))
    if "x" in sets:
        for uri in candidate.siblings:
            alike = Levenshtein.normalized_similarity(uri, candidate.uri) > ALIKE
            known = f"{type_of(uri)}&{alike}&{is_relevant(uri)}"
            texts.extend(f"{part}&{known}" for part in _parts("x", uri))
    return sorted({mmh3.hash(text, signed=False) % size for text in texts})


def _parts(letter: str, uri: str) -> Iterator[str]:
    """Definition 11: scheme, authority, host, userinfo, path, query, fragment."""
    whole = split(uri)
    parts = {
        "scheme": whole.scheme,
        "authority": whole.netloc,
        "host": whole.hostname or "",
        "userinfo": whole.username or "",
        "path": whole.path,
        "query": whole.query,
        "fragment": whole.fragment,
    }
    for name, value in parts.items():
        if value:
            yield f"{letter}_{name}={value}"
