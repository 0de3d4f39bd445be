"""What an agent may do: begin, watch, pause, go on; and what it hears."""

from pathlib import Path

import pytest

from filon.core import Spent
from filon.mcp import workspace as module
from unit.mcp.agents import Agent, House


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, settings={"delay": 0.5}, budget={"run": "40req", "day": "100req"})


def test_a_run_is_begun_with_its_budget_and_the_users_settings(house: House) -> None:
    told = house.call("harvest", urls=["https://a.test/data/"], budget="20req", types="csv")
    assert "a.test-001 is begun, with a budget of 20req" in told.ours
    (command,) = house.commands
    assert command.startswith("harvest https://a.test/data/")
    for words in ("--types csv", "--budget 20req", "--delay 0.5"):
        assert words in command
    assert "left of 24 hours: 80req" in house.call("limits").ours
    assert "standing: running" in house.call("show_run", run="a.test-001").ours
    assert house.call("list_runs").data[0]["run"] == "a.test-001"


def test_what_cannot_be_begun_costs_nothing(house: House) -> None:
    for arguments in ({"types": "no such"}, {"budget": "much"}, {"include": ["x"]}):
        told = house.call("harvest", urls=["https://a.test/"], **arguments)
        assert told.is_error
        assert "web-data" not in told.text  # it is our own sentence
    assert "left of 24 hours: 100req" in house.call("limits").ours


def test_a_run_that_is_paused_keeps_its_budget_and_one_that_is_stopped_gives_it_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "spent", lambda path: Spent(requests=5))
    house.call("harvest", urls=["https://a.test/"])
    assert "put aside" in house.call("pause_run", run="a.test-001").ours
    house.begun[0].code = 130
    house.workspace.dispatcher.tick()
    assert "left of 24 hours: 60req" in house.call("limits").ours
    assert "stopped" in house.call("stop_run", run="a.test-001").ours
    assert "left of 24 hours: 95req" in house.call("limits").ours
    told = house.call("resume_run", run="a.test-001", budget="10req")
    assert "as a whole it may spend 15req" in told.ours
    assert "at work" in house.call("resume_run", run="a.test-001").text


def test_who_waits_for_a_run_hears_how_it_stands_meanwhile(house: House) -> None:
    async def watch(agent: Agent) -> list[str]:
        heard = []

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            heard.append(f"{progress:g} requests, {message}")

        await agent.call("harvest", urls=["https://a.test/"])
        said = {"run": "a.test-001", "wait_s": 1}
        await agent.client.call_tool("show_run", said, progress_callback=hear)
        return heard

    assert "0 requests, 0 finds" in house.asked(watch)


def test_what_is_not_at_work_cannot_be_paused(house: House) -> None:
    house.call("harvest", urls=["https://a.test/"])
    house.begun[0].code = 0
    house.workspace.dispatcher.tick()
    assert "neither at work nor in line" in house.call("pause_run", run="a.test-001").ours


def test_without_files_there_is_nothing_to_look_at(house: House) -> None:
    for tool, arguments in (
        ("search_catalog", {}),
        ("show_file", {"id": "ab"}),
        ("sample_file", {"id": "ab"}),
        ("query", {"sql": "SELECT 1"}),
    ):
        told = house.call(tool, **arguments)
        assert told.is_error
        assert "no run has brought any" in told.data["error"]


def test_too_many_runs_do_not_wait(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 1)
    assert not house.call("harvest", urls=["https://a.test/"], budget="1req").is_error
    assert "Too many runs" in house.call("harvest", urls=["https://a.test/"]).ours
