"""LDCOC: the Linked Data crawler with an online classifier (Algorithms 1 and 2).

A hard URI is downloaded where FTRL-proximal gives it more than tau; of the others a part epsilon
is, and each of them stands for 1/epsilon when it is learnt from. Seeds are downloaded unasked: a
model that has learnt nothing would turn most of them down.
"""

from filon.core.forms import pairs
from filon.core.state import stored
from filon.learn import Dice
from filon.learn.ftrl import Ftrl
from filon.verbs.follow.strategies.brief import Brief, Lead
from filon.verbs.follow.strategies.features import SETS, features
from filon.verbs.follow.strategies.selective import Selective

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


class Ldcoc(Selective):
    """Online prediction, with a part of the rejected sampled."""

    STATE = ("_model", "_dice", stored("_labels", pairs()))

    def __init__(self, brief: Brief) -> None:
        told = DEFAULTS | dict(brief.options)
        self._sets = "".join(letter for letter in SETS if letter in str(told["features"]))
        super().__init__(brief, with_siblings="x" in self._sets)
        self._tau, self._epsilon = float(told["tau"]), float(told["epsilon"])
        rates = {name: float(told[name]) for name in ("alpha", "beta", "l1", "l2")}
        self._model = Ftrl(1 << int(float(told["bits"])), **rates)
        self._dice = Dice(brief.seed)
        self._labels: dict[str, str] = {}

    def choose(self, lead: Lead, mime: str) -> tuple[float, str]:
        """Lines 8 and 19: predicted positive, or sampled."""
        chance = self._model.predict(self._features(lead, mime))
        if chance > self._tau:
            return 1.0, f"it has RDF with a chance of {chance:.2f}, by what was seen so far"
        if self._dice.below(1_000_000) < self._epsilon * 1_000_000:
            part = f"{self._epsilon:.0%}"
            return 1.0 / self._epsilon, f"{part} of what looks hopeless is tried all the same"
        return 0.0, ""

    def learn(self, lead: Lead, mime: str, label: bool, importance: float) -> None:
        """Lines 17 and 27."""
        self._model.learn(self._features(lead, mime), label, importance)
        if "x" in self._sets:
            self._labels[lead.uri] = "yes" if label else "no"

    def _features(self, lead: Lead, mime: str) -> list[int]:
        return features(
            lead,
            mime,
            self._sets,
            self._model.size,
            type_of=self.type_of,
            is_relevant=lambda uri: self._labels.get(uri, ""),
        )
