"""The frame of every page that Filon writes: self-contained, and safe whatever the web said.

No resource from elsewhere, and no script but our own, which filters and sorts tables: the policy
in the head names its hash and forbids all else, should anything ever slip through the escaping.
All text from outside goes through `text` or `link`.
"""

from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from urllib.parse import quote

from filon.run.text import count, plain

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_SIFTED = '<div class="sift">'
#: The script of tables, beside this file.
SCRIPT = "table.js"
#: A longer address is shown, not linked: it would make the page large, and tells nobody anything.
_LONGEST_LINK = 500
FOOT = "<footer>Written by Filon from the run’s own ledger. Times are UTC.</footer>"


def text(value: object, longest: int = 0) -> str:
    """Return text that is only text in HTML, also within a quoted attribute.

    >>> text('<script>"')
    '&lt;script&gt;&quot;'
    """
    return escape(plain(str(value), longest))


def link(url: str, label: str = "", longest: int = 90) -> str:
    """Return a link if it is to the web, else only its text.

    >>> link("javascript:alert(1)")
    '<span class="url">javascript:alert(1)</span>'
    """
    shown = text(label or url, longest)
    if not label or label.startswith("/"):
        shown = breakable(shown)
    linkable = url.lower().startswith(("http://", "https://")) and plain(url) == url
    if not linkable or len(url) > _LONGEST_LINK or " " in url:
        return f'<span class="url">{shown}</span>'
    return f'<a class="url" href="{escape(url)}" rel="noopener noreferrer nofollow">{shown}</a>'


def beside(name: str) -> str:
    """Return a link to a file in the folder of the page.

    >>> beside("enriched 2.csv")
    '<a href="enriched%202.csv">enriched 2.csv</a>'
    """
    return f'<a href="{quote(name)}">{text(name)}</a>'


def stored(path: str, name: str, shown: str = "") -> str:
    """Return a link to a file that the run keeps; name: under which a browser may save it.

    It has no ending there, so that browsers show it as text or save it, and execute nothing.

    >>> stored("files/ab/abc", "a.csv")
    '<a class="url" href="files/ab/abc" download="a.csv">a.csv</a>'
    """
    label = breakable(text(shown or name, 90))
    return f'<a class="url" href="{quote(path)}" download="{text(name)}">{label}</a>'


def number(value: float, shown: str) -> str:
    """Return a figure that is sorted by its value, not by what is shown.

    >>> number(2000, "2 kB")
    '<data value="2000">2 kB</data>'
    """
    return f'<data value="{value}">{shown}</data>'


def sifted(table: str) -> str:
    """Return a table that can be filtered and sorted where scripts run."""
    return f"{_SIFTED}{table}</div>"


def breakable(path: str) -> str:
    """Return a path, escaped already, that may be broken after each of its parts.

    >>> breakable("http://a/b/c")
    'http://a/<wbr>b/<wbr>c'
    """
    return path.replace("/", "/<wbr>").replace("/<wbr>/<wbr>", "//")


def table(head: list[str], body: list[list[str]], label: str, css: str = "") -> str:
    """Return a table of cells that are HTML already.

    A heading that starts with "#" is over figures; one that starts with "-" may be left out on
    a small screen.
    """
    classes = [{"#": "figure", "-": "figure minor"}.get(h[:1], "") for h in head]
    names = [h.lstrip("#-") for h in head]
    top = "".join(
        f'<th scope="col" class="{c}">{n}</th>' for n, c in zip(names, classes, strict=True)
    )
    rows = "".join(
        "<tr>"
        + "".join(f'<td class="{c}">{v}</td>' for v, c in zip(row, classes, strict=True))
        + "</tr>\n"
        for row in body
    ).replace(' class=""', "")
    top = top.replace(' class=""', "")
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{label}">'
        f'<table class="{css}"><thead><tr>{top}</tr></thead>\n<tbody>{rows}</tbody></table></div>'
    )


def ranked(rows: list[tuple[str, int, str]]) -> str:
    """Return bars, one a row: its name, its number, and what else is to be said (all text)."""
    most = max(number for _, number, _ in rows)
    bars = "".join(
        f'<dt>{text(name, 60)}</dt><dd aria-hidden="true">'
        f'<span class="meter" style="width:{100 * number / max(most, 1):.1f}%"></span></dd>'
        f'<dd class="figure">{count(number)} <small>{text(more)}</small></dd>'
        for name, number, more in rows
    )
    return f'<dl class="rank">{bars}</dl>'


def section(name: str, title: str, body: str, lead: str = "") -> str:
    """Return a section with a heading; nothing where there is nothing to show."""
    if not body:
        return ""
    lead = f'<p class="lead">{lead}</p>' if lead else ""
    return f'<section id="{name}"><h2>{title}</h2>{lead}\n{body}</section>\n'


def page(title: str, body: str) -> str:
    """Return a whole page; `title` is plain text, `body` HTML."""
    style = _own("style.css")
    policy, script = _POLICY, ""
    if _SIFTED in body:
        script, source = _within()
        policy += f"; script-src {source}"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Filon">
<title>{text(title)}</title>
<style>
{style}</style>
</head>
<body>
{body}
{script}</body>
</html>
"""


def _within() -> tuple[str, str]:
    """Return the script as an element of the page, and how a policy names it."""
    code = f"\n{_own(SCRIPT)}"
    digest = b64encode(sha256(code.encode()).digest()).decode()
    return f"<script>{code}</script>\n", f"'sha256-{digest}'"


def with_script_at(page: str, address: str) -> str:
    """Return a page with its script at an address of the same server, and none within.

    For a server that allows no other. A page of an older Filon has another script, and stays as it
    is.
    """
    script, source = _within()
    linked = f'<script src="{address}"></script>\n'
    return page.replace(f"script-src {source}", "script-src 'self'", 1).replace(script, linked, 1)


def _own(name: str) -> str:
    return files("filon.run").joinpath(name).read_text("utf-8")
