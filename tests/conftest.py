"""What all tests may ask for."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of recorded sites and conformance suites that lies beside the checkout."""
    path = Path(__file__).resolve().parents[2] / "shared"
    if not path.is_dir():
        # Where tests decide what is merged, they must not pass by being skipped.
        if os.environ.get("CI") == "true":
            pytest.fail(f"{path} is missing, and CI does not do without")
        pytest.skip(f"needs the folder {path}")
    return path


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name bytes by their length: packed ones hold the time, and a test must keep its name."""
    return f"{len(val)}B" if isinstance(val, bytes) else None
