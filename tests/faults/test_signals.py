"""A signal at a random moment: the run ends, and the next session goes on to the same files."""

import signal
import sys
from functools import partial
from pathlib import Path

import pytest

from command import finish, start
from faults.front import Front
from faults.moments import moments, undisturbed
from faults.verbs import CASES, files, see_through
from patience import wait_until

SIGNALS = ("SIGHUP", "SIGINT", "SIGTERM", "SIGKILL")
HOW = ("--strategy", "bfs", "--delay", 0, "--out", "run", "--json")


def _was_asked(front: Front, times: int) -> bool:
    return front.count >= times


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_at_any_moment_costs_no_file(tmp_path: Path, name: str) -> None:
    case, (truth, size) = CASES["harvest"], undisturbed("harvest")
    for number, chance in enumerate(moments("harvest", name)):
        folder = tmp_path / str(number)
        folder.mkdir()
        at, parallel = chance.randrange(2, size), chance.choice([1, 4])
        more = ("--stop", "never", "--parallel", parallel)
        with case.web() as front:
            process = start(
                folder, "harvest", "http://site.test/", "--connect-to", front.rule, *HOW, *more
            )
            wait_until(partial(_was_asked, front, at))
            process.send_signal(getattr(signal, name))
            code = finish(process).code
            assert code in (0, 130, -9), code
            if code:
                see_through(case, front, folder / "run", {}, {}, begun=True)
            served = front.whole
        assert files(folder / "run") == truth, (at, parallel)
        assert truth <= served, "by the server's own log"
