"""How the lists of two discoveries differ: sites that are new, and sites that are gone."""

from pathlib import Path
from typing import Any

from filon.run import readonly
from filon.verbs.discover.found.listing import read_sites


def changes(old: Path, new: Path) -> list[dict[str, Any]]:
    """Return what is on the list of a run that was not on that before it, and what is gone.

    A site that was not met again is not gone: only one that was asked for, and failed.
    """
    before, after = _sites(old), _sites(new)
    failed = _failed(new)
    found = [("new", url, after[url]) for url in after if url not in before]
    found += [
        ("vanished", url, name)
        for url, name in before.items()
        if url not in after and url in failed
    ]
    more = {"kind": "site", "size_bytes": 0, "size_bytes_before": 0}
    return [{"what": what, "url": url, "name": name, **more} for what, url, name in found]


def _sites(folder: Path) -> dict[str, str]:
    """Return the sites of a list; of a run that was killed before it wrote one, those it found."""
    finds = "SELECT url, name FROM finds WHERE kind IN ('site', 'repository')"
    with readonly.reading(folder) as ledger:
        listed = {site.url: site.title or site.url for site in read_sites(folder, ledger)}
        return listed or {row["url"]: row["name"] for row in ledger.execute(finds)}


def _failed(folder: Path) -> set[str]:
    """Return the addresses that were asked for, and at which nothing was."""
    query = (
        "SELECT url FROM steps WHERE answer NOTNULL GROUP BY url"
        " HAVING MAX(error = '' AND status < 400) = 0 AND MAX(took_s) >= 0"
    )
    with readonly.reading(folder) as ledger:
        return {row["url"] for row in ledger.execute(query)}
