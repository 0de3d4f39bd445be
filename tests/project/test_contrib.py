"""Filon inside other programs: installed from the wheel, and used by their own entry points."""

from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from loopback import portal, serving
from project.checkout import ROOT, pyproject
from project.clean import run

SPIDER = """
import scrapy

class Small(scrapy.Spider):
    name = "small"
    start_urls = ["{url}"]
    custom_settings = {{"SCHEDULER": "filon.contrib.scrapy.Scheduler"}}

    def parse(self, response):
        if isinstance(response, scrapy.http.HtmlResponse):
            yield from response.follow_all(css="a")
        else:
            yield {{"url": response.url}}
"""

PIPELINE = """
import dlt
from filon.contrib.dlt import run

pipeline = dlt.pipeline("small", destination=dlt.destinations.duckdb("small.duckdb"),
                        dataset_name="web", pipelines_dir="pipelines")
pipeline.run(run("run"))
with pipeline.sql_client() as client:
    print(client.execute_sql("SELECT count(*) FROM finds")[0][0])
"""


#: The other programs, by the extra that asks for them.
PROGRAMS = {
    "scrapy": "scrapy",
    "dlt": "dlt",
    "mcp": "mcp",
    "datasette": "datasette",
    "datasette-enrichments": "datasette",
}
#: Pages that tell the versions.
TOLD = {"scrapy": "docs/scrapy.md", "datasette": "docs/datasette.md"}


def bounds(program: str) -> Mapping[str, str]:
    """Return the versions of a program that its extra asks for, by operator."""
    asked = pyproject()["project"]["optional-dependencies"][PROGRAMS[program]]
    (found,) = (each for each in map(Requirement, asked) if each.name == program)
    return {each.operator: each.version for each in found.specifier}


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_versions_of_the_other_program_are_bounded_below_and_above(program: str) -> None:
    asked = bounds(program)
    assert set(asked) == {">=", "<"}
    assert Version(asked[">="]) <= Version(version(program)) < Version(asked["<"])


@pytest.mark.parametrize("program", TOLD)
def test_the_page_tells_the_least_version(program: str) -> None:
    page = (ROOT / TOLD[program]).read_text("utf-8")
    assert f" {bounds(program)['>=']} " in page


def test_scrapy_runs_a_spider_with_the_scheduler_of_the_wheel(
    clean_with: Callable[[str], Path], tmp_path: Path
) -> None:
    clean = clean_with("scrapy")
    with serving(portal(2, 3)) as site:
        (tmp_path / "small.py").write_text(SPIDER.format(url=site.url))
        stats = ("-s", "DOWNLOAD_DELAY=0", "-s", "LOG_FILE=log.txt")
        scrapy = (clean / "python", "-m", "scrapy", "runspider", "small.py", *stats)
        run(*scrapy, "-O", "found.jsonl", cwd=tmp_path)
    assert len((tmp_path / "found.jsonl").read_text().splitlines()) == 7
    assert "'filon/finds': 7" in (tmp_path / "log.txt").read_text()


def test_dlt_loads_a_run_by_the_source_of_the_wheel(
    clean_with: Callable[[str], Path], tmp_path: Path
) -> None:
    clean = clean_with("dlt")
    (tmp_path / ".dlt").mkdir()
    (tmp_path / ".dlt/config.toml").write_text("[runtime]\ndlthub_telemetry = false\n")
    (tmp_path / "load.py").write_text(PIPELINE)
    with serving(portal(1, 2)) as site:
        run(clean / "filon", "harvest", site.url, "--delay", 0, "--out", "run", cwd=tmp_path)
    assert run(clean / "python", "load.py", cwd=tmp_path).split()[-1] == "2"
