"""Pages as a browser reads them: what would run, what leads where, and which forms there are."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

from filon.page.url import join, split

#: A word that no page of ours has: an element or attribute of that name is markup of a stranger.
CANARY = "xsscanary"
#: What the web may say, to be shown as text. The sum would be worked out by a template.
SUM, RESULT = "{{7*7191}}", "50337"
PAYLOADS = (
    f"<{CANARY}>\"'><img src=x onerror={CANARY}(1)>",
    f"javascript:{CANARY}(1)",
    f'"><svg/onload={CANARY}(1)>',
    f"</title></textarea></script><script>{CANARY}(1)</script>",
    f"' {CANARY}=1 x='",
    SUM,
)
_ADDRESSES = {"href", "src", "action", "formaction", "hx-get", "hx-post", "poster", "data"}
_FOREIGN = {"script", "link", "img", "iframe", "object", "embed", "source", "video", "audio"}


@dataclass
class Form:
    """A form of a page: where it leads, how, and what it sends."""

    method: str
    action: str
    fields: dict[str, str] = field(default_factory=dict)


class Page(HTMLParser):
    """A page, taken apart. sandboxed: it is one of its own, and has its style within."""

    def __init__(self, address: str, text: str, *, sandboxed: bool = False) -> None:
        super().__init__()
        self.address, self._sandboxed = address, sandboxed
        self.problems: list[str] = []
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.feed(text)
        if RESULT in text:
            self.problems.append("a template works out what a stranger wrote")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at an element."""
        given = {name: value or "" for name, value in attrs}
        self.problems += _problems(tag, given, self._sandboxed)
        for name in _ADDRESSES & given.keys():
            self._address(tag, name, given[name])
        if tag == "form":
            action = join(self.address, given.get("action", "") or self.address)
            self.forms.append(Form(given.get("method", "get").lower(), action))
        elif tag in ("input", "textarea", "select", "button") and self.forms and "name" in given:
            self.forms[-1].fields[given["name"]] = given.get("value", "")

    def _address(self, tag: str, name: str, value: str) -> None:
        whole = join(self.address, value) if value else self.address
        is_ours = split(whole).netloc == split(self.address).netloc
        if value.strip().lower().startswith(("javascript:", "data:", "vbscript:")):
            self.problems.append(f"<{tag} {name}> leads to {value[:60]!r}")
        elif not is_ours and (tag in _FOREIGN or name != "href"):
            self.problems.append(f"<{tag} {name}> takes something from {value[:60]!r}")
        elif is_ours and name in ("href", "hx-get"):
            self.links.append(whole.partition("#")[0])
        if name == "hx-post":
            self.forms.append(Form("post", whole))


def _problems(tag: str, given: dict[str, str], sandboxed: bool) -> Iterator[str]:
    if CANARY in tag or any(CANARY in name for name in given):
        yield f"markup of a stranger: <{tag} {' '.join(given)}>"
    if tag in ("iframe", "object", "embed", "base") or (tag == "style" and not sandboxed):
        yield f"there is <{tag}>"
    if tag == "script" and "src" not in given:
        yield "there is a script within the page"
    if tag == "meta" and given.get("http-equiv", "").lower() == "refresh":
        yield "the page leads elsewhere by itself"
    for name in given:
        is_style = name == "style" and not sandboxed
        if name.startswith(("on", "hx-on")) or name == "srcdoc" or is_style:
            yield f"<{tag}> has {name}="
    if given.get("target") == "_blank" and "noopener" not in given.get("rel", ""):
        yield f"<{tag}> opens a page that can reach ours"
