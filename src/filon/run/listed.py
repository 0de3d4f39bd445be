"""Which pages list the files of a site: where a new one is to be expected.

A page may hold the files of one record, or list many records. Both lead to files; but a new record
appears on the list. A list of a section of files leads to most of them (recall) and to little else
(precision), in one step or in two: by way of the pages of its records.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

from filon.page.sections import sections

#: Steps from a page over another to a file that are counted: what most pages lead to, as a menu
#: does, is left out first.
MOST_STEPS = 5_000_000


def listed(links: Mapping[str, Sequence[str]], files: Collection[str]) -> dict[str, float]:
    """Return for each page how many files are its own as their list: in all, as many as there are.

    links: where each page leads.

    The files of a section are shared out among the pages that lead to any of them, by precision
    times recall: the part of a page's links that lead to the section, times the part of the
    section's files that they lead to.

    >>> records = {f"r{n}": [f"r{n}.csv", "all", "about"] for n in range(3)}
    >>> pages = records | {"all": ["r0", "r1", "r2", "about"], "about": ["all"]}
    >>> found = listed(pages, [f"r{n}.csv" for n in range(3)])
    >>> {page: round(share, 2) for page, share in found.items()}
    {'r0': 0.31, 'r1': 0.31, 'r2': 0.31, 'all': 2.08}
    """
    ordered = sorted(files)
    section_of = dict(zip(ordered, sections(ordered), strict=True))
    sizes = Counter(section_of.values())
    held = {page: [url for url in goals if url in section_of] for page, goals in links.items()}
    behind = _behind(links, held)
    names = {url: {section_of[file] for file in there} for url, there in behind.items()}
    names |= {url: {section} for url, section in section_of.items()}
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    for page, goals in links.items():
        leads = Counter(name for url in goals for name in names.get(url, ()))
        files_there = set(held[page]).union(*(behind[url] for url in goals if url in behind))
        reached = Counter(section_of[url] for url in files_there)
        for section, number in sorted(reached.items()):  # sums are the same to the last digit
            precision, recall = leads[section] / len(goals), number / sizes[section]
            scores[section][page] = precision * recall
    shares: dict[str, float] = defaultdict(float)
    for section, told in scores.items():
        whole = sum(told.values())
        for page, score in told.items():
            shares[page] += sizes[section] * score / whole
    return dict(shares)


def _behind(
    links: Mapping[str, Sequence[str]], held: Mapping[str, Sequence[str]]
) -> dict[str, Sequence[str]]:
    """Return the files of the pages that are looked behind."""
    ways = Counter(url for goals in links.values() for url in goals if held.get(url))
    steps, behind = 0, dict[str, Sequence[str]]()
    for url, number in sorted(ways.items(), key=lambda pair: (pair[1] * len(held[pair[0]]), pair)):
        steps += number * len(held[url])
        if steps > MOST_STEPS:
            break
        behind[url] = held[url]
    return behind
