"""The files in deploy/, as far as they can be held to their word without what they are for.

None of the engines is here. What is checked: that each file is of its format and says what its
engine wants, and that every command of Filon in them is one that the command line takes.
"""

import configparser
import json
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
import typer
import yaml
from jsonschema import Draft7Validator

from filon.cli.fleet import fleet
from project.checkout import ROOT, pyproject

DEPLOY = ROOT / "deploy"
_COMMAND = re.compile(r"(?:^|[\s/\"'])filon fleet ([a-z]+ .*)")


def read(name: str) -> Any:
    return yaml.safe_load((DEPLOY / name).read_text("utf-8"))


def texts(value: Any) -> list[str]:
    """Return all texts in what a file of YAML holds."""
    if isinstance(value, dict):
        return [text for each in value.values() for text in texts(each)]
    if isinstance(value, list):
        return [text for each in value for text in texts(each)]
    return [value] if isinstance(value, str) else []


def unit() -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]  # names have capitals
    parser.read_string((DEPLOY / "filon-worker@.service").read_text("utf-8"))
    return parser


def commands(path: Path) -> list[str]:
    """Return what is told to `filon fleet`, in values and in comments."""
    lines = path.read_text("utf-8").splitlines()
    told = [line.lstrip("# ") for line in lines if line.startswith("#")]
    told += (
        texts(yaml.safe_load(path.read_text("utf-8")))
        if path.suffix == ".yaml"
        else [unit()["Service"]["ExecStart"]]
    )
    found = [_COMMAND.search(" ".join(text.split())) for text in told]
    return [match[1].rstrip("'") for match in found if match]


FILES = sorted(path for path in DEPLOY.iterdir() if path.is_file())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_command_is_one_that_the_command_line_takes(path: Path) -> None:
    group = typer.main.get_command(fleet)
    assert isinstance(group, click.Group | typer.core.TyperGroup)
    found = commands(path)
    assert found
    for line in found:
        name, *words = shlex.split(line.replace("$$", "$"))
        command = group.commands[name]
        words = ["1req" if word == "…" else word for word in words]
        context = command.make_context(name, words)
        assert context.params["store"], line


def test_the_unit_starts_a_worker_in_a_folder_that_outlives_it() -> None:
    told = unit()["Service"]
    assert "--folder /var/lib/filon/%i" in told["ExecStart"]
    # A store and blobs of this machine may lie beside the folders of the workers.
    assert told["StateDirectory"].split() == ["filon", "filon/%i"]
    # A reader of files that takes too much memory does not end its worker.
    assert told["OOMPolicy"] == "continue"
    assert (told["Restart"], told["KillSignal"]) == ("on-failure", "SIGINT")


def test_compose_builds_what_the_dockerfile_makes_and_waits_for_what_it_stands_on() -> None:
    told = read("compose.yaml")
    services = told["services"]
    assert set(services) == {"database", "objects", "bucket", "first", "worker"}
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
        named = [mount.partition(":")[0] for mount in service.get("volumes", [])]
        assert {name for name in named if not name.startswith(".")} <= set(told["volumes"])
        assert "ports" not in service
    for name in ("first", "worker"):
        build = services[name]["build"]
        assert (DEPLOY / build["context"] / "Dockerfile").resolve() == ROOT / "Dockerfile"
        assert build["args"]["EXTRA"] in pyproject()["project"]["optional-dependencies"]
    assert "ARG EXTRA=" in (ROOT / "Dockerfile").read_text("utf-8")


def test_the_ray_cluster_is_as_its_schema_wants_it() -> None:
    ray = pytest.importorskip("ray")
    schema = json.loads((Path(ray.__file__).parent / "autoscaler/ray-schema.json").read_text())
    errors = list(Draft7Validator(schema).iter_errors(read("ray-cluster.yaml")))
    assert [error.message for error in errors] == []


def test_kubernetes_gets_a_job_of_kuberay_whose_volumes_are_there() -> None:
    told = read("kuberay.yaml")
    assert (told["apiVersion"], told["kind"]) == ("ray.io/v1", "RayJob")
    cluster = told["spec"]["rayClusterSpec"]
    groups = [cluster["headGroupSpec"], *cluster["workerGroupSpecs"]]
    for group in groups:
        pod = group["template"]["spec"]
        mounted = {
            mount["name"] for one in pod["containers"] for mount in one.get("volumeMounts", [])
        }
        assert mounted <= {volume["name"] for volume in pod.get("volumes", [])}
    assert cluster["headGroupSpec"]["rayStartParams"]["num-cpus"] == "0"
