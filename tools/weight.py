"""How many lines of Python the wheel holds, room by room, and how many lie beside it.

python -m tools.weight
"""

import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: pyproject.toml says that this folder is what the wheel is made of.
PACKAGE = ROOT / "src/filon"
BESIDE = ("experiments", "tools", "tests")


def lines(folder: Path) -> Counter[str]:
    """Return the lines of the Python files of a folder, by the name of what lies in it."""
    told: Counter[str] = Counter()
    for file in folder.rglob("*.py"):
        told[file.relative_to(folder).parts[0]] += len(file.read_bytes().splitlines())
    return told


def main() -> int:
    """Print the figures."""
    rooms = lines(PACKAGE)
    for room, count in rooms.most_common():
        print(f"  {room:12} {count:7,}")
    print(f"in the wheel   {rooms.total():7,} lines")
    for folder in BESIDE:
        print(f"{folder:14} {lines(ROOT / folder).total():7,} lines, not in it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
