"""A full disk: exit code 4, and the run goes on when there is room."""

import resource
import subprocess
from pathlib import Path

from command import FILON, environment, filon, finish
from loopback import portal, serving

GREEDY = ("--strategy", "bfs", "--stop", "never", "--delay", "0")


def small_files_only() -> None:
    """Let no file of this process grow beyond what the beginning of a run takes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))


def test_a_full_disk_stops_the_run_and_it_goes_on_when_there_is_room(tmp_path: Path) -> None:
    with serving(portal(8, 12)) as site:
        process = subprocess.Popen(
            [*FILON, "harvest", site.url, *GREEDY, "--out", "run"],
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=small_files_only,
        )
        ended = finish(process)
        assert ended.code == 4, ended
        assert "filon resume" in ended.sentence
        before = len(site.log)
        assert 0 < before < 8 * 25
        resumed = filon(tmp_path, "resume", "run", "--json")
    assert resumed.code == 0, resumed.err
    assert resumed.json["finds"] == 96
    assert sum(site.counts().values()) - len(site.counts()) <= 1
