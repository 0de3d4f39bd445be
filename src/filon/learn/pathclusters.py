"""Groups of similar tag paths: Algorithm 1 of SB-CLASSIFIER, with exact nearest neighbours.

A path is a bag of n-grams of its elements, as frequencies; the vocabulary grows. Hashing
(section 3.2) projects it to 2^m cells, a cell being the mean of all vocabulary entries that
fall into it. A group keeps the sum of its members instead of their mean: the cosine is the
same, and adding a member touches a dozen cells.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from filon.learn.dense import dot, times

#: The large prime of the hash function (figure 3).
PRIME = 766_245_317
#: Beyond this many groups a path joins the nearest one however far: a site whose every link
#: has an id of its own must not eat the memory.
MOST_GROUPS = 20_000
MOST_CACHED = 50_000

Grams = tuple[NDArray[np.int64], NDArray[np.float64]]


class PathClusters:
    """Assigns tag paths to groups of similar ones and makes new groups as needed.

    n: elements in an n-gram. theta: the least cosine at which a path joins the nearest group.
    m: a path is projected to 2^m cells. w: bits of the hash function, more than m.

    Sixty paths of two templates, each with an id of its own in one element:

    >>> groups = PathClusters()
    >>> table = [f"/html/body/main/table#t{number}/tr/td/a" for number in range(30)]
    >>> menu = [f"/html/body/nav/ul.menu/li#m{number}/a" for number in range(30)]
    >>> numbers = [groups.assign(path) for path in table + menu]
    >>> print(f"{len(groups)} groups, of {numbers.count(0)} and {numbers.count(1)} paths")
    2 groups, of 30 and 30 paths

    Reference: SB-CLASSIFIER (see filon.learn.auer), section 3.2, Algorithm 1 and figure 3. The
    nearest group is found exactly, not by an HNSW index.
    """

    def __init__(self, n: int = 2, theta: float = 0.75, m: int = 12, w: int = 15) -> None:
        self.n, self.theta, self.m, self.w = n, theta, m, w
        self._vocabulary: dict[str, int] = {}
        self._occupants = np.zeros(2**m, dtype=np.int64)  # vocabulary entries in each cell
        self._cache: dict[str, Grams] = {}
        self._size = 0
        self._sums = np.zeros((2**m, 64))
        self._squares = np.zeros(64)

    def __len__(self) -> int:
        return self._size

    def assign(self, path: str) -> int:
        """Return the group of a path, which joins it: Algorithm 1."""
        cells, values = self._project(path)
        group, similarity = self._nearest(cells, values)
        if similarity < self.theta and self._size < MOST_GROUPS:
            group = self._size
            if group == self._sums.shape[1]:
                self._reserve(2 * group)
            self._size += 1
        overlap = dot(self._sums[cells, group], values)
        self._squares[group] += 2 * overlap + dot(values, values)
        self._sums[cells, group] += values
        return group

    def _nearest(self, cells: NDArray[np.int64], values: NDArray[np.float64]) -> tuple[int, float]:
        if not self._size:
            return -1, -1.0
        dots = times(self._sums[cells, : self._size].T, values)
        cosines = dots / np.sqrt(self._squares[: self._size] * dot(values, values))
        group = int(np.argmax(cosines))
        return group, float(cosines[group])

    def _project(self, path: str) -> Grams:
        """Return the cells that a path touches and their values, p_D."""
        grams, frequencies = self._cache.get(path) or self._read(path)
        cells = self._hash(grams)
        values: NDArray[np.float64] = frequencies / self._occupants[cells]
        if len(set(cells.tolist())) < len(cells):  # a collision within the path: cells add up
            cells, place = np.unique(cells, return_inverse=True)
            values = np.bincount(place, weights=values).astype(np.float64)
        return cells, values

    def _read(self, path: str) -> Grams:
        """Return the n-grams of a path as vocabulary numbers, with their frequencies."""
        tokens = ["[BOS]", *path.split("/"), "[EOS]"]
        n = min(self.n, len(tokens))
        grams = ["/".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
        for gram in grams:
            if gram not in self._vocabulary:
                number = self._vocabulary[gram] = len(self._vocabulary)
                self._occupants[self._hash(np.array([number]))] += 1
        numbers, counts = np.unique([self._vocabulary[gram] for gram in grams], return_counts=True)
        if len(self._cache) >= MOST_CACHED:
            self._cache.clear()
        self._cache[path] = numbers, counts / len(grams)
        return self._cache[path]

    def _hash(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return h(x) = floor(((prime * x) mod 2^w) / 2^(w - m))."""
        hashed: NDArray[np.int64] = (PRIME * numbers % 2**self.w) >> (self.w - self.m)
        return hashed

    def _reserve(self, groups: int) -> None:
        """Make room; memory that no member has touched yet costs nothing."""
        sums = np.zeros((2**self.m, groups), dtype=np.float64)
        squares = np.zeros(groups)
        if self._size:
            used = np.flatnonzero(self._occupants)
            sums[used, : self._size] = self._sums[used, : self._size]
            squares[: self._size] = self._squares[: self._size]
        self._sums, self._squares = sums, squares

    def state(self) -> dict[str, Any]:
        """Return plain data: the sums without their zeros."""
        # By hand: most sums are zero, and the cells follow from the words.
        cells, groups = np.nonzero(self._sums[:, : self._size])
        return {
            "version": 1,
            "vocabulary": list(self._vocabulary),
            "squares": self._squares[: self._size].copy(),
            "cells": cells.astype(np.int32),
            "groups": groups.astype(np.int32),
            "sums": self._sums[cells, groups],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self._vocabulary = {gram: i for i, gram in enumerate(state["vocabulary"])}
        numbers = np.arange(len(self._vocabulary))
        self._occupants = np.bincount(self._hash(numbers), minlength=2**self.m)
        self._cache.clear()
        self._size = 0
        size = len(state["squares"])
        self._reserve(max(64, size))
        self._size = size
        self._squares[:size] = state["squares"]
        self._sums[state["cells"], state["groups"]] = state["sums"]
