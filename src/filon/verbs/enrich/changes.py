"""How the tables of two enrichments differ: rows and cells."""

from pathlib import Path
from typing import Any

from filon.profile.worker import Worker


def changes(old: Path, new: Path) -> list[dict[str, Any]]:
    """Return how the enriched table of a run differs from that of the one before."""
    before, after = (next(iter(sorted(path.glob("enriched.*"))), None) for path in (old, new))
    if before is None or after is None:
        return []
    with Worker() as worker:
        told = worker.difference(before, after, after.name)
    if not told.is_change:
        return []
    sizes = {"size_bytes": told.new_bytes, "size_bytes_before": told.old_bytes}
    difference = {**told.plain(), "is_change": True}
    return [
        {"what": "changed", "url": after.name, "name": after.name, "difference": difference} | sizes
    ]
