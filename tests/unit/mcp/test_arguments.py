"""What an agent says, as the command line has it."""

from pathlib import Path

import pytest

from filon.mcp import arguments
from filon.mcp.limits import LimitError, Limits


@pytest.fixture(scope="module")
def limits(tmp_path_factory: pytest.TempPathFactory) -> Limits:
    folder = tmp_path_factory.mktemp("said")
    (folder / "t.csv").write_text("title\nx\n")
    said = {
        "hosts": ["a.test"],
        "services": ["openlibrary", "ckan:url=https://c.test", "searxng:url=http://s.test:8888"],
        "folders": ["."],
    }
    return Limits.read(said, folder / "mcp.toml")


def test_words_become_what_is_typed_and_what_is_empty_was_not_said(limits: Limits) -> None:
    urls = ["https://a.test/", "https://a.test/b"]
    typed = arguments.harvest(limits, urls=urls, types="csv", include=[], depth=0)
    assert typed == {"url_": urls[0], "more_urls_": [urls[1]], "types_": "csv"}


def test_the_parameters_of_a_source_are_the_users(limits: Limits) -> None:
    typed = arguments.enrich(limits, table="t.csv", source="ckan:url=https://c.test", add="year")
    assert (typed["source_"], typed["source_set_"]) == ("ckan", ["url=https://c.test"])
    assert Path(typed["table_"]).is_absolute()


def test_all_search_services_that_are_allowed_are_asked_and_no_others(limits: Limits) -> None:
    typed = arguments.discover(limits, topic="bees", seeds=[])
    assert typed["search_"] == ["ckan:url=https://c.test", "searxng:url=http://s.test:8888"]
    assert arguments.acquire(limits, topic="bees")["search_"] == typed["search_"]


def test_without_a_service_nobody_could_be_asked() -> None:
    alone = Limits.read({"hosts": ["*"]}, Path("mcp.toml"))
    with pytest.raises(LimitError, match="No search service is allowed"):
        arguments.acquire(alone, topic="x")
    with pytest.raises(LimitError, match="No search service is allowed"):
        arguments.discover(alone, topic="x", seeds=[])


@pytest.mark.parametrize("urls", [[], ["https://a.test/"] * 1001, [f"https://a.test/{'a' * 2000}"]])
def test_too_little_and_too_much_is_refused(limits: Limits, urls: list[str]) -> None:
    with pytest.raises(LimitError):
        arguments.harvest(limits, urls=urls)


def test_an_acquisition_needs_words(limits: Limits) -> None:
    with pytest.raises(LimitError, match="Say it in words"):
        arguments.acquire(limits, topic=" ")
