import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

from filon.learn import sparse as own
from filon.learn.sparse import LOOPS, Entries, Public, loops


def entries(count: int, width: int) -> Entries:
    rng = np.random.RandomState(count)
    lengths = rng.randint(0, 9, size=count)
    ends = np.concatenate([[0], lengths.cumsum()]).astype(np.int32)
    columns = rng.randint(0, width, size=ends[-1]).astype(np.int32)
    return Entries(columns, rng.rand(ends[-1]).astype(np.float32), ends, width)


@pytest.fixture(params=["alone", "public"])
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "public":
        monkeypatch.setattr(own, "loops", Public)


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("count", [0, 1, 40])
def test_products_are_those_of_scipy_to_the_last_bit(count: int) -> None:
    rows, width = entries(count, 30), 30
    shape = (count, width)
    matrix = sparse.csr_matrix((rows.data, rows.columns, rows.ends), shape=shape)
    rng = np.random.RandomState(7)
    vector, table = rng.rand(width).astype(np.float32), rng.rand(width, 5).astype(np.float32)
    weights, some = rng.rand(count).astype(np.float32), np.flatnonzero(rng.rand(count) < 0.5)
    assert (rows.times(vector) == matrix @ vector).all()
    assert (rows.times_each(table) == matrix @ table).all()
    assert (rows.summed(weights) == matrix.T @ weights).all()
    few = rows.only(some)
    assert few.size == len(some)
    assert (few.times(vector) == matrix[some] @ vector).all()


def test_scipy_of_today_has_the_loops_and_is_not_imported_for_them() -> None:
    assert not isinstance(loops(), Public)
    said = "import sys, filon.learn.ridge; from filon.learn.sparse import loops; loops()"
    code = f"{said}; print('scipy' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"


@pytest.mark.parametrize("name", ["_no_such_module", "_csparsetools"])
def test_without_them_scipy_is_asked_as_everybody_does(name: str) -> None:
    assert own._alone(name) is None
    assert all(hasattr(Public, loop) for loop in LOOPS)


def test_a_module_that_cannot_be_loaded_alone_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise ImportError("DLL load failed")

    monkeypatch.setattr(own, "module_from_spec", fail)
    assert own._alone("_sparsetools") is None
