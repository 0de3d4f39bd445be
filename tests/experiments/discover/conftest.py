"""The data of the discovery experiments, with a few of the recorded sites."""

from pathlib import Path

import pytest

#: Whether a site is a repository is found out page by page: one is, and two small ones are not,
#: which are read to their ends. With all recorded sites that takes ten seconds each time.
RECORDED = ("canadasdg", "cantabria", "ipho")


@pytest.fixture(scope="session")
def data(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like that of all data."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "discover").symlink_to(shared / "data/discover")
    (folder / "harvest/replicas").mkdir(parents=True)
    for name in RECORDED:
        place = f"harvest/replicas/{name}.sqlite"
        (folder / place).symlink_to(shared / "data" / place)
    return folder
