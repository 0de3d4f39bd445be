"""Where fleets are: each has a folder, which holds its store or says where that is."""

import re
import tomllib
from pathlib import Path

from filon.run.disk import replace_text

#: In the folder of a fleet: its store, or a note of where that is.
STORE, NOTE = "fleet.sqlite", "fleet.toml"
_USER = re.compile(r"(://[^:/@?#]*):[^@/?#]*@")
_QUERY = re.compile(r"(?<=[?&])(?:ssl)?password=[^&]*&?", re.IGNORECASE)


def without_password(address: str) -> str:
    """Return the address of a store as it may be written down.

    >>> without_password("postgresql://me:secret@db:5432/fleet?password=x&sslmode=require")
    'postgresql://me@db:5432/fleet?sslmode=require'
    """
    return _QUERY.sub("", _USER.sub(r"\1@", address)).rstrip("?&")


def note_store(folder: Path, store: str) -> None:
    """Write down where the store of a fleet is, where it is not in its folder."""
    if store != str(folder / STORE):
        quoted = without_password(store).replace("\\", "\\\\").replace('"', '\\"')
        folder.mkdir(parents=True, exist_ok=True)
        replace_text(folder / NOTE, f'store = "{quoted}"\n')


def store_in(folder: Path) -> str:
    """Return the address of the store of a fleet; "": the folder is none's."""
    if (folder / STORE).is_file():
        return str(folder / STORE)
    try:
        noted = tomllib.loads((folder / NOTE).read_text("utf-8")).get("store", "")
    except (OSError, ValueError):
        return ""
    return noted if isinstance(noted, str) else ""


def fleets(folder: Path) -> dict[str, str]:
    """Return the stores of the fleets in a folder, by their names, the latest first."""
    if not folder.is_dir():
        return {}
    found = {path: store for path in folder.iterdir() if (store := store_in(path))}
    return {path.name: found[path] for path in sorted(found, key=_changed_s, reverse=True)}


def _changed_s(folder: Path) -> float:
    known = [folder / STORE, folder / f"{STORE}-wal", folder / NOTE]
    return max((path.stat().st_mtime for path in known if path.exists()), default=0.0)
