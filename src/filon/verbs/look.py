"""Look at a run: `filon.open_run`."""

from pathlib import Path

from filon.run.folder import Run


def open_run(path: str | Path) -> Run:
    """Open a run to iterate over its finds, also while it goes on elsewhere."""
    return Run.open(Path(path), read_only=True)
