"""What a person decided about files of the catalog: to forget one, to see one of two alike.

choices.jsonl lies beside the catalog, a line a decision: so it stays when the catalog is made anew.
"""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from filon.run.disk import append_line

FILE = "choices.jsonl"


@dataclass(slots=True)
class Choices:
    """All decisions of a folder. forgotten: ids. same: ids with the one that is shown instead."""

    forgotten: set[str] = field(default_factory=set)
    same: dict[str, str] = field(default_factory=dict)

    def read(self, folder: Path) -> None:
        """Take in the decisions that were written in a folder, in their order."""
        try:
            lines = (folder / FILE).read_text("utf-8", "replace").splitlines()
        except OSError:
            return  # none yet
        for line in lines:
            try:
                said = json.loads(line)
                kind, id = said["choice"], str(said["id"])
            except (ValueError, KeyError, TypeError):
                continue  # a line that was cut off by a kill
            if kind == "forget":
                self.forgotten.add(id)
            elif kind == "same":
                self.same[id] = str(said.get("as", ""))
            elif kind == "apart":
                self.same.pop(id, None)


def write(folder: Path, choice: str, ids: dict[str, str]) -> None:
    """Write decisions down: ids, each with the one it is the same as, or nothing."""
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    lines = "\n".join(
        json.dumps({"choice": choice, "id": id, **({"as": other} if other else {}), "at": at})
        for id, other in ids.items()
    )
    append_line(folder / FILE, lines)
