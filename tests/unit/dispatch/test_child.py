import os
import sys
import time
from pathlib import Path

import pytest

from filon.dispatch import child
from filon.web.live import ONLY_HOSTS
from patience import PATIENCE_S


def wait(process: child.Child) -> int:
    until_s = time.monotonic() + PATIENCE_S
    while (code := process.poll()) is None:
        assert time.monotonic() < until_s, "it does not end"
        time.sleep(0.02)
    return code


def test_a_mistake_is_an_exit_code_and_a_sentence(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "a.log"
    code = wait(child.begin(["harvest", "ftp://a.test/"], log))
    assert code == child.MISTAKE
    assert child.last_sentence(log) == "Only http:// and https:// can be harvested, not ftp://."


def test_a_process_has_the_variables_that_it_is_begun_with(tmp_path: Path) -> None:
    log, words = tmp_path / "a.log", ["harvest", "http://b.test/", "--out", str(tmp_path / "run")]
    code = wait(child.begin(words, log, {ONLY_HOSTS: "a.test"}))
    assert code == child.MISTAKE
    assert child.last_sentence(log) == "b.test is not among the hosts that may be asked here."
    assert (tmp_path / "run").is_dir()  # it stays, for who keeps an account of what was sent


def test_the_last_sentence_counts_and_none_is_none(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    assert child.last_sentence(log) == ""
    log.write_bytes(b"x" * 9000 + b"\nfilon: First.\nprogress\nfilon: Last.\nmore\n")
    assert child.last_sentence(log) == "Last."


@pytest.mark.skipif(sys.platform != "linux", reason="reads what Linux tells of processes")
def test_a_number_alone_is_not_a_process_of_ours(tmp_path: Path) -> None:
    assert not child.is_alive(os.getpid(), tmp_path / "no-such-run")
    assert not child.is_alive(-1, tmp_path)
    assert not child.is_alive(2**22 + 1, tmp_path)
