import numpy as np
import pytest
from scipy import sparse

from filon.learn.pooled import SAY, pooled


def group(rows: int, labels: list[float], seed: int) -> tuple[sparse.csr_matrix, np.ndarray]:
    rng = np.random.RandomState(seed)
    features = (rng.rand(rows, len(labels)) < 0.3).astype(np.float32)
    return sparse.csr_matrix(features), features @ np.array(labels)


def test_what_groups_share_is_kept_and_what_one_has_alone_is_not() -> None:
    groups = [group(200, [1.0, own, 0.0], seed) for seed, own in enumerate((2.0, -2.0, 0.0))]
    shared, own, nothing = pooled(groups, penalty=0.1, own_penalty=1.0)
    assert shared == pytest.approx(1.0, abs=0.1)
    assert abs(own) < 0.5
    assert abs(nothing) < 0.1


def test_a_feature_of_one_group_alone_means_nothing() -> None:
    one, other = group(100, [1.0, 1.0], 0), group(100, [1.0, 0.0], 1)
    without = sparse.csr_matrix(other[0].toarray() * [1, 0], dtype=np.float32)
    assert pooled([one, (without, other[1])], 1.0, 1.0)[1] == 0.0


def test_the_mean_of_a_group_does_not_matter() -> None:
    one, other = group(100, [1.0, 0.5], 0), group(100, [1.0, 0.5], 1)
    shifted = [one, (other[0], other[1] + 7.0)]
    assert pooled(shifted, 1.0, 1.0) == pytest.approx(pooled([one, other], 1.0, 1.0), abs=1e-3)


def test_a_large_group_does_not_drown_a_small_one() -> None:
    small, large = group(int(SAY), [1.0], 0), group(int(20 * SAY), [-1.0], 1)
    assert abs(pooled([small, large], 1.0, 1.0)[0]) < 0.3
