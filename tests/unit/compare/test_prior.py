import numpy as np
import pytest

from filon.compare.prior import Examples, examples, learn
from filon.compare.replica import Replica
from filon.compare.source import Body, Head
from filon.page.links import Link
from filon.page.types import Types
from filon.verbs.harvest.strategies.vein.site_prior import SitePrior

TYPES = Types.parse("data")


class Site:
    """A home page, pages called reports with a file each, and pages of news without."""

    def __init__(self, host: str, pages: int) -> None:
        self.name, self.start = host, f"http://{host}/"
        kinds = ("reports", "news")
        home = "".join(f"<p><a href=/{kind}/{n}>{kind}</a>" for n in range(pages) for kind in kinds)
        self._pages = {"/": home}
        for n in range(pages):
            self._pages[f"/reports/{n}"] = f"<a href=/files/{n}.csv>Download</a>"
            self._pages[f"/news/{n}"] = "nothing"
            self._pages[f"/files/{n}.csv"] = "a,b\n1,2\n"

    def look(self, url: str) -> Head:
        path = url.removeprefix(self.start.rstrip("/"))
        if path == "/reports/0":
            return Head(302, "", f"{self.start}reports/1", url)
        mime = "text/csv" if path.endswith(".csv") else "text/html"
        return Head(200, mime, "", path) if path in self._pages else Head(404, "text/html")

    def load(self, head: Head) -> Body:
        data = self._pages.get(head.path, "").encode()
        return Body(data, len(data), head.mime)

    def close(self) -> None: ...


@pytest.fixture(scope="module")
def taught() -> list[Examples]:
    return [examples(Replica(Site(f"{n}.org", 12 + n), TYPES), TYPES) for n in range(4)]


def test_links_that_were_followed_are_examples(taught: list[Examples]) -> None:
    first = taught[0]
    assert first.features.shape[0] == len(first.yields) == len(first.residuals)
    assert (~first.pages).sum() == 11  # the page that redirects had a file that no other leads to
    assert 0 < first.yields[first.pages].mean() < np.log(2)


def test_a_site_that_was_gone_teaches_nothing() -> None:
    gone = Site("gone.org", 0)
    gone._pages.clear()
    none = examples(Replica(gone, TYPES), TYPES)
    assert len(none.yields) == len(none.residuals) == len(none.pages) == 0


def test_what_leads_to_files_on_some_sites_is_believed_on_another(taught: list[Examples]) -> None:
    weights = learn(taught[:3])
    prior, page = SitePrior(lambda: weights), "http://new.org/"
    links = [
        Link(f"http://new.org/{kind}/7", "/html/body/p/a", kind, "a", kind)
        for kind in ("reports", "news", "other")
    ]
    reports, news, other = prior.of(links, page)[1]
    assert reports > other > news
    assert reports - news > 0.1


def test_sites_that_have_nothing_in_common_teach_nothing(taught: list[Examples]) -> None:
    rng = np.random.RandomState(0)
    noise = [
        site._replace(residuals=rng.randn(len(site.yields)), yields=rng.rand(len(site.yields)))
        for site in taught
    ]
    assert np.abs(learn(noise)).max() < 0.05
