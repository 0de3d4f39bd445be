"""`filon refresh` of a portal: it is asked what was modified, and not each of its files."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

import filon as python
from command import filon
from unit.services.server import AUTHORITY, Call, Reply, Serving, serving

POLITE = ("--delay", 0)
DATASETS = 120
LONG_AGO = "2020-01-01T00:00:00.000000"
JSON = {"Content-Type": "application/json"}


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")


@dataclass
class Ckan:
    """A CKAN whose datasets have a file each; what it says follows from its documentation."""

    modified: dict[str, str]
    files: dict[str, str] = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)

    def __call__(self, call: Call) -> Reply:
        action = call.path.rpartition("/")[2]
        if call.path.startswith("/files/"):
            return self.file(action.removesuffix(".csv"))
        if call.path == "/":
            page = b'<html><head><meta name="generator" content="ckan 2.10.4"></head>Data</html>'
            return 200, {"Content-Type": "text/html"}, page
        result = {
            "status_show": lambda: {"ckan_version": "2.10.4"},
            "package_search": lambda: self.search(call),
            "recently_changed_packages_activity_list": self.activities,
        }.get(action)
        if result is None:
            return 404, {"Content-Type": "text/html"}, b"<html>nothing here</html>"
        said = {"help": "h", "success": True, "result": result()}
        return 200, JSON, json.dumps(said).encode()

    def file(self, name: str) -> Reply:
        if name not in self.modified:
            return 404, {"Content-Type": "text/html"}, b"<html>gone</html>"
        body = f"a,b\n{name},{self.files.get(name, 'first')}\n".encode()
        return 200, {"Content-Type": "text/csv"}, body

    def search(self, call: Call) -> object:
        match = re.fullmatch(
            r"metadata_modified:\[(\S+)Z TO \*\]",
            call.params.get("fq", "metadata_modified:[Z TO *]"),
        )
        assert match or "fq" not in call.params
        since = match[1] if match else ""
        names = sorted(name for name, at in self.modified.items() if at >= since)
        first, rows = int(call.params["start"]), int(call.params["rows"])
        host = call.headers["host"]
        results = [
            {
                "id": f"id-{name}",
                "name": name,
                "title": name,
                "metadata_modified": self.modified[name],
                "resources": [{"url": f"http://{host}/files/{name}.csv", "format": "CSV"}],
            }
            for name in names[first : first + rows]
        ]
        return {"count": len(names), "results": results}

    def activities(self) -> object:
        return [
            {
                "activity_type": "deleted package",
                "object_id": f"id-{name}",
                "timestamp": now(),
                "data": {"package": {"name": name}},
            }
            for name in self.deleted
        ]


@pytest.fixture
def harvested(tmp_path: Path) -> Iterator[tuple[Path, Ckan, Serving]]:
    portal = Ckan({f"set-{number:03}": LONG_AGO for number in range(DATASETS)})
    with serving(portal) as served:
        ended = filon(
            tmp_path,
            "harvest",
            f"http://127.0.0.1:{served.port}/",
            *POLITE,
            "--out",
            "run",
            "--json",
        )
        assert ended.json["finds"] == DATASETS
        served.calls.clear()
        yield tmp_path, portal, served


def asked(served: Serving) -> tuple[list[str], list[str]]:
    """The calls of the API, and the files that were asked for."""
    calls = [call.path.rpartition("/")[2] for call in served.calls if "/api/" in call.path]
    files = [call.path for call in served.calls if call.path.startswith("/files/")]
    return calls, files


def told(folder: Path) -> set[tuple[str, str]]:
    changes = filon(folder, "diff", "run", "--json").json["changes"]
    return {(one["what"], one["url"].rpartition("/")[2]) for one in changes}


def test_what_was_not_modified_is_not_asked_for(
    harvested: tuple[Path, Ckan, Serving],
) -> None:
    folder, _, served = harvested
    ended = filon(folder, "refresh", "run", *POLITE, "--json")
    assert ended.code == 0, ended.err
    calls, files = asked(served)
    assert len(calls) == 2
    assert files == []
    assert told(folder) == set()


def test_a_call_a_hundred_datasets_and_two_find_all(
    harvested: tuple[Path, Ckan, Serving],
) -> None:
    folder, portal, served = harvested
    names = [f"set-{number:03}" for number in range(20)]
    for name in names[:15]:
        portal.modified[name] = now()
    portal.files |= dict.fromkeys(names[:12], "second")  # of three only the description changed
    portal.modified |= {f"new-{number}": now() for number in range(5)}
    portal.deleted = names[18:]
    for name in portal.deleted:
        del portal.modified[name]
    ended = filon(folder, "refresh", "run", *POLITE, "--json")
    calls, files = asked(served)
    assert len(calls) <= 2
    assert len(files) == len(set(files)) == 15 + 5 + 2
    assert (ended.json["new"], ended.json["changed"], ended.json["vanished"]) == (5, 12, 2)
    assert told(folder) == {
        *(("changed", f"{name}.csv") for name in names[:12]),
        *(("new", f"new-{number}.csv") for number in range(5)),
        *(("vanished", f"{name}.csv") for name in portal.deleted),
    }
    why = filon(folder, "why", "run/rounds/0001", f"http://127.0.0.1:{served.port}{files[-1]}").out
    assert "list" in why


def test_a_portal_that_tells_of_no_change_is_not_told_as_not_looked_at(
    harvested: tuple[Path, Ckan, Serving],
) -> None:
    folder, _, _ = harvested
    assert filon(folder, "refresh", ".", *POLITE).out.splitlines()[0] == (
        ".: 1 run refreshed: nothing new found, no file looked at"
    )


def test_the_next_round_goes_on_from_the_last(harvested: tuple[Path, Ckan, Serving]) -> None:
    folder, portal, served = harvested
    portal.modified["new"] = now()
    assert filon(folder, "refresh", "run", *POLITE).code == 0
    portal.modified["set-007"], portal.files["set-007"] = now(), "second"
    served.calls.clear()
    assert filon(folder, "refresh", "run", *POLITE).code == 0
    calls, files = asked(served)
    assert len(calls) == 2
    # What was modified within the hour before is listed once more, and has the same date.
    assert files == ["/files/set-007.csv"]
    assert told(folder) == {("new", "new.csv"), ("changed", "set-007.csv")}


def test_a_portal_that_does_not_answer_is_looked_at_file_by_file(
    harvested: tuple[Path, Ckan, Serving], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, portal, served = harvested

    def broken(call: Call) -> object:
        return {"wrong": True}

    monkeypatch.setattr(portal, "search", broken)
    portal.files["set-003"] = "second"
    assert filon(folder, "refresh", "run", *POLITE).code == 0
    assert len(asked(served)[1]) == DATASETS
    assert told(folder) == {("changed", "set-003.csv")}


@dataclass
class Socrata:
    """A portal of Socrata, and the discovery API on its own host: it sorts, and filters nothing."""

    updated: dict[str, str]

    def __call__(self, call: Call) -> Reply:
        if call.headers["host"].startswith("api.us.socrata.com") and "catalog" in call.path:
            return 200, JSON, json.dumps(self.catalogue(call)).encode()
        if call.path == "/api/views.json":
            return 200, JSON, b'[{"id": "abcd-1234", "name": "A view"}]'
        if call.path.endswith("/rows.csv"):
            name = call.path.split("/")[3]
            return 200, {"Content-Type": "text/csv"}, f"a\n{name}{self.updated[name]}\n".encode()
        if call.path == "/":
            headers = {
                "Content-Type": "text/html",
                "X-Socrata-RequestId": "1",
                "X-Socrata-Region": "x",
            }
            return 200, headers, b"<html><a href='/browse'>Browse</a></html>"
        return 404, {"Content-Type": "text/html"}, b"<html>nothing here</html>"

    def catalogue(self, call: Call) -> object:
        names = sorted(self.updated)
        if call.params["order"] == "updatedAt DESC":
            names.sort(key=lambda name: self.updated[name], reverse=True)
        first, limit = int(call.params["offset"]), int(call.params["limit"])
        results = [
            {
                "resource": {"id": name, "name": name, "updatedAt": self.updated[name]},
                "permalink": f"https://portal.test/d/{name}",
            }
            for name in names[first : first + limit]
        ]
        return {"results": results, "resultSetSize": len(names)}


def test_a_portal_that_only_sorts_is_asked_for_the_newest(tmp_path: Path) -> None:
    portal = Socrata({f"{number:04}-abcd": "2020-01-01T00:00:00.000Z" for number in range(40)})
    AUTHORITY.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    with serving(portal, "portal.test", "api.us.socrata.com") as served:
        run = python.harvest(
            "https://portal.test/",
            out=tmp_path / "run",
            connect_to=served.rule,
            ca_file=str(tmp_path / "ca.pem"),
            delay=0,
        )
        assert len(list(run)) == 40
        later = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        portal.updated |= {"0007-abcd": later, "0099-abcd": later}
        served.calls.clear()
        round = python.refresh(run)
    assert {find.url.split("/")[5] for find in round} == {"0007-abcd", "0099-abcd"}
    asked_for = [call.path for call in served.calls if "/api/" in call.path]
    assert sum("catalog" in path for path in asked_for) == 1
    assert sum(path.endswith("rows.csv") for path in asked_for) == 2
