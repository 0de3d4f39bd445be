"""The commands that look at a fleet and give it orders."""

import asyncio
import json
from pathlib import Path

import pytest

import fleet_checks
from filon.cli import run
from filon.core import Budget
from filon.fleet.model import Commit, Event, Figures
from filon.fleet.store import opened

HOSTILE = "no\x1b[31m answer"


@pytest.fixture
def fleet(tmp_path: Path) -> Path:
    """A fleet of four sites, one at work, one ended well and one with a trouble."""

    async def make() -> None:
        async with opened(str(tmp_path / "fleet.sqlite")) as store:
            await store.create({}, Budget.parse("100req,1GiB,9finds,1h"))
            await store.add(fleet_checks.site(number) for number in range(1, 5))
            await store.join("w1", "node")
            await store.draw("w1", 50, 1000)
            await store.lease("w1", 3)
            said = [
                Commit(site="site-001", epoch=1, state="exhausted", requests=7, bytes=70, cpu_s=1),
                Commit(site="site-002", epoch=1, state="outage", note=HOSTILE, requests=9),
            ]
            await store.commit("w1", said)
            await store.tell([Event(worker="w1", site="site-002", kind="end", text=HOSTILE)])
            await store.beat("w1", Figures(sites=1, flying=1, can_send=True))

    asyncio.run(make())
    return tmp_path


def _told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(["fleet", *words]) == 0
    return capsys.readouterr().out


def test_status_tells_how_all_stands(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = _told(capsys, "status", "--store", str(fleet))
    assert "It is at work: 2 of 4 sites ended (1 exhausted, 1 outage), 1 at work." in told
    assert "16 requests" in told
    assert "50 of 100 requests" in told
    assert "1 worker at work, 0 gone." in told
    assert "filon fleet retry" in told


def test_status_lists_dead_letters_with_their_reason(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = _told(capsys, "status", "--store", str(fleet), "--dead")
    assert "site-002" in told
    assert "outage: no" in told
    assert "\x1b" not in told
    known = json.loads(_told(capsys, "status", "--store", str(fleet), "--dead", "--json"))
    assert [one["name"] for one in known["dead"]] == ["site-002"]


def test_status_lists_what_sites_have_cost(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = _told(capsys, "status", "--store", str(fleet), "--sites", "--limit", "2", "--json")
    known = json.loads(told)
    assert [(one["name"], one["requests"]) for one in known["sites"]] == [
        ("site-002", 9),
        ("site-001", 7),
    ]
    assert known["workers"][0]["figures"]["flying"] == 1
    assert "at work with w1" in _told(capsys, "status", "--store", str(fleet), "--sites")


def test_logs_tell_what_happened(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = _told(capsys, "logs", "--store", str(fleet))
    assert "w1  join  node" in told
    assert "\x1b" not in told
    known = json.loads(_told(capsys, "logs", "--store", str(fleet), "--site", "site-002", "--json"))
    assert [event["text"] for event in known["events"]] == [HOSTILE]


def test_logs_go_on_until_they_are_interrupted(
    fleet: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def something_happens(_: float) -> None:
        async with opened(str(fleet / "fleet.sqlite")) as store:
            if len(await store.events()) > 3:
                raise KeyboardInterrupt
            await store.tell([Event(worker="w1", kind="later")])

    monkeypatch.setattr("filon.cli.fleet_look.asyncio.sleep", something_happens)
    lines = _told(capsys, "logs", "--store", str(fleet), "--follow", "--json").splitlines()
    kinds = [json.loads(line)["kind"] for line in lines]
    assert kinds == ["join", "end", "later", "later"]


def test_top_tells_what_is_done_a_second(
    fleet: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(_: float) -> None:
        async with opened(str(fleet / "fleet.sqlite")) as store:
            await store.commit("w1", [Commit(site="site-003", epoch=1, requests=8)])

    monkeypatch.setattr("filon.cli.fleet_look.asyncio.sleep", work)
    monkeypatch.setattr("filon.cli.fleet_look.time.monotonic", iter(range(0, 1000, 4)).__next__)
    known = json.loads(_told(capsys, "top", "--store", str(fleet), "--once", "--json"))
    assert known["requests_a_s"] == known["workers"][0]["requests_a_s"] > 0
    assert "requests and 0.00 files a second" in _told(
        capsys, "top", "--store", str(fleet), "--once"
    )


def test_a_fleet_is_paused_and_goes_on(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _told(capsys, "pause", "--store", str(fleet)) == "It pauses.\n"
    assert "It pauses: 2 of 4" in _told(capsys, "status", "--store", str(fleet))
    assert json.loads(_told(capsys, "pause", "--store", str(fleet), "--off", "--json")) == {
        "paused": False
    }
    assert "It is at work" in _told(capsys, "status", "--store", str(fleet))


def test_a_worker_is_drained(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "1 worker will end" in _told(capsys, "drain", "w1", "--store", str(fleet))
    assert "w1 (drains)" in _told(capsys, "status", "--store", str(fleet))
    assert run(["fleet", "drain", "w2", "--store", str(fleet)]) == 2
    assert "There is no worker 'w2' at work: there is w1." in capsys.readouterr().err


def test_sites_are_retried(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fleet", "retry", "site-001", "--store", str(fleet)]) == 2
    assert "No site of that name ended with a trouble: site-001." in capsys.readouterr().err
    assert _told(capsys, "retry", "--store", str(fleet)) == "1 site may go on.\n"
    assert json.loads(_told(capsys, "retry", "--store", str(fleet), "--json")) == {"retried": 0}


def test_the_latest_fleet_is_taken_where_none_is_named(
    fleet: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = fleet / "home"
    (home / "filon-runs").mkdir(parents=True)
    monkeypatch.chdir(home)
    assert run(["fleet", "status"]) == 2
    assert "There is no fleet in filon-runs" in capsys.readouterr().err
    (home / "filon-runs" / "fleet-001").symlink_to(fleet)
    assert "2 of 4 sites" in _told(capsys, "status")


@pytest.mark.parametrize("command", [["status"], ["top"], ["logs"], ["pause"], ["drain", "w"]])
def test_what_is_no_fleet_is_told_in_a_sentence(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["fleet", *command, "--store", str(tmp_path / "nowhere")]) == 2
    assert "There is no fleet at" in capsys.readouterr().err
    assert run(["fleet", *command, "--store", "mysql://x"]) == 2
    assert "is not known" in capsys.readouterr().err
    (tmp_path / "empty.sqlite").touch()
    assert run(["fleet", *command, "--store", str(tmp_path / "empty.sqlite")]) == 2
    assert "There is no fleet in this store" in capsys.readouterr().err
    (tmp_path / "x").write_bytes(b"\0" * 4096)
    assert run(["fleet", *command, "--store", str(tmp_path / "x")]) == 4


def test_what_a_fleet_has_found_is_searched(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def find() -> None:
        async with opened(str(fleet / "fleet.sqlite")) as store:
            row = fleet_checks.find(1, "rain.csv", link_text=f"Rain {HOSTILE}")
            await store.commit("w1", [Commit(site="site-003", epoch=1, rows=[row])])

    asyncio.run(find())
    asked = ["catalog", "search", "--store", str(fleet)]
    assert run([*asked, "rain"]) == 0
    told = capsys.readouterr().out
    assert "abababababab  Rain no" in told
    assert "\x1b" not in told
    assert run([*asked, "rain", "--json"]) == 0
    (hit,) = json.loads(capsys.readouterr().out)["hits"]
    assert (hit["site"], hit["name"]) == ("site-003", "rain.csv")
    assert run([*asked, "snow"]) == 0
    assert capsys.readouterr().out == "Nothing was found.\n"
    assert run([*asked, "rain", "--year", "2020"]) == 2
    assert "--year is not known of a fleet" in capsys.readouterr().err
    assert run([*asked, "!!"]) == 2
    assert "A search needs words" in capsys.readouterr().err
