from filon.learn import EarlyStop


def first_stop(finds_per_step: list[float], **options: float) -> int:
    stop, count = EarlyStop(**options), 0.0  # type: ignore[arg-type]
    for t, finds in enumerate(finds_per_step, start=1):
        count += finds
        if stop.look(t, int(count)):
            return t
    return -1


def test_a_site_that_keeps_giving_is_not_stopped() -> None:
    assert first_stop([0.5] * 40_000) == -1


def test_a_dry_site_stops_after_kappa_looks_at_the_earliest() -> None:
    assert first_stop([0.0] * 40_000) == 15_000


def test_a_good_start_delays_the_stop() -> None:
    stopped = first_stop([1.0] * 10_000 + [0.0] * 80_000)
    assert stopped > 10_000 + 15_000


def test_small_sites_are_never_stopped() -> None:
    assert first_stop([0.0] * 14_999) == -1
