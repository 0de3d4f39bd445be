"""An enrichment as a process beside Datasette."""

import asyncio
from pathlib import Path

from filon.contrib.datasette import child
from filon.contrib.datasette.child import Ended, enriched, is_ended, left_alone
from filon.run.folder import RunFolder


async def wanted() -> bool:
    return True


async def unwanted() -> bool:
    return False


def test_a_run_that_another_process_is_at_is_waited_for(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert asyncio.run(left_alone(run, unwanted))  # nobody has begun it
    with RunFolder.create(run, {}) as held:
        assert not asyncio.run(left_alone(run, unwanted))

        async def both() -> bool:
            waiting = asyncio.create_task(left_alone(run, wanted))
            await asyncio.sleep(child.LOOK_S / 2)
            assert not waiting.done()
            held.close()
            return await waiting

        assert asyncio.run(both())
    assert not is_ended(run)


def test_a_mistake_comes_back_as_the_sentence_of_the_command(tmp_path: Path) -> None:
    arguments = [str(tmp_path / "none.sqlite"), "--from", "openalex", "--add", "doi"]
    ended = asyncio.run(enriched(tmp_path / "run", arguments, wanted))
    assert ended.code == 2
    assert "cannot be read" in ended.error
    assert not ended.paused


def test_what_is_no_answer_is_told_by_its_code() -> None:
    assert Ended(code=0, told={}).error == ""
    assert Ended(code=130, told={}, paused=True).error == ""
    assert "exit code 4" in Ended(code=4, told={}).error
    assert child._told(b"\xff\n[1]\n") == child._told(b"no json") == child._told(b"") == {}
