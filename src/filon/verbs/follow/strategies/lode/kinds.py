"""Which URIs are of a kind: what one host publishes under one prefix, in one form.

A publisher decides once for all URIs of a kind how they answer, so a kind is the unit of which
something can be learnt for sure; its features say what to expect before the first answer.
"""

import re
from functools import lru_cache
from urllib.parse import urlsplit

import mmh3

from filon.page.domain import registered_domain
from filon.page.url import extension
from filon.verbs.follow.strategies.brief import Lead

_NUMBER = re.compile(r"\d+")
_WORDS = re.compile(r"[^\W\d_]{2,}")
#: The size of the model.
WEIGHTS = 1 << 18
#: Properties, words and folders that count as features of one lead.
MOST_PROPERTIES, MOST_WORDS, MOST_FOLDERS = 4, 6, 3
#: Characters of an n-gram, and the part of a path that they are taken from.
GRAM, MOST_PATH = 4, 60


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


@lru_cache(maxsize=16_384)  # the first of each kind is asked about again and again
def features(lead: Lead) -> tuple[int, ...]:
    """Return the numbers of a lead's traits among the weights of the model, each once."""
    return tuple(sorted({mmh3.hash(one, signed=False) % WEIGHTS for one in traits(lead)}))


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
    found.extend(_prefixes(host, folder))
    found.extend(_grams(split.path.lower()[:MOST_PATH]))
    found.extend(f"role={role}" for role in lead.roles)
    for uri in lead.properties[:MOST_PROPERTIES]:
        found.append(f"property={uri}")
        found.append(f"property={uri}&{local}")
    return found


def _prefixes(host: str, folder: str) -> list[str]:
    """Return the first folders of a path, each with all before it.

    >>> _prefixes("a.org", "/id/thing")
    ['prefix=a.org/id', 'prefix=a.org/id/thing']
    """
    parts = folder.split("/")[1 : 1 + MOST_FOLDERS]
    return [f"prefix={host}/{'/'.join(parts[: n + 1])}" for n in range(len(parts))]


def _grams(path: str) -> list[str]:
    """Return all runs of so many characters: what names have in common beyond whole words.

    >>> _grams("/id/7")
    ['gram=/id/', 'gram=id/7']
    """
    return [f"gram={path[at : at + GRAM]}" for at in range(len(path) - GRAM + 1)]
