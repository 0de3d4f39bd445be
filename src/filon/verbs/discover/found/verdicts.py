"""review.json: what the user said of the sites of a discovery."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from filon.run.disk import replace_text
from filon.verbs.discover.found.site import Site

FILE = "review.json"
VERSION = 1
#: What may be said: the last is for who cannot tell, and is not asked again.
SAID = ("accepted", "rejected", "skipped")


def read_verdicts(run_path: Path) -> dict[str, dict[str, str]]:
    """Return what was said by the address of a site: "said", and the name of its "site"."""
    try:
        whole = json.loads((run_path / FILE).read_text("utf-8"))
        verdicts = whole["verdicts"]
        return {str(url): dict(one) for url, one in verdicts.items() if one["said"] in SAID}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def write_verdicts(run_path: Path, verdicts: Mapping[str, Mapping[str, str]]) -> None:
    """Keep what was said, in place of what was kept before."""
    whole = {"version": VERSION, "verdicts": verdicts}
    replace_text(run_path / FILE, json.dumps(whole, ensure_ascii=False, indent=1) + "\n")


def pages_of(run_path: Path, verdict: str) -> tuple[str, ...]:
    """Return the addresses of sites of which this was said, for a strategy."""
    return tuple(url for url, one in read_verdicts(run_path).items() if one["said"] == verdict)


def marked(sites: Iterable[Site], verdicts: Mapping[str, Mapping[str, str]]) -> list[Site]:
    """Return sites with what was said of them; a site may have another best page by now.

    So may the only repository of a site, where what was judged is no longer in the list.
    """
    sites = list(sites)
    named = {one.get("site", ""): one["said"] for one in verdicts.values()}
    listed = {site.url for site in sites}
    moved = {one.get("site", "") for url, one in verdicts.items() if url not in listed}
    repositories = Counter(site.site for site in sites if site.kind == "repository")
    judged = []
    for site in sites:
        verdict = verdicts[site.url]["said"] if site.url in verdicts else ""
        alone = repositories[site.site] == 1 and site.site in moved
        if not verdict and (site.kind == "site" or alone):
            verdict = named.get(site.site, "")
        judged.append(replace(site, verdict=verdict if verdict != "skipped" else ""))
    return judged
