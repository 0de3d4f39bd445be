"""A harvest of a portal: its own lists instead of links."""

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import filon
from filon.compare.replica import Replica
from filon.core import Account, Budget, Find, Response, Step, Strategy, drive
from filon.page.types import Types
from filon.verbs.harvest.job import with_portals
from filon.verbs.harvest.strategies import build
from filon.verbs.harvest.strategies.brief import Brief
from unit.portals.answers.dcat import dcat_ap
from unit.portals.answers.open_data import ckan, opendatasoft
from unit.portals.answers.replies import MISSING
from unit.portals.catalogue import HOST, ROOT, ROWS
from unit.services.server import AUTHORITY, Call, Reply, Serving, serving

HTML = {"Content-Type": "text/html; charset=utf-8"}
CKAN_HOME = b"""<html><head><meta name="generator" content="ckan 2.10.4"></head><body>
<a href="/data/dataset/">Datasets</a> <a href="/data/api/3/action/package_list">API</a>
<a href="/files/extra.csv">A file on no list</a></body></html>"""
ODS_HOME = (
    b"""<html><body ng-app="ods.core"><a href="/explore/?sort=modified">All</a></body></html>"""
)
PLAIN_HOME = b"""<html><body><a href="/files/extra.csv">Data</a> about CKAN, Socrata and DKAN:
<a href="https://other.test/api/3/action/package_list">a portal</a></body></html>"""


def site(home: bytes, api: Callable[[Call], Reply], robots: bytes = b"") -> Callable[[Call], Reply]:
    """A portal with a home page, files and an API."""

    def reply(call: Call) -> Reply:
        if call.path == "/robots.txt":
            return (200, {"Content-Type": "text/plain"}, robots) if robots else MISSING
        if call.path == "/":
            return 200, HTML, home
        if call.path.startswith("/files/") or "/exports/" in call.path:
            return 200, {"Content-Type": "text/csv"}, f"a,b\n1,{call.path}\n".encode()
        if call.path == "/download":
            return (
                200,
                {"Content-Type": "application/zip"},
                b"PK\x03\x04" + call.params["number"].encode(),
            )
        return api(call)

    return reply


def harvest(
    reply: Callable[[Call], Reply], tmp_path: Path, **wishes: object
) -> tuple[list[str], Serving]:
    """Harvest the site; return the URLs of the finds, and what the server was asked."""
    ca_file = tmp_path / "ca.pem"
    AUTHORITY.cert_pem.write_to_path(str(ca_file))
    out = tmp_path / "run"
    settings = {"delay": 0.0, "stop": "never", "ca_file": str(ca_file), "retries": 0} | wishes
    with serving(reply, HOST) as served:
        run = filon.harvest(f"{ROOT}/", out=out, connect_to=(served.rule,), **settings)  # type: ignore[arg-type]
        with run:
            found = [find.url for find in run]
    return found, served


def test_a_portal_is_listed_by_its_api_and_links_are_followed_for_the_rest(tmp_path: Path) -> None:
    found, served = harvest(site(CKAN_HOME, ckan), tmp_path)
    assert set(found) >= {url for row in ROWS for url in (row.csv, row.zip)}
    assert f"{ROOT}/files/extra.csv" in found
    calls = Counter(call.path for call in served.calls)
    assert (
        calls["/data/api/3/action/status_show"] == calls["/data/api/3/action/package_search"] == 1
    )
    paths = [f"{call.path}?{call.params}" for call in served.calls]
    assert len(paths) == len(set(paths)), "nothing is asked for twice"
    assert len(served.calls) - len(found) <= 10


def test_the_first_requests_are_the_page_the_api_and_then_files(tmp_path: Path) -> None:
    _, served = harvest(site(CKAN_HOME, ckan), tmp_path, budget="8req")
    assert [call.path for call in served.calls] == [
        "/robots.txt",
        "/",
        "/data/api/3/action/status_show",
        "/data/api/3/action/package_search",
        "/files/set-0001.csv",
        "/download",
        "/files/set-0002.csv",
        "/download",
    ]


def test_a_run_that_is_resumed_goes_on_within_the_list(tmp_path: Path) -> None:
    reply = site(CKAN_HOME, ckan)
    _, first = harvest(reply, tmp_path, budget="20req")
    with serving(reply, HOST) as second:
        run = filon.resume(tmp_path / "run", budget="10000req", connect_to=(second.rule,))
    with run:
        found = [find.url for find in run]
    assert len(first.calls) == 20
    assert set(found) >= {url for row in ROWS for url in (row.csv, row.zip)}
    asked = [f"{call.path}?{call.params}" for call in (*first.calls, *second.calls)]
    assert [path for path in asked if asked.count(path) > 1] in ([], ["/robots.txt?{}"] * 2)


def test_a_run_from_before_portals_were_asked_goes_on_without(tmp_path: Path) -> None:
    harvest(site(CKAN_HOME, ckan), tmp_path, budget="3req", portals=False)
    config = tmp_path / "run" / "run.toml"
    old = [line for line in config.read_text().splitlines() if not line.startswith("portals")]
    config.write_text("\n".join(old) + "\n")
    with serving(site(CKAN_HOME, ckan), HOST) as served:
        filon.resume(tmp_path / "run", budget="50req", connect_to=(served.rule,)).close()
    assert served.calls
    assert not any("action/status_show" in call.path for call in served.calls)


def test_no_portals_means_links_alone(tmp_path: Path) -> None:
    found, served = harvest(site(CKAN_HOME, ckan), tmp_path, portals=False)
    assert found == [f"{ROOT}/files/extra.csv"]
    assert not any("action/status_show" in call.path for call in served.calls)


def test_only_wanted_types_are_fetched(tmp_path: Path) -> None:
    found, served = harvest(site(CKAN_HOME, ckan), tmp_path, types="zip")
    assert set(found) == {row.zip for row in ROWS}
    assert not any("set-" in call.path for call in served.calls)


def test_one_of_several_formats_is_enough(tmp_path: Path) -> None:
    found, _ = harvest(site(ODS_HOME, opendatasoft), tmp_path)
    exports = [url for url in found if "/exports/" in url]
    assert len(exports) == len(ROWS)
    assert all(url.endswith("/csv") for url in exports)


def test_robots_txt_is_obeyed_by_the_calls_as_well(tmp_path: Path) -> None:
    def both(call: Call) -> Reply:
        return dcat_ap(replace_path(call)) if "catalog.ttl" in call.path else ckan(call)

    rules = b"User-agent: *\nDisallow: /data/api/\n"
    found, served = harvest(site(CKAN_HOME, both, rules), tmp_path)
    assert not any("/api/" in call.path for call in served.calls)
    assert set(found) >= {url for row in ROWS for url in (row.csv, row.zip)}


def replace_path(call: Call) -> Call:
    """The catalogue stands where the portal does."""
    return Call(call.method, "/catalog.ttl", call.params, call.headers)


def test_an_api_that_is_not_there_costs_two_requests_and_nothing_else(tmp_path: Path) -> None:
    def off(call: Call) -> Reply:
        return MISSING

    (tmp_path / "with").mkdir()
    (tmp_path / "without").mkdir()
    with_, served = harvest(site(CKAN_HOME, off), tmp_path / "with")
    without, plain = harvest(site(CKAN_HOME, off), tmp_path / "without", portals=False)
    assert with_ == without
    assert len(served.calls) - len(plain.calls) == 2


def test_a_site_that_is_no_portal_is_asked_for_nothing_more(tmp_path: Path) -> None:
    (tmp_path / "with").mkdir()
    (tmp_path / "without").mkdir()
    _, served = harvest(site(PLAIN_HOME, lambda call: MISSING), tmp_path / "with")
    _, plain = harvest(site(PLAIN_HOME, lambda call: MISSING), tmp_path / "without", portals=False)
    assert [call.path for call in served.calls] == [call.path for call in plain.calls]


class Steps:
    """A Store that keeps the steps."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def begin(self, step: Step, number: int = 0) -> int:
        self.steps.append(step)
        return number or len(self.steps)

    def record(
        self, number: int, step: Step, response: Response, finds: list[Find], *, idle: bool
    ) -> None:
        pass

    def hold(self, number: int, response: Response) -> None:
        pass

    def commit(self) -> None:
        pass

    def checkpoint(self, strategy: Strategy) -> None:
        pass


@pytest.mark.parametrize("name", ["ipho", "cantabria"])
def test_sites_that_are_no_portals_are_harvested_step_by_step_as_before(
    name: str, shared: Path
) -> None:
    replica = Replica.open(shared / f"data/harvest/replicas/{name}.sqlite")

    def steps(wrap: Callable[[Strategy], Strategy]) -> list[Step]:
        brief = Brief(start=replica.start, types=Types.parse("paper"), read=replica.memory.read)
        store, account = Steps(), Account(Budget(requests=400), 1)
        chosen = wrap(build("vein", brief))
        asyncio.run(drive(chosen, replica.fresh(), account, store))  # type: ignore[arg-type]
        return store.steps

    plain = steps(lambda chosen: chosen)
    assert len(plain) > 100
    assert steps(with_portals) == plain
