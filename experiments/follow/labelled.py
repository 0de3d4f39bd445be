"""Hard URIs with their labels, in the order of a breadth-first crawl: Table 1 of LDCOC."""

from dataclasses import dataclass

from experiments.follow.offline import SIZE, Scorer, linear, nearest
from experiments.follow.trial import SEEDS
from experiments.follow.web import LodWeb
from filon.learn.ftrl import Ftrl
from filon.verbs.follow.strategies import Brief, Candidate
from filon.verbs.follow.strategies.bfs import BreadthFirst
from filon.verbs.follow.strategies.easy import by_name, by_type
from filon.verbs.follow.strategies.ldcoc import features

#: The combinations of feature sets of Table 1.
COMBINATIONS = ("trpx", "tpx", "trx", "trp", "rpx", "tx", "rp", "px")
MODELS = {"KNN": nearest, "Naive Bayes": linear("nb"), "SVM": linear("svm")}


@dataclass(frozen=True, slots=True)
class Score:
    """F-measure and accuracy."""

    f: float
    accuracy: float


class _Collecting(BreadthFirst):
    """Breadth-first, and remembers each lead with its siblings and its label."""

    uses_shortcuts = False

    def __init__(self, brief: Brief) -> None:
        super().__init__(brief)
        self.crawl._with_siblings = True

    def candidate(self, url: str) -> Candidate:
        return self._flying[url]


def labelled(web: LodWeb, seed: int, most: int) -> list[tuple[Candidate, str, bool]]:
    """Return hard URIs with content type and label, as a breadth-first crawl meets them."""
    brief = Brief(seeds=tuple(web.seeds(SEEDS, seed)), seed=seed)
    strategy, found = _Collecting(brief), list[tuple[Candidate, str, bool]]()
    while len(found) < most and (step := strategy.propose()):
        candidate, answer = strategy.candidate(step.request.url), web.answer(step.request)
        has_rdf = bool(strategy.observe(step, answer))
        if answer.ok and not by_name(step.request.url) and not by_type(answer.mime):
            found.append((candidate, answer.mime, has_rdf))
    return found


def table1(examples: list[tuple[Candidate, str, bool]]) -> dict[tuple[str, str], Score]:
    """Return the scores of each combination and model: the first half teaches, the rest asks."""
    half = len(examples) // 2
    scores = {}
    for sets in COMBINATIONS:
        numbered = [
            (features(candidate, mime, sets, SIZE), label) for candidate, mime, label in examples
        ]
        for name, train in MODELS.items():
            model: Scorer = train(numbered[:half])
            said = [(model(numbers) > 0, label) for numbers, label in numbered[half:]]
            scores[sets, name] = score(said)
        scores[sets, "FTRL, online"] = _online(numbered)
    return scores


def _online(numbered: list[tuple[list[int], bool]]) -> Score:
    model, said = Ftrl(SIZE), []
    for numbers, label in numbered:
        said.append((model.learn(numbers, label) > 0.5, label))
    return score(said[len(said) // 2 :])


def score(said: list[tuple[bool, bool]]) -> Score:
    """Return the F-measure and the accuracy of predictions with their labels."""
    right = sum(guess == label for guess, label in said)
    both = sum(guess and label for guess, label in said)
    either = sum(guess for guess, _ in said) + sum(label for _, label in said)
    return Score(2 * both / either if either else 0.0, right / len(said) if said else 0.0)
