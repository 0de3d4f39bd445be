"""What people and programs are told of this project is true of it."""

import re
from pathlib import Path
from typing import Any

import yaml

from project.checkout import ROOT, pyproject

_TARGET = re.compile(r"^([a-z-]+):", re.M)
_LISTED = re.compile(r"^\| \[[^\]]+\]\(([^)#:/]+\.md)\)", re.M)


def targets() -> set[str]:
    return set(_TARGET.findall((ROOT / "Makefile").read_text("utf-8")))


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / name).read_text("utf-8"))
    return found


def commands(name: str) -> list[str]:
    """Return what the jobs of a workflow run, line by line."""
    steps = [step for job in read(name)["jobs"].values() for step in job["steps"]]
    return [line for step in steps for line in step.get("run", "").splitlines()]


WORKFLOW = ".github/workflows/tests.yml"


def test_every_target_of_make_is_in_contributing_and_the_other_way_round() -> None:
    told = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert set(re.findall(r"^\| `make ([a-z-]+)`", told, re.M)) == targets()


def test_every_target_says_that_it_is_no_file() -> None:
    (phony,) = re.findall(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.M)
    assert set(phony.split()) == targets()


def test_the_workflow_tests_and_checks_on_every_python_that_we_claim() -> None:
    job = read(WORKFLOW)["jobs"]["tests"]
    claimed = "\n".join(pyproject()["project"]["classifiers"])
    versions = re.findall(r":: (3\.\d+)$", claimed, re.M)
    assert job["strategy"]["matrix"]["python"] == versions
    assert pyproject()["project"]["requires-python"] == f">={versions[0]}"
    assert [step["run"] for step in job["steps"] if "run" in step] == ["make test", "make check"]


def test_the_workflow_does_not_ask_for_the_folder_that_is_not_public() -> None:
    (step,) = (s for s in read(WORKFLOW)["jobs"]["tests"]["steps"] if s.get("run") == "make test")
    assert step["env"] == {"CI": ""}


def test_the_wheel_is_tried_on_every_system_that_we_claim() -> None:
    systems = read(WORKFLOW)["jobs"]["wheel"]["strategy"]["matrix"]["system"]
    tried = {name.removesuffix("-latest").replace("ubuntu", "linux") for name in systems}
    classifiers = pyproject()["project"]["classifiers"]
    claimed = [name for name in classifiers if name.startswith("Operating System")]
    assert tried == {name.rpartition(" :: ")[2].lower() for name in claimed}


def test_what_the_workflow_makes_can_be_made() -> None:
    made = {line.split()[1] for line in commands(WORKFLOW) if line.startswith("make ")}
    assert made <= targets()


def test_the_workflow_replays_archives_since_make_test_does_not() -> None:
    assert "make replay" in commands(WORKFLOW)


def test_the_hooks_run_what_make_check_runs() -> None:
    (repo,) = read(".pre-commit-config.yaml")["repos"]
    tools = {Path(hook["entry"].split()[0]).name for hook in repo["hooks"]}
    recipe = (ROOT / "Makefile").read_text("utf-8").partition("\ncheck:")[2].partition("\n\n")[0]
    assert tools == set(re.findall(r"\$\(BIN\)/([\w-]+)", recipe))


def test_the_list_of_pages_holds_each_page_once() -> None:
    listed = _LISTED.findall((ROOT / "docs/README.md").read_text("utf-8"))
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert sorted(listed) == sorted(pages)
