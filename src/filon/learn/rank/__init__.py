"""Rankers: a few examples in, candidates in order out."""

from filon.learn.rank.ensemble import ENSEMBLES, Ensemble
from filon.learn.rank.fusion import Fusion
from filon.learn.rank.rankers import RANKERS, Ranker

__all__ = ["ENSEMBLES", "RANKERS", "Ensemble", "Fusion", "Ranker"]
