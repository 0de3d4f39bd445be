"""Learners: bandits, online classifiers, clusters, stopping rules. Numbers only; knows no web.

Every learner can hand out its `state()` as plain data and go on from it with `restore`.
"""

from filon.learn.auer import Auer
from filon.learn.bigrams import bigrams
from filon.learn.early_stop import EarlyStop
from filon.learn.linear import CLASSIFIERS, Classifier
from filon.learn.pathclusters import PathClusters
from filon.learn.ridge import Ridge

__all__ = [
    "CLASSIFIERS",
    "Auer",
    "Classifier",
    "EarlyStop",
    "PathClusters",
    "Ridge",
    "bigrams",
]
