"""What every learner promises (`filon.testing`): it goes on from its state, which is a copy."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from contracts.package import classes
from filon.learn import CLASSIFIERS, Auer, EarlyStop, PathClusters, Ridge
from filon.learn.allocation import Allocation
from filon.learn.bloom import Bloom
from filon.learn.change import Rates
from filon.learn.discounted import Discounted
from filon.learn.ftrl import Ftrl
from filon.learn.platt import Platt
from filon.learn.rank.augmented import LinearModel, OnlineClassifier
from filon.learn.ridge import design
from filon.learn.ucb import Ucb
from filon.testing import check_learner


def paths(i: int) -> str:
    return f"/html/body/div.c{i % 7}/ul#u{i % 3}/li/a"


def texts(i: int) -> tuple[np.ndarray[Any, np.dtype[np.int32]], bool]:
    return np.array([i % 5, i % 11, 20 + i % 3], dtype=np.int32), i % 3 == 0


def teach_auer(learner: Auer, i: int) -> object:
    while len(learner) < 4:
        learner.add()
    arm = learner.choose(np.array([True, True, i % 2 == 0, True]), i + 1)
    learner.pull(arm)
    learner.reward(arm, (arm * i) % 5)
    return arm


def teach_ucb(learner: Ucb, i: int) -> object:
    arm = learner.choose(["a", "b"] if i % 3 else ["b", "c"])
    learner.learn(arm, (i % 4) / 4, i % 7)
    return arm


def teach_discounted(learner: Discounted, i: int) -> object:
    arm, score = learner.choose(["a", "b"] if i % 3 else ["b", "c"])
    learner.pull(arm, 1.0 + i % 2)
    learner.gain(arm, (i % 4) / 4)
    return arm, score


def teach_bloom(learner: Bloom, i: int) -> object:
    learner.add(paths(i))
    return paths(i + 1) in learner


def teach_ftrl(learner: Ftrl, i: int) -> object:
    features, label = texts(i)
    return learner.learn(features.tolist(), label, 1.0 + i % 2)


def teach_classifier(learner: Any, i: int) -> object:
    learner.learn([texts(i)])
    return learner.score(texts(i + 1)[0])


def teach_ridge(learner: Ridge, i: int) -> object:
    rows = np.stack([texts(j)[0] for j in range(i + 1)]).astype(np.uint16)
    labels = np.array([float(texts(j)[1]) for j in range(i + 1)])
    known = design(rows, np.ones(len(learner.weights), dtype=np.float32))
    learner.fit(known, labels, np.zeros(i + 1), rounds=3)
    return known.entries.times(learner.weights[known.features]).tolist()


def teach_online(learner: OnlineClassifier, i: int) -> object:
    words = (("bee", "data", "csv"), ("news", "of", "today"), ("bee", "hive"))
    learner.add(words[i % 3][: 1 + i % 4], i % 3 != 1)
    learner.refit()
    return learner.scores(words)


def teach_platt(learner: Platt, i: int) -> object:
    learner.note(0.2 + 0.6 * (i % 2), hit=i % 3 == 0)
    learner.fit()
    return learner(np.array([0.2, 0.5, 0.8])).tolist()


def teach_allocation(learner: Allocation, i: int) -> object:
    for name in ("a", "b", "c"):
        learner.add(name, promise=0.5 + 0.1 * len(name))
    arm = learner.choose(["a", "b"] if i % 3 else ["b", "c"], left=100 - i)
    assert arm is not None
    learner.sent(arm)
    learner.learn(arm, 1, (i % 4) / 4)
    return arm, learner.why(arm, left=50)


def teach_rates(learner: Rates, i: int) -> object:
    group, thing, tau_s = f"kind {i % 3}", f"page {i % 7}", 3_600.0 * (1 + i % 5)
    if i % 4:
        learner.note(group, thing, tau_s, changed=i % 6 == 0)
    else:
        learner.note_exact(group, thing, 7_200.0, tau_s)
    drawn = learner.chances([group, "other"], [thing, "page"], [tau_s, 60.0], explore=True)
    return learner.chance(group, thing, tau_s), learner.rate(group), drawn.tolist()


#: How to make each learner, and one lesson that returns what it then thinks.
LEARNERS: dict[str, tuple[Callable[[], Any], Callable[[Any, int], object]]] = {
    "Allocation": (Allocation, teach_allocation),
    "Auer": (Auer, teach_auer),
    "Ucb": (lambda: Ucb(["a", "b", "c"]), teach_ucb),
    "Discounted": (lambda: Discounted(seed=3), teach_discounted),
    "Discounted (ucb)": (lambda: Discounted(seed=3, choice="ucb"), teach_discounted),
    "Bloom": (lambda: Bloom(256), teach_bloom),
    "Ftrl": (lambda: Ftrl(64), teach_ftrl),
    "Rates": (lambda: Rates(seed=3), teach_rates),
    "Ridge": (lambda: Ridge(64, 5.0), teach_ridge),
    "Platt": (Platt, teach_platt),
    "PathClusters": (PathClusters, lambda learner, i: learner.assign(paths(i))),
    "OnlineClassifier": (lambda: OnlineClassifier(LinearModel.nothing()), teach_online),
    "EarlyStop": (lambda: EarlyStop(every=2, patience=3), lambda learner, i: learner.look(i, 1)),
    "Gradient": (lambda: CLASSIFIERS["lr"](40), teach_classifier),
    "Gradient (hinge)": (lambda: CLASSIFIERS["svm"](40), teach_classifier),
    "NaiveBayes": (lambda: CLASSIFIERS["nb"](40), teach_classifier),
    "PassiveAggressive": (lambda: CLASSIFIERS["pa"](40), teach_classifier),
}


def test_every_learner_of_the_room_is_here() -> None:
    found = {kind.__name__ for kind in classes("filon.learn") if hasattr(kind, "restore")}
    assert found == {name.partition(" ")[0] for name in LEARNERS}


@pytest.mark.parametrize("name", LEARNERS)
def test_it_keeps_the_contract(name: str) -> None:
    check_learner(*LEARNERS[name])
