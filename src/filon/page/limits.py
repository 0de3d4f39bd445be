"""Cuts pages that would keep a parser busy for minutes: they exist to do that, or by accident.

The standard's tree construction is quadratic in three places: a start tag looks through all open
elements, a paragraph reopens all open formatting elements (`<b>`, `<font>`), and an attribute is
compared with those before it in its tag. 1 MB of `<div>` takes lexbor 100 seconds. Real pages
stay a thousand times below the bounds here, and only pages that could pass them are looked at.
"""

import re

import numpy as np

#: Open elements, and open formatting elements, summed over all tags: half a second of parsing,
#: and some hundred megabytes of tree.
MAX_OPEN = 100_000_000
MAX_FORMATTING = 2_000_000
#: Tags that stay open, times all tags: no sum can be larger. Below, nothing is looked at.
MAX_HARMLESS = 10 * MAX_FORMATTING
#: A tag longer than this has thousands of attributes, or one that no link needs.
MAX_TAG = 64 * 1024

_OPENS = ord("<")
_TAG = re.compile(rb"<(/?)([a-zA-Z][a-zA-Z0-9]*)([^<>]{0,200})")
_LONG_TAG = re.compile(rb"<[a-zA-Z][^<>]{%d,}>?" % MAX_TAG)
_FORMATTING_TAGS = b"b big code em font i nobr s small strike strong tt u"
_FORMATTING = frozenset(_FORMATTING_TAGS.split())
# Never open, or closed by the next of their kind.
_SHALLOW_TAGS = b"""
    area base br col embed frame hr img input link meta param source track wbr
    a p li dt dd tr td th thead tbody tfoot option optgroup html head body
"""
_SHALLOW = frozenset(_SHALLOW_TAGS.split())


def limited(page: bytes) -> bytes:
    """Return a page, cut before the point where parsing it would get out of hand.

    >>> len(limited(b"<div>" * 50_000)) < 250_000
    True
    """
    if len(page) > MAX_TAG and _may_have_long_tag(page):
        page = _LONG_TAG.sub(b"<x>", page)
    # As `page.count(b"<")` in a third of the time: there are so many.
    tags = int(np.count_nonzero(np.frombuffer(page, dtype=np.uint8) == _OPENS))
    if tags * tags < MAX_HARMLESS:
        return page
    unclosed = tags - 2 * page.count(b"</")
    return page if unclosed * tags < MAX_HARMLESS else page[: _end(page)]


def _may_have_long_tag(page: bytes) -> bool:
    """Tell whether so many bytes in a row end no tag that has begun; one look for each piece."""
    after = 0  # where a tag begins or ends
    while len(page) - after > MAX_TAG:
        end = after + MAX_TAG
        last = max(page.rfind(b">", after, end), page.rfind(b"<", after, end))
        if last < 0:
            if page[after - 1 : after] == b"<":
                return True
            last = _next_mark(page, end)  # a long text, a script
            if last < 0:
                return False
        after = last + 1
    return False


def _next_mark(page: bytes, start: int) -> int:
    """Return where the next tag begins or ends; -1: there is none."""
    marks = [at for at in (page.find(b"<", start), page.find(b">", start)) if at >= 0]
    return min(marks, default=-1)


def _end(page: bytes) -> int:
    """Return where the work adds up to too much."""
    depth = work = formatting_work = 0
    formatting: list[bytes] = []
    for match in _TAG.finditer(page):
        name = match[2].lower()
        if name in _FORMATTING:
            _format(formatting, name, match)
        if name not in _SHALLOW:
            depth = max(0, depth - 1 if match[1] else depth + 1)
        work += depth
        formatting_work += len(formatting)
        if work > MAX_OPEN or formatting_work > MAX_FORMATTING:
            return match.start()
    return len(page)


def _format(opened: list[bytes], name: bytes, tag: re.Match[bytes]) -> None:
    """Open or close a formatting element; of equal ones the parser keeps three."""
    if not tag[1]:
        element = name + b" " + tag[3]
        if opened.count(element) < 3:
            opened.append(element)
        return
    for i in range(len(opened) - 1, -1, -1):
        if opened[i].startswith(name + b" "):
            del opened[i]
            return
