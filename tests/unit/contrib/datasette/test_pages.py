"""The pages in a running Datasette, by its own client."""

from pathlib import Path

import pytest
from datasette.app import Datasette

from filon.contrib.datasette import NAME
from filon.contrib.datasette.choices import open_catalog
from filon.contrib.datasette.pages import _weblink
from filon.run.folder import RunFolder
from unit.catalog.conftest import record
from unit.contrib.datasette.conftest import asked, made

FILE = "http://one.test/a.csv"


def found(served: Datasette, words: str) -> str:
    hits = asked(served, f"/-/filon.json?q={words}").json()["hits"]
    return str(hits[0]["id"])


def test_the_catalog_lists_all_files_and_runs(served: Datasette) -> None:
    page = asked(served, "/-/filon")
    assert page.status_code == 200
    assert "6 files" in page.text
    assert "Unemployment by region" in page.text
    told = asked(served, "/-/filon.json").json()
    assert {one["run"] for one in told["runs"]} == {"one", "two"}
    assert len(told["hits"]) == told["total"] == 6


def test_words_and_facets_find_files_and_why_is_told(served: Datasette) -> None:
    told = asked(served, "/-/filon.json?q=unemployment&format=csv&site=one.test").json()
    assert [hit["url"] for hit in told["hits"]] == [FILE]
    assert "title" in told["hits"][0]["reason"]
    assert "all files" in asked(served, "/-/filon?q=unemploiment").text


def test_a_profile_shows_columns_and_where_a_file_was_found(served: Datasette) -> None:
    id_ = found(served, "Unemployment+by+region")
    page = asked(served, f"/-/filon/files/{id_[:12]}")
    assert page.status_code == 200
    assert "Unemployment rate (%)" in page.text
    assert "CC BY 4.0" in page.text
    table = asked(served, f"/-/filon/files/{id_}.json").json()["table"]
    assert table["rows"] == 5
    assert [one["name"] for one in table["columns"]][:2] == ["Region", "Year"]


def test_why_a_file_was_found_is_told(served: Datasette) -> None:
    page = asked(served, f"/-/filon/why?run=one&asked={FILE}")
    assert page.status_code == 200
    assert FILE in page.text
    assert asked(served, f"/-/filon/why.json?run=one&asked={FILE}").json()["ok"] is True


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/-/filon/why?run=three", "no run"),
        ("/-/filon/why?run=../one", "no run"),
        ("/-/filon/why?run=/etc", "no run"),
        ("/-/filon/why", "no run"),
        ("/-/filon/files/abcdef123456", "No file"),
        ("/-/filon?q=qzxvkwjq&skip=99999999999", "0 files"),
        ("/-/filon?format=none", "none"),
        ("/-/filon/files/abcdef?table=x", "No file"),
    ],
)
def test_what_is_not_there_is_told_in_a_sentence(
    served: Datasette, path: str, sentence: str
) -> None:
    page = asked(served, path)
    assert page.status_code in (200, 400)
    assert sentence in page.text


def test_pages_are_in_the_menu_and_for_those_who_may_see_them(runs: Path) -> None:
    open_ = made(runs)
    assert "/-/filon" in asked(open_, "/").text
    closed = Datasette(
        memory=True,
        metadata={"allow": {"id": "root"}, "plugins": {NAME: {"folder": str(runs)}}},
    )
    assert asked(closed, "/-/filon").status_code == 403
    assert asked(closed, "/-/filon/why?run=one&asked=x").status_code == 403
    assert asked(closed, "/-/filon.json").status_code == 403


def test_the_pages_alone_can_be_kept_to_some(runs: Path) -> None:
    closed = made(runs, allow={"id": "root"})
    assert asked(closed, "/").status_code == 200
    assert "/-/filon" not in asked(closed, "/").text
    assert asked(closed, "/-/filon").status_code == 403
    root = {"ds_actor": closed.sign({"a": {"id": "root"}}, "actor")}
    assert asked(closed, "/-/filon", cookies=root).status_code == 200


def test_without_runs_a_page_says_what_to_do(tmp_path: Path) -> None:
    page = asked(made(tmp_path), "/-/filon")
    assert "no runs in" in page.text
    assert asked(made(tmp_path / "none"), "/-/filon").status_code == 200


@pytest.mark.parametrize(
    "setting", [{"budget": 0}, {"budget": "many"}, {"foldr": "x"}, {"sources": "x"}, {"delay": -1}]
)
def test_a_setting_that_makes_no_sense_is_told(runs: Path, setting: dict[str, object]) -> None:
    page = asked(made(runs, **setting), "/-/filon")
    assert page.status_code == 400
    assert NAME in page.text


def test_what_strangers_wrote_is_shown_and_does_nothing(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    with RunFolder.create(tmp_path / "bad", {}) as store:
        body = f"{evil},b\n1,2\n3,4\n".encode()
        record(store, f"http://bad.test/{evil}.csv", body, {"link_text": evil})
    datasette = made(tmp_path)
    asked(datasette, "/-/filon.json")
    open_catalog(datasette).wait()
    told = asked(datasette, "/-/filon.json").json()
    id_ = told["hits"][0]["id"]
    for path in ("/-/filon", f"/-/filon/files/{id_}", "/-/filon/why?run=bad&asked=" + evil):
        page = asked(datasette, path)
        assert page.status_code == 200
        assert "<script>alert" not in page.text

    assert [_weblink(url) for url in ("javascript:alert(1)", "data:,x", "x:y", "http://[")] == (
        [""] * 4
    )
