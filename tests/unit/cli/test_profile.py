"""`filon profile RUN`: what is in the files, and how much of it is statistics."""

import json
from pathlib import Path

import pytest

from command import filon
from filon.core import Find, Request, Response, Step
from filon.profile.shape import Column, Profile, Table
from filon.profile.statistics import is_statistics, share
from filon.run.folder import RunFolder
from unit.profile.hostile import TABLE, pdf, pdf_text

POINT = (
    '{"properties": {"country": "Kenya"}, "geometry": {"type": "Point", "coordinates": [%d, 1]}}'
)
PLACES = f'{{"type": "FeatureCollection", "features": [{POINT % 34}, {POINT % 41}]}}'


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("profile") / "run"
    numbers = [["Region", "2019"], *([f"Area {n}", str(3 * n % 7)] for n in range(1, 9))]
    bodies = {
        "a.csv": TABLE,
        "names.csv": b"name,city\nAnna,Bern\nUrs,Chur\n",
        "map.geojson": PLACES.encode(),
        "paper.pdf": pdf(pdf_text(numbers)),
        "gone.csv": b"<!doctype html><p>Not found",
    }
    with RunFolder.create(path, {}) as folder:
        for name, body in bodies.items():
            url = f"http://a.test/{name}"
            step = Step(request=Request(url=url))
            answer = Response(url=url, status=200, body=body, size_bytes=len(body))
            found = Find(kind="file", url=url, name=name, mime="")
            folder.record(folder.begin(step), step, answer, [found], idle=False)
    return path


def test_the_overview_has_a_line_a_format_and_both_figures(run: Path) -> None:
    ended = filon(run.parent, "profile", run)
    lines = ended.out.splitlines()
    assert lines[0].split() == [
        *("format", "files", "tables", "rows", "statistics", "tables", "a", "file", "no", "table")
    ]
    assert lines[1].split() == ["csv", "2", "2", "5", "50%", "0.5"]
    assert [line.split()[0] for line in lines[2:5]] == ["geojson", "pdf", "html"]
    assert lines[3].split()[4:] == ["100%", "1.0"]
    assert lines[-1] == "40% of 5 files have a statistics table, 0.4 a file on average."


def test_json_has_the_figures_by_format(run: Path) -> None:
    told = json.loads(filon(run.parent, "profile", run, "--json").out)["statistics"]
    assert (told["files"], told["share"], told["tables_a_file"]) == (5, 0.4, 0.4)
    assert told["formats"]["pdf"] == {"files": 1, "share": 1.0, "tables_a_file": 1.0}
    assert told["formats"]["html"]["share"] == 0.0


def test_one_file_is_told_in_full(run: Path) -> None:
    told = filon(run.parent, "profile", run, "map.geojson").out
    assert "2 rows, 2 columns, Kenya, within 34 1 41 1" in told
    told = filon(run.parent, "profile", run, "paper.pdf").out
    assert "1 tables, counted and not read" in told


def numbers(name: str, kind: str, least: str, most: str) -> Column:
    return Column(name=name, kind=kind, least=least, most=most)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("column", "counts"),
    [
        (numbers("Value", "number", "0.5", "9.5"), True),
        (numbers("Population", "integer", "5", "900"), True),
        (numbers("Year", "integer", "1999", "2020"), False),
        (numbers("founded", "integer", "1999", "2020"), False),
        (numbers("region code", "integer", "1", "20"), False),
        (numbers("geo_id", "integer", "1", "20"), False),
    ],
)
def test_years_and_codes_make_no_statistics(column: Column, counts: bool) -> None:
    table = Table(rows=20, columns=(Column(name="Region"), column))
    assert is_statistics(table) is counts


def test_the_share_is_that_of_files_and_the_mean_that_of_all(tmp_path: Path) -> None:
    two = Table(rows=5, columns=(Column(name="a"), numbers("b", "number", "1", "2")))
    profiles = [Profile(tables=(two, two), counted=2), Profile(), Profile(), Profile(counted=4)]
    told = share(profiles)
    assert (told.share, told.mean) == (0.5, 1.5)


def test_a_header_is_missed_only_where_nothing_names_the_columns(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path / "run", {}) as folder:
        for name, body in {"a.csv": b"1,2\n3,4\n5,6\n", "b.json": b'[{"n": 1}, {"n": 2}]'}.items():
            url = f"http://a.test/{name}"
            step = Step(request=Request(url=url))
            answer = Response(url=url, status=200, body=body, size_bytes=len(body))
            found = Find(kind="file", url=url, name=name, mime="")
            folder.record(folder.begin(step), step, answer, [found], idle=False)
    assert "3 rows, 2 columns, no header" in filon(tmp_path, "profile", "run", "a.csv").out
    assert "header" not in filon(tmp_path, "profile", "run", "b.json").out
