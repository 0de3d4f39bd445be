import numpy as np
import pytest

from filon.page.links import Link
from filon.verbs.harvest.strategies.vein.site_prior import (
    MOST_YIELD,
    SIZE,
    SitePrior,
    features_of,
    of_text,
    of_url,
)

PAGE = "http://a.org/topics/"
LINKS = [
    Link("http://a.org/reports/2019", "/html/body/ul.list/li/a", "Annual report", "a", "as .pdf"),
    Link("http://a.org/contact", "/html/body/nav/a", "Contact us", "a"),
]


def prior(weight: float) -> SitePrior:
    weights = np.zeros((2, SIZE), dtype=np.float32)
    for number in of_text("report"):
        weights[1, number] = weight
    return SitePrior(lambda: weights)


def test_a_link_is_worth_what_its_features_are() -> None:
    known = prior(0.5)
    chances, yields = known.of(LINKS, PAGE)
    assert chances.tolist() == [0.0, 0.0]
    assert yields[0] >= 0.5 > yields[1]
    for link, told in zip(LINKS, yields, strict=True):
        features = features_of(link, PAGE, len(LINKS))
        assert told == pytest.approx(sum(known.weights[1, at] * scale for at, scale in features))


def test_no_prior_says_more_than_its_bound() -> None:
    assert np.abs(prior(99.0).of(LINKS, PAGE)).max() == MOST_YIELD


def test_features_know_neither_host_nor_numbers() -> None:
    assert of_url("http://a.org/reports/2019", PAGE) == of_url("http://b.net/reports/2021", PAGE)


def test_a_run_goes_on_with_its_own_weights_though_the_file_is_gone() -> None:
    def gone() -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        raise FileNotFoundError

    first, again = prior(0.5), SitePrior(gone)
    again.restore(first.state())
    assert again.of(LINKS, PAGE).tolist() == first.of(LINKS, PAGE).tolist()
