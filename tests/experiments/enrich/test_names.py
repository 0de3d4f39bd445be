"""Names that are asked one by one."""

from experiments.enrich.golden import bulletins
from experiments.enrich.names import measure


def test_the_best_record_of_a_name_is_mostly_the_right_one() -> None:
    golden = bulletins(rows=40, hidden=120, absent=0.4, seed=1)
    made = measure(golden, ("authors",), names=30)
    assert made.names == 30
    assert 0 < made.matchable < 30
    assert made.best >= 0.9 * made.matchable
    assert made.right >= 0.9 * made.told > 0
