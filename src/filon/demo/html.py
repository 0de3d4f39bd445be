"""Markup by function calls: `el("ul.menu", el("li", "A & B"))`. Plain strings are escaped."""

import html
import re
import unicodedata
from functools import cache

_VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})


class Html(str):
    """Markup that needs no escaping any more."""

    __slots__ = ()


def el(selector: str, *children: str, **attributes: str) -> Html:
    """Return an element, named as in a style sheet; `class_` style names lose their underscore.

    >>> el("a.button#go", "a < b", href="/?x=1&y=2")
    '<a class="button" id="go" href="/?x=1&amp;y=2">a &lt; b</a>'
    """
    path, _, identity = selector.partition("#")
    name, *classes = path.split(".")
    named = {"class": " ".join(classes), "id": identity, **attributes}
    opening = name + "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(value)}"'
        for key, value in named.items()
        if value
    )
    if name in _VOID:
        return Html(f"<{opening}>")
    return Html(f"<{opening}>{join(*children)}</{name}>")


def join(*children: str) -> Html:
    """Return children one after the other, escaped where they are plain strings."""
    return Html(
        "".join(
            child if isinstance(child, Html) else html.escape(child, quote=False)
            for child in children
        )
    )


def link(href: str, label: str, selector: str = "a") -> Html:
    """Return a link."""
    return el(selector, label, href=href)


def document(lang: str, title: str, head: str, body: str) -> str:
    """Return a whole page round its body element."""
    top = join(
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("title", title),
        head,
    )
    return f'<!doctype html>\n<html lang="{lang}">\n<head>{top}</head>\n{body}\n</html>\n'


@cache
def slug(title: str) -> str:
    """Return a title as it stands in a URL.

    >>> slug("Lits d'hôpital, par région")
    'lits-d-hopital-par-region'
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
