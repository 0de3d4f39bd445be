"""The tables of stored runs of each verb, as data frames."""

import csv
from collections.abc import Callable
from pathlib import Path

import pyoxigraph
import pytest

import filon
from golden.folders import unpack


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], filon.Run]:
    where = tmp_path_factory.mktemp("runs")
    return lambda name: filon.open_run(
        where / name if (where / name).exists() else unpack(name, where)
    )


@pytest.mark.parametrize("name", ["enrich", "enrich-killed"])
def test_the_table_of_an_enrichment_also_of_a_killed_one(
    stored: Callable[[str], filon.Run], name: str
) -> None:
    table = stored(name).table()
    assert table.path
    with table.path.open(newline="", encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]
    assert [*table] == rows
    assert len(table) == len(rows) > 0
    assert "filon_id" in table.columns
    assert table.to_pandas()["filon_id"].tolist() == [row["filon_id"] for row in rows]
    assert table.to_polars().height == table.to_arrow().num_rows == len(rows)


def test_the_sites_of_a_discovery_best_first(stored: Callable[[str], filon.Run]) -> None:
    sites = stored("discover").sites()
    assert len(sites) > 0
    assert [site["rank"] for site in sites] == [*range(1, len(sites) + 1)]
    assert all(site["why"] for site in sites)
    frame = sites.to_polars()
    assert frame["formats"].to_list() == [list(site["formats"]) for site in sites]
    assert sites.to_pandas()["known"].dtype == "boolean"


def test_the_triples_that_were_followed(stored: Callable[[str], filon.Run]) -> None:
    graph = stored("follow").graph()
    assert graph.path
    assert graph.path.name == "graph.nq"
    store = pyoxigraph.Store()
    store.bulk_load(path=graph.path, format=pyoxigraph.RdfFormat.N_QUADS)
    rows = [*graph]
    assert len(graph) == len(rows) > 0
    distinct = {tuple(row.values()) for row in rows}
    assert len(distinct) == len(store)
    assert {row["graph"] for row in rows} == {name.value for name in store.named_graphs()}
    literals = [row for row in rows if row["datatype"]]
    assert 0 < len(literals) < len(rows)
    assert not any(row["object"].startswith(("<", '"')) for row in rows)
    assert graph.to_arrow().num_rows == len(rows)


def test_a_run_of_another_verb_names_what_it_has(stored: Callable[[str], filon.Run]) -> None:
    with pytest.raises(filon.UserError, match="has no graph: it is a run of filon enrich, with"):
        stored("enrich").graph()
    with pytest.raises(filon.UserError, match=r"has no table: .* finds, requests, sites"):
        stored("discover").table()


def test_every_stored_run_shows_what_it_is_about(stored: Callable[[str], filon.Run]) -> None:
    for name in ("harvest", "discover", "follow", "enrich", "replicate"):
        run = stored(name)
        assert f"filon {name} " in repr(run)
        assert len(run.requests) >= run.spent.requests
        assert len(run.finds) == run.spent.finds == len([*run])
        assert Path(run) == run.path
