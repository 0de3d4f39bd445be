from pathlib import Path

import pytest

from filon.core import UserError
from filon.mcp.services import places, whole


def test_the_hosts_of_a_service_are_those_of_its_searcher_and_its_source() -> None:
    assert places("datacite") == ["api.datacite.org:443"]
    assert places("searxng:url=http://localhost:8888") == ["localhost:8888"]
    assert places("ckan:url=https://demo.ckan.org") == ["demo.ckan.org:443"]


@pytest.mark.parametrize("spec", ["nobody", "searxng", ""])
def test_what_names_no_place_is_refused(spec: str) -> None:
    with pytest.raises(UserError, match="is no service"):
        places(spec)


def test_a_description_of_the_users_own_lies_beside_the_limits() -> None:
    here = Path("/home/me")
    assert whole("mine.toml", here) == str(here / "mine.toml")
    assert whole("mine.toml:url=https://a.test", here) == f"{here / 'mine.toml'}:url=https://a.test"
    assert whole("searxng:url=http://a.test/", here) == "searxng:url=http://a.test/"
    assert whole("openalex", here) == "openalex"
