"""No strategy takes another step than it did: on the small web, and on what is recorded."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from golden.expected import demo_steps, held
from golden.play import DEMO, RECORDED, demo, recorded
from golden.trace import Trace, difference


@pytest.mark.parametrize("name", DEMO)
def test_a_run_on_the_small_web_takes_the_same_steps(name: str, tmp_path: Path) -> None:
    trace = Trace()
    demo(name, tmp_path, trace)
    before = demo_steps()[name]
    found = difference(trace, held("steps")[name], lambda at: "".join(before[at : at + 1]))
    assert not found, found


@pytest.mark.parametrize("name", RECORDED)
def test_a_run_on_what_is_recorded_takes_the_same_steps(name: str, shared: Path) -> None:
    trace = Trace()
    recorded(name, shared, trace)
    found = difference(trace, held("steps")[name])
    assert not found, found


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="loops of x86-64")
@pytest.mark.parametrize("loops", ["Prescott", "Haswell"])
@pytest.mark.parametrize("strategy", ["vein", "sb"])
def test_the_steps_are_the_same_on_every_processor(strategy: str, loops: str) -> None:
    """OpenBLAS takes the loops of the processor, unless it is told which; these run on any."""
    name = f"harvest/demo/{strategy}"
    told = subprocess.run(
        [sys.executable, "-m", "golden.write", "show", name],
        env={
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parents[1]),
            "OPENBLAS_CORETYPE": loops,
        },
        stdout=subprocess.PIPE,
        check=True,
    ).stdout.decode("utf-8")
    assert told.splitlines() == demo_steps()[name]


def test_every_trace_that_is_stored_is_made() -> None:
    assert held("steps").keys() == {*DEMO, *RECORDED}


def test_another_step_is_a_difference() -> None:
    """Without this, a comparison that never fails would pass."""
    name = "harvest/demo/vein"
    lines = demo_steps()[name]
    kept = held("steps")[name]
    same = Trace(list(lines), kept["finds"], kept["stopped"])
    assert difference(same, kept) == ""
    other = Trace([*lines[:7], lines[8], lines[7], *lines[9:]], kept["finds"], kept["stopped"])
    assert "step 8" in difference(other, kept)
    shorter = Trace(lines[:-1], kept["finds"], kept["stopped"])
    assert f"step {len(lines)}" in difference(shorter, kept)
