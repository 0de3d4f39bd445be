"""Which URIs are of a kind: what one host publishes under one prefix, in one form.

A publisher decides once for all URIs of a kind how they answer, so a kind is the unit of which
something can be learnt for sure; its features say what to expect before the first answer.
"""

import re
from functools import lru_cache
from urllib.parse import urlsplit

from filon.page.domain import registered_domain
from filon.page.url import extension
from filon.strategies.follow.brief import Lead

_NUMBER = re.compile(r"\d+")
_WORDS = re.compile(r"[^\W\d_]{2,}")
#: Properties and words that count as features of one lead.
MOST_PROPERTIES, MOST_WORDS = 4, 6


@lru_cache(maxsize=65_536)
def kind(url: str) -> str:
    """Return the kind of a URL: host, folder, form of the name, and names of query parameters.

    >>> kind("http://a.org/id/thing/Quartz"), kind("http://a.org/page/17.html")
    ('a.org/id/thing/*', 'a.org/page/*.html')
    >>> kind("http://a.org/x?id=7&lang=de")
    'a.org/x?id&lang'
    """
    try:
        split = urlsplit(url)
    except ValueError:
        return url
    folder, _, name = split.path.rpartition("/")
    ending = extension(url)
    if split.query:
        names = "&".join(part.partition("=")[0] for part in split.query.split("&"))
        return f"{split.netloc}{_NUMBER.sub('#', split.path)}?{names}"
    form = f"*.{ending}" if ending else "*" if name else ""
    return f"{split.netloc}{_NUMBER.sub('#', folder)}/{form}"


def traits(lead: Lead) -> list[str]:
    """Return what is seen of a lead before it is asked for: the features of the model."""
    split = urlsplit(lead.document)
    host = split.netloc
    folder = split.path.rpartition("/")[0]
    ending = extension(lead.document)
    local = "home" if urlsplit(lead.referrer).netloc == host else "away"
    found = [
        "",
        f"host={host}",
        f"domain={registered_domain(split.hostname or '')}",
        f"ending={ending}",
        f"local={local}",
        f"query={bool(split.query)}",
        f"depth={min(6, split.path.count('/'))}",
        f"scheme={split.scheme}",
        f"hops={min(2, lead.hops)}",
        f"fragment={'#' in lead.uri}",
    ]
    found.extend(f"word={word}" for word in _WORDS.findall(folder.lower())[:MOST_WORDS])
    found.extend(f"role={role}" for role in lead.roles)
    for uri in lead.properties[:MOST_PROPERTIES]:
        found.append(f"property={uri}")
        found.append(f"property={uri}&{local}")
    return found
