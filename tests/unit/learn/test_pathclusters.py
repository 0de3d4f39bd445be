import numpy as np
import pytest

from filon.learn import PathClusters


def test_hashes_as_figure_3_of_the_paper_does() -> None:
    groups = PathClusters(m=2, w=11)
    assert groups._hash(np.array([2, 4, 8, 9])).tolist() == [1, 3, 3, 3]


def test_the_same_path_is_always_the_same_group() -> None:
    groups = PathClusters()
    assert {groups.assign("/html/body/ul.data/li/a") for _ in range(20)} == {0}


def test_similar_paths_share_a_group_and_different_ones_do_not() -> None:
    groups = PathClusters()
    long = "/html/body/div#main/div.content/section/div.row/ul.data/li/a"
    first = groups.assign(long)
    assert groups.assign(long.replace("li/a", "li/a.btn")) == first
    assert groups.assign("/html/head/link") != first


def test_theta_0_makes_one_group_and_theta_above_1_one_a_path() -> None:
    paths = [f"/html/body/div.c{i}/p.x{i}/a" for i in range(12)]
    lumped, split = PathClusters(theta=0.0), PathClusters(theta=1.01)
    assert {lumped.assign(path) for path in paths} == {0}
    assert [split.assign(path) for path in paths] == list(range(12))


def test_finds_the_nearest_exactly() -> None:
    groups = PathClusters(theta=1.01, m=8, w=15)
    paths = [f"/html/body/div#d{i % 40}/ul.u{i % 7}/li.l{i % 11}/a" for i in range(300)]
    for path in dict.fromkeys(paths):
        groups.assign(path)
    dense = groups._sums[:, : len(groups)]
    for path in paths[::17]:
        cells, values = groups._project(path)
        vector = np.zeros(2**8)
        vector[cells] = values
        cosines = vector @ dense / np.linalg.norm(dense, axis=0) / np.linalg.norm(vector)
        group, similarity = groups._nearest(cells, values)
        assert similarity == pytest.approx(cosines.max())
        assert cosines[group] == pytest.approx(cosines.max())


def test_the_kept_norm_is_the_norm_of_the_kept_sum() -> None:
    groups = PathClusters(theta=0.3)
    for i in range(500):
        groups.assign(f"/html/body/div.c{i % 30}/ul#u{i}/li/a")
    sums = groups._sums[:, : len(groups)]
    assert groups._squares[: len(groups)] == pytest.approx((sums * sums).sum(axis=0))


def test_many_groups_make_room_for_themselves() -> None:
    groups = PathClusters(theta=1.01)
    assert [groups.assign(f"/a{i}/b{i}") for i in range(200)] == list(range(200))
