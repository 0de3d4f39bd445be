"""What a person sees: a live line on a terminal, plain lines elsewhere, help."""

import os
import pty
import re
import subprocess
from pathlib import Path

from command import FILON, environment, filon
from loopback import csv, html, portal, serving
from patience import PATIENCE_S


def harvest_on_a_terminal(folder: Path, *arguments: object) -> str:
    """Run a harvest whose standard error is a terminal; return what the terminal got."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*FILON, "harvest", *map(str, arguments)],
        cwd=folder,
        env={**environment(), "TERM": "xterm"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    try:
        while data := os.read(ours, 4096):
            shown += data
    except OSError:
        pass  # how Linux says that the other side has closed
    finally:
        os.close(ours)
        assert process.wait(PATIENCE_S) == 0
    return shown.decode()


def test_a_terminal_gets_one_live_line(tmp_path: Path) -> None:
    with serving(portal(), wait_s=0.03) as site:
        shown = harvest_on_a_terminal(tmp_path, site.url, "--delay", 0, "--budget", "60req,1h")
    frames = shown.split("\r")
    assert len(frames) > 3
    assert "\n" not in shown
    assert max(len(frame) for frame in frames) < 80
    line = re.compile(r"\d+ of 60 requests · .+ of 1 h · \d+ finds? · left: too early to tell")
    assert any(line.search(frame) for frame in frames)
    assert shown.endswith("\r\x1b[K")


def test_a_name_from_the_web_cannot_command_the_terminal(tmp_path: Path) -> None:
    names = [f"/%1b%5b31m%1b%5d0;evil%07-{number}.csv" for number in range(30)]
    pages = {"/": html(*names), **{name: csv(name) for name in names}}
    with serving(pages, wait_s=0.03) as site:
        shown = harvest_on_a_terminal(tmp_path, site.url, "--delay", 0, "--budget", 60)
    assert "requests" in shown
    assert "\x1b" not in shown.replace("\r\x1b[K", "")
    assert "\x07" not in shown


def test_elsewhere_progress_is_plain_lines(tmp_path: Path) -> None:
    with serving(portal(), wait_s=0.25) as site:
        ended = filon(tmp_path, "harvest", site.url, "--delay", 0, "--budget", "6s", "--json")
    assert ended.code == 0
    assert re.fullmatch(r"(\d+ requests · .+ · budget ends in about .+\n)+", ended.err)


def test_the_version_is_printed(tmp_path: Path) -> None:
    assert re.fullmatch(r"filon \d+\.\d+\.\d+\n", filon(tmp_path, "--version").out)


def test_without_a_verb_help_is_shown(tmp_path: Path) -> None:
    ended = filon(tmp_path)
    assert ended.code == 0
    assert "harvest" in ended.out


def test_output_that_nobody_reads_to_its_end_is_no_failure(tmp_path: Path) -> None:
    with serving(portal()) as site:
        filon(tmp_path, "harvest", site.url, "--delay", 0, "--out", "run")
        process = subprocess.Popen(
            [*FILON, "why", "run", site.url],
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout
        process.stdout.close()
        _, err = process.communicate(timeout=PATIENCE_S)
    assert b"Traceback" not in err


def test_a_quiet_run_says_nothing_but_what_scripts_ask_for(tmp_path: Path) -> None:
    with serving(portal()) as site:
        how = (site.url, "--delay", 0, "--budget", 10, "--quiet")
        quiet = filon(tmp_path, "harvest", *how, "--out", "a")
        assert (quiet.code, quiet.out, quiet.err) == (0, "", "")
        told = filon(tmp_path, "harvest", *how, "--out", "b", "--json")
        assert (told.err, told.out.count("\n")) == ("", 1)
        resumed = filon(tmp_path, "resume", "a", "-q", "--budget", 20)
        assert (resumed.code, resumed.out, resumed.err) == (0, "", "")
        wrong = filon(tmp_path, "harvest", "no url at all", "--quiet")
    assert wrong.code == 2
    assert wrong.sentence


def test_every_end_says_what_to_type_next(tmp_path: Path) -> None:
    with serving(portal()) as site:
        ended = filon(tmp_path, "harvest", site.url, "--delay", 0, "--budget", 10, "--out", "run")
        steps = [line[10:] for line in ended.out.splitlines() if line[10:].startswith("filon ")]
        assert steps == [
            "filon resume run --budget 20req",
            "filon report run --open",
            "filon export run --to files",
        ]
        assert filon(tmp_path, *steps[0].split()[1:], "--json").json["next"][0].endswith("40req")
        assert filon(tmp_path, *steps[2].split()[1:]).code == 0


def test_a_shell_completes_commands_and_options() -> None:
    def complete(line: str) -> list[str]:
        told = {"_FILON_COMPLETE": "complete_bash", "COMP_WORDS": line}
        told["COMP_CWORD"] = str(len(line.split()) - 1)
        done = subprocess.run(
            FILON, env={**environment(), **told}, capture_output=True, text=True, timeout=PATIENCE_S
        )
        return done.stdout.split()

    assert complete("filon har") == ["harvest"]
    assert complete("filon harvest --bud") == ["--budget"]
