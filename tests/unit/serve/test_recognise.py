import sqlite3
from contextlib import closing
from pathlib import Path

import openpyxl
import pytest

from filon.serve.recognise import after_look, is_list, recognise, recognise_file


@pytest.mark.parametrize(
    ("typed", "kind", "verb"),
    [
        ("https://www.example.org/statistics", "site", "harvest"),
        ("  Example.org ", "site", "harvest"),
        ("localhost:8080/data", "site", "harvest"),
        ("192.168.0.1", "site", "harvest"),
        ("http://dbpedia.org/resource/Quartz", "linked", "follow"),
        ("https://example.org/id/7", "linked", "follow"),
        ("https://example.org/about#me", "linked", "follow"),
        ("https://example.org/catalog.ttl", "linked", "follow"),
        ("https://example.org/files/2024.csv", "file", "harvest"),
        ("food security ethiopia", "topic", "discover"),
        ("bees", "topic", "discover"),
        ("bees, honey and wax.", "topic", "discover"),
        ("v1.2 release notes", "topic", "discover"),
    ],
)
def test_what_was_typed_is_told_apart(typed: str, kind: str, verb: str) -> None:
    found = recognise(typed)
    assert (found.kind, found.proposals[0].verb) == (kind, verb)
    assert len(found.proposals) > 1, "there is always another way"


def test_an_identifier_is_followed_as_it_is_written() -> None:
    assert recognise("http://example.org/id/7#it").proposals[0].typed == {
        "seeds_": ["http://example.org/id/7#it"]
    }


def test_of_a_file_on_the_web_its_folder_is_proposed() -> None:
    first = recognise("https://example.org/a/b.csv?x=1").proposals[0]
    assert first.typed == {"url_": "https://example.org/a/"}


@pytest.mark.parametrize("typed", ["ftp://example.org/", "http://me:secret@example.org/"])
def test_what_cannot_be_done_is_said_as_the_command_line_says_it(typed: str) -> None:
    found = recognise(typed)
    assert found.kind == "nothing"
    assert found.problem.endswith(".")


def test_nothing_is_nothing_and_a_table_must_be_dropped() -> None:
    assert recognise(" \n ").kind == "nothing"
    assert recognise("papers.csv").hint == "drop"


def test_lines_of_addresses_are_a_list() -> None:
    assert is_list("https://a.test/\nb.test\n")
    assert not is_list("https://a.test/\nand some words")
    assert not is_list("https://a.test/")


def test_a_dropped_list_may_be_harvested_or_be_examples(tmp_path: Path) -> None:
    file = tmp_path / "sites.txt"
    file.write_text("# mine\nhttps://a.test/\nb.test\n", "utf-8")
    found = recognise_file(file, "sites.txt")
    assert found.kind == "sites"
    assert [one.verb for one in found.proposals] == ["harvest", "discover", "follow"]
    assert found.proposals[0].typed == {"sites_": "sites.txt"}


def test_a_dropped_table_is_enriched(tmp_path: Path) -> None:
    file = tmp_path / "papers.csv"
    file.write_text("title,year\nBees,2001\nWax,2002\n", "utf-8")
    found = recognise_file(file, "papers.csv")
    assert found.kind == "table"
    assert found.proposals[0].typed == {"table_": "papers.csv"}


def test_of_a_database_with_several_tables_each_is_offered(tmp_path: Path) -> None:
    file = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(file)) as db:
        db.executescript("CREATE TABLE b(x); CREATE TABLE c(y); INSERT INTO c VALUES (1)")
    found = recognise_file(file, "a.sqlite")
    assert [one.typed["part_"] for one in found.proposals] == ["b", "c"]
    assert found.proposals[0].typed["table_"] == "a.sqlite"


def test_of_a_workbook_with_several_sheets_the_one_that_opens_comes_first(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["a"])
    book.create_sheet("Towns").append(["town"])
    for sheet in book:
        sheet.append(["x"])
    book.active = 1
    book.save(tmp_path / "a.xlsx")
    found = recognise_file(tmp_path / "a.xlsx", "a.xlsx")
    assert [one.typed["part_"] for one in found.proposals] == ["Towns", "Sheet"]


def test_other_files_are_refused_with_why(tmp_path: Path) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(b"%PDF-1.7\n")
    assert recognise_file(file, "a.pdf").problem.startswith("a.pdf is a PDF")
    graph = tmp_path / "a.ttl"
    graph.write_text("@prefix : <#> .", "utf-8")
    assert recognise_file(graph, "a.ttl").hint == "rdf_file"


def test_the_type_of_the_first_answer_decides() -> None:
    site = recognise("https://example.org/quartz")
    assert after_look(site, "text/html") == site
    linked = after_look(site, "text/turtle")
    assert linked.kind == "linked"
    assert linked.proposals[0].verb == "follow"
    assert linked.proposals[0].why == "type"
