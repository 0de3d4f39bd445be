"""OpenSearch description documents: their template becomes the request of a source.

Only templates for RSS and Atom are of use; `{searchTerms}`, `{count}`, `{startPage}` and
`{startIndex}` are understood, optional others are left out.
"""

import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlunsplit

from filon.core import Response, UserError
from filon.page.url import resolve, split
from filon.services.answers import UnreadableError, Xml
from filon.services.shape import Description

_URLS = "//*[local-name()='Url'][@template]"
_FEEDS = ("application/atom+xml", "application/rss+xml", "text/xml", "application/xml")
_PLACE = re.compile(r"\{([^{}?]+)(\??)\}")
_KNOWN = {"searchTerms": "{keywords}", "count": "{page_size}"}
_FIXED = {"language": "*", "inputEncoding": "UTF-8", "outputEncoding": "UTF-8"}


def read_document(response: Response) -> dict[str, str]:
    """Return the template of a description document, and its first page or index.

    They are parameters of the source from then on: a run that is resumed need not ask again.
    """
    where = response.url
    if not response.ok:
        reason = response.detail or f"it answers {response.status}"
        raise UserError(f"The description at {where} cannot be read: {reason.rstrip('.')}.")
    reader = Xml({})
    try:
        root = reader.open(response.body)
    except UnreadableError as error:
        raise UserError(f"The description at {where} is {error}.") from None
    right = root.xpath("string(//*[local-name()='SyndicationRight'])").strip().lower()
    if right == "closed":
        raise UserError(f"The service at {where} says that it must not be searched by programs.")
    best = min(
        (each for each in root.xpath(_URLS) if _rank(each) < len(_FEEDS)), key=_rank, default=None
    )
    if best is None:
        raise UserError(f"The description at {where} offers no search with RSS or Atom answers.")
    template = resolve(where, best.get("template").strip())
    offset = "indexOffset" if "{startIndex" in template else "pageOffset"
    return {"template": template, "first": best.get(offset, "1")}


def _rank(url: object) -> int:
    """Return the place of a Url's type among the feeds; beyond them if it is of no use."""
    get = url.get  # type: ignore[attr-defined]
    kind = get("type", "").partition(";")[0].strip().lower()
    wanted = get("rel", "results").split() in ([], ["results"])
    return _FEEDS.index(kind) if wanted and kind in _FEEDS else len(_FEEDS)


def apply(description: Description, template: str, first: str) -> Description:
    """Return the description of a source whose request is an OpenSearch template."""
    parts = split(template)
    params: dict[str, str] = {}
    paging: dict[str, Any] = {"how": "none", "parameter": "", "size_parameter": "", "first": first}
    for name, text in parse_qsl(parts.query, keep_blank_values=True):
        match = _PLACE.fullmatch(text)
        place = match[1] if match else ""
        if place in ("startPage", "startIndex"):
            paging |= {"how": "page" if place == "startPage" else "offset", "parameter": name}
        elif place == "count":
            paging["size_parameter"] = name
        else:
            params[name] = _replace(text)
    path = _replace(parts.path)
    if "{keywords}" not in f"{path}{params}":
        raise UserError(f"The OpenSearch template {template!r} has no place for {{searchTerms}}.")
    url = urlunsplit((parts.scheme, parts.netloc, path, "", ""))
    return replace(
        description,
        request=replace(description.request, url=url, params=params),
        paging=replace(description.paging, **paging),
    )


def _replace(text: str) -> str:
    def put(match: re.Match[str]) -> str:
        name, optional = match[1], match[2]
        if name in _KNOWN:
            return _KNOWN[name]
        if name in _FIXED:
            return _FIXED[name]
        if name in ("startPage", "startIndex"):
            return "1"  # in the path: only the first page can be told
        if optional:
            return ""
        raise UserError(f"The OpenSearch template asks for {{{name}}}, which Filon does not know.")

    return _PLACE.sub(put, text)
