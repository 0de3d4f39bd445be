"""Where a website ends: section 2.2 of the paper."""

from filon.page.url import host


class Site:
    """All URLs whose host is the start's or a subdomain of it.

    One leading "www." counts on neither side; scheme and port are ignored.

    >>> site = Site("https://www.a.b.com/index.php")
    >>> "https://www.c.a.b.com/page.html" in site, "https://www.b.com/page.php" in site
    (True, False)
    """

    __slots__ = ("_dotted", "name")

    def __init__(self, start: str) -> None:
        self.name = _bare(host(start))
        self._dotted = f".{self.name}"

    def __contains__(self, url: str) -> bool:
        name = _bare(host(url))
        return name == self.name or (name.endswith(self._dotted) and bool(self.name))


def _bare(name: str) -> str:
    """Drop "www." once, unless a top-level domain alone would be left: `www.com` is a site."""
    name = name.lower().rstrip(".")
    rest = name.removeprefix("www.")
    return rest if "." in rest else name
