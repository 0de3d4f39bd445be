import sys

from tools.imports import costs


def test_each_way_to_start_is_counted() -> None:
    told = costs(sys.executable, runs=1)
    modules = {name: count for name, (_, count) in told.items()}
    assert all(spent_s > 0 for spent_s, _ in told.values())
    assert modules["python"] < modules["import filon"] < modules["filon --version"]
    assert modules["filon --version"] < modules["filon --help"]
