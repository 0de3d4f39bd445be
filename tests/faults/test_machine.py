"""The machine runs out of descriptors at a random moment: it ends with exit code 4, and goes on."""

import sys
from functools import partial
from pathlib import Path

import pytest

from command import finish, start
from faults.front import Front
from faults.moments import moments, undisturbed
from faults.verbs import CASES, files, see_through
from patience import wait_until

HOW = ("--strategy", "bfs", "--stop", "never", "--delay", 0, "--out", "run", "--json")


def _was_asked(front: Front, times: int) -> bool:
    return front.count >= times


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody can take them away")
def test_no_descriptor_left_at_any_moment_costs_no_file(tmp_path: Path) -> None:
    import resource

    case, (truth, size) = CASES["harvest"], undisturbed("harvest")
    for number, chance in enumerate(moments("harvest", "descriptors")):
        folder = tmp_path / str(number)
        folder.mkdir()
        at = chance.randrange(2, size // 2)
        with case.web() as front:
            front.break_at(at, "closed", lasts=1)  # so that a new connection is needed
            process = start(
                folder, "harvest", "http://site.test/", "--connect-to", front.rule, *HOW
            )
            wait_until(partial(_was_asked, front, at))
            _, hard = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
            resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (3, hard))
            ended = finish(process)
            assert ended.code in (0, 4), ended.err
            if ended.code:
                assert "many" in ended.err, ended.err
                see_through(case, front, folder / "run", {}, {}, begun=True)
        assert files(folder / "run") == truth, at
