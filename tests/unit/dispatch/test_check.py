from typing import Any

import pytest

from filon.dispatch.check import check, command
from filon.verbs.harvest import Harvest


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"depth_": "x"}, "depth_"),
        ({"budget_": "x"}, "budget_"),
        ({"strategy_": "no such"}, "strategy_"),
        ({"depth_": 3, "seed_": -1}, "seed_"),
        ({"per_site_": 5}, "per_site_"),
    ],
)
def test_a_sentence_stands_at_the_field_that_it_is_about(typed: dict[str, Any], field: str) -> None:
    checked = check(Harvest(), {"url_": "https://a.test/", **typed})
    assert checked.settings is None
    assert list(checked.errors) == [field]


def test_what_is_wrong_with_the_address_is_about_the_whole() -> None:
    assert list(check(Harvest(), {"url_": "ftp://a.test/", "depth_": 2}).errors) == [""]


def test_a_list_of_sites_is_an_acquisition_and_typed_as_a_harvest() -> None:
    typed = {"sites_": __file__.replace("test_check.py", "sites.txt")}
    assert command(Harvest(), typed)[:2] == ["harvest", "--sites"]


def test_secrets_do_not_pass_and_files_of_them_do() -> None:
    url = {"url_": "https://a.test/"}
    assert list(check(Harvest(), {**url, "header_": ["Cookie: a=b"]}).errors) == ["header_"]
    assert list(check(Harvest(), {**url, "proxy_": "http://u:p@x.test/"}).errors) == ["proxy_"]
    assert not check(Harvest(), {**url, "proxy_": "http://x.test:3128/"}).errors
