"""Probe a server, and say what was found."""

import sys

from filon.page.url import split
from tools.probe.probes import PROBES, Site
from tools.probe.talk import Target


def entered(address: str) -> Site:
    """Return a server that was entered by the address that it has printed."""
    parts = split(address)
    target = Target(parts.hostname or "127.0.0.1", parts.port or 80)
    first = target.ask(f"{parts.path or '/'}?{parts.query}")
    if first.status != 303 or not first.cookies:
        sys.exit(f"{address} lets nobody in: status {first.status}.")
    target.cookie = first.cookies[0].partition(";")[0]
    return Site(target)


def main() -> int:
    """Try all probes; the exit code is the number of findings, at most 100."""
    site = entered(sys.argv[1])
    site.visit()
    print(f"{len(site.pages)} pages, {len(site.posts)} forms, {len(site.operations)} operations")
    total = 0
    for probe in PROBES:
        found = list(dict.fromkeys(probe(site)))
        total += len(found)
        print(f"{len(found):4}  {probe.__name__.replace('_', ' ')}")
        for finding in found:
            print(f"      {finding}")
    return min(total, 100)


if __name__ == "__main__":
    sys.exit(main())
