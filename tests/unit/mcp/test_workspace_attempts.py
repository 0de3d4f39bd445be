"""Attempts of an agent to get beyond its user's limits, over the SDK's own client.

Each is shown twice, where that costs little: with its guard it gets nowhere, and with that guard
taken away it would.
"""

import asyncio
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest
from typer.testing import CliRunner

import filon
from filon.catalog.store import CatalogStore
from filon.cli.app import app
from filon.core import Budget, Spent
from filon.mcp import allowance, arguments
from filon.mcp.limits import Limits
from filon.mcp.workspace import Workspace
from filon.run.disk import Lock
from filon.run.readonly import CONFIG
from filon.web.fence import Fence
from filon.web.live import ONLY_HOSTS
from loopback import Page, csv, html, serving
from unit.catalog.conftest import id_of, write
from unit.mcp.agents import Agent, House, Process

TABLE = b"title\nWar and Peace\n"


@pytest.fixture
def house(tmp_path: Path) -> House:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "books.csv").write_bytes(TABLE)
    (tmp_path / "secret.csv").write_bytes(TABLE)
    return House(
        tmp_path,
        services=["openlibrary"],
        folders=["tables"],
        budget={"run": "40req,1MB,5min", "day": "100req,10MB,1h"},
    )


# Hosts.

OUTSIDE = [
    "https://evil.test/",
    "https://a.test:8443/",
    "https://a.test@evil.test/",
    "https://a.test.evil.test/",
    "https://evil.test\\a.test",
    "https://evil.test#a.test",
    "https://evil.test?.a.test/",
    "http://127.0.0.1/",
    "http://[::1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://0x7f000001/",
    "http://localhost/",
]


@pytest.mark.parametrize("url", OUTSIDE)
def test_a_host_that_is_not_allowed(
    house: House, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = house.call("harvest", urls=[url])
    assert told.is_error
    assert "not allowed" in told.ours
    assert house.begun == []
    monkeypatch.setattr(Fence, "lets_url", lambda self, url: True)
    house.call("harvest", urls=[url])
    assert len(house.begun) == (0 if "@" in url else 1)  # a password is refused besides


@pytest.mark.parametrize("url", ["ftp://a.test/", "file:///etc/passwd", "/etc/passwd", "evil.txt"])
def test_an_address_that_is_none(house: House, url: str) -> None:
    for tool, given in (
        ("harvest", {"urls": ["https://a.test/", url]}),
        ("discover", {"seeds": [url]}),
        ("follow", {"seeds": [url]}),
    ):
        told = house.call(tool, **given)
        assert told.is_error
        assert "must be written in full" in told.ours
    assert house.begun == []


def test_a_second_address_on_another_host(house: House) -> None:
    told = house.call("follow", seeds=["https://a.test/", "https://evil.test/"])
    assert told.is_error
    assert house.begun == []


SITE_LINKS = {
    "redirect": lambda there: {
        "/": html("/away.csv"),
        "/away.csv": Page(status=302, headers={"Location": f"{there}x.csv"}),
    },
    "link": lambda there: {"/": html(f"{there}x.csv", "/own.csv"), "/own.csv": csv()},
}


@pytest.mark.parametrize("way", SITE_LINKS)
def test_the_web_leads_to_another_host(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def harvested(name: str) -> None:
        options: dict[str, Any] = {"files_from": "linked-hosts", "delay": 0, "robots": False}
        rules = [f"a.test:80:127.0.0.1:{own.port}", f"b.test:80:127.0.0.1:{other.port}"]
        filon.harvest("http://a.test/", out=tmp_path / name, connect_to=rules, **options)

    pages = SITE_LINKS[way]("http://b.test/")
    with serving({"/x.csv": csv("x")}) as other, serving(pages) as own:
        monkeypatch.setenv(ONLY_HOSTS, "a.test")
        harvested("within")
        assert own.log
        assert other.log == []
        monkeypatch.delenv(ONLY_HOSTS)
        harvested("without")
        assert other.log


def test_a_run_is_begun_with_the_fence_round_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = Limits.read({"folder": "runs", "hosts": ["a.test"]}, tmp_path / "mcp.toml")
    given: list[Any] = []

    def begin(words: Sequence[str], log: Path, variables: Any) -> Process:
        given.append(variables)
        return Process(words)

    monkeypatch.setattr("filon.dispatch.child.begin", begin)
    asyncio.run(Workspace(limits).start("harvest", "", urls=["https://a.test/"]))
    assert given == [{ONLY_HOSTS: "a.test"}]


@pytest.mark.parametrize(
    "source",
    ["crossref", "openlibrary:url=https://evil.test", "/etc/passwd", "evil.toml", "../evil.toml"],
)
def test_a_service_that_is_not_allowed(house: House, source: str) -> None:
    told = house.call("enrich", table="books.csv", source=source, add="year", match="title")
    assert told.is_error
    assert "service is not allowed" in told.ours
    assert house.begun == []


# Words that nobody may say.

UNSAID = {
    "out": "/tmp/evil",
    "config": "/tmp/evil.toml",
    "connect_to": ["a.test:443:127.0.0.1:22"],
    "proxy": "http://evil.test:3128",
    "set": ["x=y"],
    "strategy": "os:system",
    "prior": "/etc/passwd",
    "header": ["@/etc/passwd"],
    "cookie_file": "/etc/passwd",
    "robots": False,
    "insecure": True,
    "delay": 0,
    "parallel": 99,
    "sites": "/etc/passwd",
    "url_rule": ["x=on"],
}


@pytest.mark.parametrize("word", UNSAID)
def test_a_setting_that_is_the_users_alone(
    house: House, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.call("harvest", urls=["https://a.test/"], **{word: UNSAID[word]})
    assert all(f"--{word.replace('_', '-')} " not in f"{one} " for one in _but_out(house))
    typed = arguments.harvest(house.limits, urls=["https://a.test/"], **{word: UNSAID[word]})
    assert typed.get(f"{word}_") == (UNSAID[word] or None)  # it would be said, were it a parameter


def _but_out(house: House) -> list[str]:
    """Return the commands without the folder that we have named ourselves."""
    place = f"--out {house.limits.folder}"
    return [one.replace(place, "").replace("--no-robots", "--robots") for one in house.commands]


@pytest.mark.parametrize("text", ["--out", "--config", "--dry-run", "-h", "--", "$(id)", "`id`"])
def test_a_text_that_looks_like_a_flag(house: House, text: str, tmp_path: Path) -> None:
    """The command takes it for the value that it is: here for the name of a column."""
    (tmp_path / "tables" / "odd.csv").write_text(f"{text}\nWar and Peace\n")
    said = {"source": "openlibrary", "match": f"{text}=title", "add": "year"}
    told = house.call("enrich", table="odd.csv", **said)
    assert not told.is_error, told.text
    shown = CliRunner().invoke(app, [*house.begun[0].words, "--dry-run"])
    assert f'match = "{text}=title"' in shown.output
    assert str(house.limits.folder) in shown.output


@pytest.mark.parametrize("topic", ["../../../evil", "/etc/evil", "--out=/tmp/evil", "a\0b", ".."])
def test_a_topic_that_looks_like_a_path(topic: str, tmp_path: Path) -> None:
    house = House(tmp_path, services=["datacite"])
    told = house.call("discover", topic=topic)
    if "\0" in topic:
        assert told.is_error
        return
    words = house.begun[0].words
    out = Path(words[words.index("--out") + 1]).resolve()
    assert out.parent == house.limits.folder.resolve()
    assert {path.name for path in tmp_path.iterdir()} == {"runs"}


# Budgets.


@pytest.mark.parametrize(
    "budget", ["1000000req", "10TB", "9d", "5000finds", "1e9", "100req,100req", "-1", "0", "inf"]
)
def test_a_budget_that_is_larger_or_in_other_units(
    house: House, budget: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.call("harvest", urls=["https://a.test/"], budget=budget)
    for one in map(Budget.parse, house.budgets()):
        assert one.requests is not None
        assert one.requests <= 40
        assert one.bytes is not None
        assert one.bytes <= 10**6
        assert one.seconds is not None
        assert one.seconds <= 300


def test_without_the_guard_it_would_be_had(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowance, "least", lambda asked, *others: asked)
    house.call("harvest", urls=["https://a.test/"], budget="1000000req")
    assert house.budgets() == ["1000000req"]


def test_many_runs_one_after_another(house: House) -> None:
    for _ in range(5):
        house.call("harvest", urls=["https://a.test/"], budget="40req")
    assert house.budgets() == ["40req,1MB,5min"]  # the others wait: one host at a time
    granted = [work.begin for work in house.workspace.dispatcher.queue.all().values()]
    assert sum(_requests(words) for words in granted) == 100


def test_many_runs_at_once(house: House) -> None:
    async def all_at_once(agent: Agent) -> list[bool]:
        starts = (agent.call("harvest", urls=["https://a.test/"]) for _ in range(12))
        return [one.is_error for one in await asyncio.gather(*starts)]

    assert sum(house.asked(all_at_once)) == 9
    granted = [work.begin for work in house.workspace.dispatcher.queue.all().values()]
    assert sum(_requests(words) for words in granted) == 100


def test_two_servers_with_different_limits_on_one_folder(house: House, tmp_path: Path) -> None:
    other = House(tmp_path, budget={"run": "70req", "day": "100req"})
    house.call("harvest", urls=["https://a.test/"])
    house.call("harvest", urls=["https://a.test/"])  # which waits for the first
    held = Lock(house.workspace.dispatcher.own)  # as long as the server is there
    assert "20req" in other.call("harvest", urls=["https://a.test/"]).ours
    assert other.call("harvest", urls=["https://a.test/"]).is_error
    assert len(other.begun) == 1  # what waits in the line of one is not begun by the other
    held.release()
    assert "70req" in other.call("harvest", urls=["https://a.test/"]).ours
    house.begun[0].code = 0
    house.workspace.dispatcher.tick()
    assert len(house.begun) == 1  # its budget went to others meanwhile


def _requests(words: tuple[str, ...]) -> int:
    return Budget.parse(words[words.index("--budget") + 1]).requests or 0


def _ended(house: House, requests: int) -> str:
    """Let the first run end that was begun, with so many requests spent."""
    (run, *_) = house.workspace.dispatcher.queue.all()
    folder = house.limits.folder / run
    folder.mkdir(exist_ok=True)
    (folder / CONFIG).write_text('verb = "harvest"\n')
    house.begun[-1].code = 0
    house.workspace.dispatcher.tick()
    return run


def test_a_run_goes_on_with_more_than_a_run_may_have(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.call("harvest", urls=["https://a.test/"], budget="10req")
    run = _ended(house, 10)
    monkeypatch.setattr("filon.mcp.workspace.spent", lambda path: Spent(requests=10))
    (house.limits.folder / run / "ledger.sqlite").touch()
    house.call("resume_run", run=run, budget="100000req")
    assert house.budgets()[-1].startswith("40req")
    house.begun[-1].code = 0
    house.workspace.dispatcher.tick()
    monkeypatch.setattr("filon.mcp.workspace.spent", lambda path: Spent(requests=40))
    told = house.call("resume_run", run=run, budget="100000req")
    assert told.is_error
    assert "the run has spent its budget" in told.ours


def test_a_run_whose_process_cannot_be_made_keeps_its_budget_as_it_may_still_begin(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begin(words: Sequence[str], log: Path) -> Process:
        raise OSError("no process")

    monkeypatch.setattr(house.workspace.dispatcher, "_begin", begin)
    assert house.call("harvest", urls=["https://a.test/"]).is_error
    assert len(house.workspace.dispatcher.queue.wanted("run")) == 1
    assert house.workspace.allowance.left().requests == 60


def test_a_run_of_a_verb_that_is_not_allowed_any_more(house: House, tmp_path: Path) -> None:
    house.call("harvest", urls=["https://a.test/"], budget="10req")
    run = _ended(house, 10)
    other = House(tmp_path, verbs=["follow"])
    told = other.call("resume_run", run=run)
    assert told.is_error
    assert "verb is not allowed" in told.ours
    assert other.begun == []


@pytest.mark.parametrize("tool", ["resume_run", "pause_run", "stop_run"])
def test_a_run_of_the_users_own_is_not_the_agents(house: House, tool: str) -> None:
    own = house.limits.folder / "mine-001"
    own.mkdir(parents=True)
    (own / CONFIG).write_text('verb = "harvest"\nbudget = "1000000req"\n')
    told = house.call(tool, run="mine-001")
    assert told.is_error
    assert "begun here" in told.ours
    assert house.begun == []


def test_limits_that_were_lowered_hold_for_what_waits(house: House, tmp_path: Path) -> None:
    house.call("harvest", urls=["https://a.test/"])
    house.call("harvest", urls=["https://a.test/"])
    assert len(house.begun) == 1  # the second waits
    house.begun[0].code = 0
    lower = House(tmp_path, hosts=["b.test"], budget={"run": "1req", "day": "1req"})
    lower.workspace.dispatcher.tick()
    assert lower.begun == []


# Folders.


@pytest.fixture
def linked(house: House, tmp_path: Path) -> House:
    (tmp_path / "tables" / "link.csv").symlink_to(tmp_path / "secret.csv")
    (tmp_path / "tables" / "up").symlink_to(tmp_path)
    (tmp_path / "tables" / "ring").symlink_to(tmp_path / "tables" / "ring")
    return house


TABLES: dict[str, Callable[[Path], str]] = {
    "above": lambda home: "../secret.csv",
    "above, from within": lambda home: "x/../../secret.csv",
    "absolute": lambda home: str(home / "secret.csv"),
    "a link": lambda home: "link.csv",
    "a folder that is a link": lambda home: "up/secret.csv",
    "beside, with the same beginning": lambda home: str(home / "tables-not" / "x.csv"),
}


@pytest.mark.parametrize("way", TABLES)
def test_a_table_outside_of_the_folders(
    way: str, linked: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tables-not").mkdir()
    (tmp_path / "tables-not" / "x.csv").write_bytes(TABLE)
    (tmp_path / "tables" / "x").mkdir()
    said = {"source": "openlibrary", "add": "year", "match": "title"}
    told = linked.call("enrich", table=TABLES[way](tmp_path), **said)
    assert told.is_error
    assert "no such file in the folders" in told.ours
    assert linked.begun == []
    monkeypatch.setattr(Path, "is_relative_to", lambda self, other: True)
    assert linked.limits.check_table(TABLES[way](tmp_path)).read_bytes() == TABLE


@pytest.mark.parametrize("table", ["", ".", "ring", "x\0y", "a" * 5000, "/dev/stdin", "~root/x"])
def test_a_table_that_is_no_file(linked: House, table: str) -> None:
    told = linked.call("enrich", table=table, source="openlibrary", add="year")
    assert told.is_error
    assert "no such file" in told.ours or "letters at most" in told.ours


RUNS = ["..", "../runs", ".", "", "/etc", "..%2f..", "%2e%2e", "a/b", "C:\\x", "x\0y", "away"]


@pytest.mark.parametrize("run", RUNS)
def test_a_run_that_is_a_path(house: House, run: str, tmp_path: Path) -> None:
    away = tmp_path / "elsewhere"
    away.mkdir()
    (away / CONFIG).write_text('verb = "harvest"\n')
    house.limits.folder.mkdir(exist_ok=True)
    (house.limits.folder / "away").symlink_to(away)
    assert house.call("show_run", run=run).is_error
    assert house.call("why", run=run, wanted="x").is_error
    assert house.call("resume_run", run=run).is_error
    assert house.read(f"filon://runs/{run}").is_error


def test_a_file_whose_bytes_are_a_link_to_elsewhere(catalogued: House, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_bytes(TABLE)
    with CatalogStore(catalogued.limits.folder) as store:
        id = id_of(store, "b.csv")
        path = store.path(store.find(id)["file"])
    assert catalogued.read(f"filon://files/{id}/text").data
    path.unlink()
    os.symlink(tmp_path / "secret.csv", path)
    for told in (
        catalogued.read(f"filon://files/{id}/text"),
        catalogued.call("sample_file", id=id),
    ):
        assert told.is_error
        assert "outside" in told.ours
        assert "War and Peace" not in told.text


@pytest.mark.parametrize("id", ["..", "../x", "%2e%2e%2f", "'; DROP TABLE files --", "\0", ""])
def test_a_file_that_is_a_path(id: str, catalogued: House) -> None:
    assert catalogued.call("show_file", id=id).is_error
    assert catalogued.call("sample_file", id=id).is_error
    assert catalogued.read(f"filon://files/{id}/text").is_error


# SQL.


@pytest.fixture(scope="module")
def catalogued(tmp_path_factory: pytest.TempPathFactory) -> House:
    home = tmp_path_factory.mktemp("asked")
    house = House(home)
    house.limits.folder.mkdir()
    write(house.limits.folder, "one")
    with CatalogStore(house.limits.folder) as store:
        assert store.update() == []
    (home / "secret.csv").write_text("word\nopen sesame\n")
    return house


QUERIES = [
    "SELECT * FROM read_csv('{file}')",
    "SELECT * FROM '{file}'",
    "SELECT * FROM read_text('{file}')",
    "SELECT * FROM glob('{folder}/*')",
    "SELECT * FROM read_csv('http://127.0.0.1:{port}/x.csv')",
    "COPY (SELECT 1) TO '{folder}/evil.csv'",
    "COPY files FROM '{file}'",
    "ATTACH '{folder}/evil.db'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "PRAGMA enable_external_access",
    "EXPORT DATABASE '{folder}/evil'",
    "CREATE TABLE x AS SELECT 1",
    "DELETE FROM files",
    "SELECT 1; COPY (SELECT 1) TO '{folder}/evil.csv'",
    "CREATE SECRET (TYPE s3)",
    "CALL pragma_version()",
    "WITH x AS (SELECT * FROM read_csv('{file}')) SELECT * FROM x",
    "SELECT * FROM query('SELECT * FROM read_csv(''{file}'')')",
]
#: What DuckDB would have to fetch an extension for, or refuses by itself.
_FROM_ELSEWHERE = re.compile("http|SECRET|external_access")


@pytest.mark.parametrize("query", QUERIES)
def test_sql_that_wants_more_than_the_catalog(query: str, catalogued: House) -> None:
    home = catalogued.limits.folder.parent
    with serving({"/x.csv": csv()}) as site:
        said = query.format(file=home / "secret.csv", folder=home, port=site.port)
        told = catalogued.call("query", sql=said)
        assert site.log == []
    assert told.is_error
    assert "open sesame" not in told.text
    assert not list(home.glob("evil*"))
    assert int(catalogued.call("query", sql="SELECT count(*) FROM files").data["rows"][0][0]) > 0


@pytest.mark.parametrize("query", [one for one in QUERIES if not _FROM_ELSEWHERE.search(one)])
def test_without_the_guard_that_sql_gets_what_it_wants(query: str, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("word\nopen sesame\n")
    with duckdb.connect() as db:
        db.execute("CREATE TABLE files (word VARCHAR)")
        db.execute(query.format(file=tmp_path / "secret.csv", folder=tmp_path))
        assert any(db.fetchall()) or any(tmp_path.glob("evil*"))
