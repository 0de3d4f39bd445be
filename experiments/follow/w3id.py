"""w3id.org in process: its real redirect rules, and the hosts of real documents that they lead to.

What a client gets for an identifier depends on words in its Accept header. On this web it can be
counted how many identifiers end in RDF, for fixed headers and for learnt ones.
"""

import gzip
import json
import random
import re
import sqlite3
import zlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from filon.core import Request, Response

_PART = re.compile(r"\\(.)|\$(\d)|%(\d)|%\{(\w+)\}")
#: Hops of a chain that are followed when the truth is asked for.
MOST_HOPS = 10


@lru_cache(maxsize=65_536)
def _compiled(text: str) -> tuple[bool, re.Pattern[str]]:
    negated = text.startswith("!")
    return negated, re.compile(text[negated:])


def _found(expression: str, value: str) -> tuple[bool, re.Match[str] | None]:
    """Say whether an expression holds, and what it matched where it is not negated."""
    negated, pattern = _compiled(expression)
    match = pattern.search(value)
    return (match is None) if negated else (match is not None), None if negated else match


class Rules:
    """The rules by identifier; first match wins."""

    def __init__(self, rules: dict[str, list[dict[str, Any]]]) -> None:
        self._rules = rules

    @classmethod
    def load(cls, path: Path) -> "Rules":
        """Read them off a file."""
        with gzip.open(path) as file:
            return cls(json.load(file))

    def resolve(self, uri: str, accept: str, agent: str = "filon") -> tuple[int, str | None]:
        """Return the code and target that an identifier has for an Accept header."""
        split = urlsplit(uri)
        parts = split.path.removeprefix("/").split("/")
        variables = {
            "REQUEST_URI": split.path,
            "QUERY_STRING": split.query,
            "HTTP_USER_AGENT": agent,
            "Accept": accept,
            "HTTPS": "on" if split.scheme == "https" else "off",
            "REQUEST_METHOD": "GET",
        }
        for size in range(len(parts), 0, -1):
            name = "/".join(parts[:size])
            if name in self._rules:
                return self._first(self._rules[name], "/".join(parts[size:]), variables)
        return 404, None

    def _first(
        self, rules: list[dict[str, Any]], path: str, variables: dict[str, str]
    ) -> tuple[int, str | None]:
        for rule in rules:
            holds, match = _found(rule["path"], path)
            if not holds:
                continue
            fits, last = _conditions(rule, variables)
            if fits:
                target = rule["target"]
                return rule["code"], target and _filled(target, match, last, variables)
        return 404, None


def _conditions(
    rule: dict[str, Any], variables: dict[str, str]
) -> tuple[bool, re.Match[str] | None]:
    """Say whether all conditions of a rule hold, and what the last of them matched."""
    last = None
    asked = [[f"Accept {one}" for one in group] for group in rule.get("accept", ())]
    for group in [*rule.get("other", ()), *asked]:
        for one in group:
            name, _, expression = one.partition(" ")
            if name == "REQUEST_FILENAME" or expression in ("-f", "-d", "!-f", "!-d"):
                holds, match = expression.startswith("!"), None
            else:
                holds, match = _found(expression, variables.get(name, ""))
            if holds:
                last = match or last
                break
        else:
            return False, None
    return True, last


def _filled(
    target: str,
    path: re.Match[str] | None,
    condition: re.Match[str] | None,
    variables: dict[str, str],
) -> str:
    def part(match: re.Match[str]) -> str:
        quoted, of_path, of_condition, variable = match.groups()
        if quoted is not None:
            return str(quoted)
        if variable is not None:
            return variables.get(variable, "")
        found, number = (path, of_path) if of_path is not None else (condition, of_condition)
        if found is None or int(number) > len(found.groups()):
            return ""
        return found[int(number)] or ""

    return _PART.sub(part, target)


@dataclass(frozen=True, slots=True)
class Page:
    """A document of a replica."""

    mime: str
    body: bytes
    strict: bool
    triples: int


class W3idWeb:
    """w3id.org and the hosts of the documents; folder: ../shared/data/follow."""

    def __init__(self, folder: Path) -> None:
        self.rules = Rules.load(folder / "w3id.json.gz")
        with gzip.open(folder / "w3id-answers.json.gz") as file:
            told = json.load(file)
        self.accepts: dict[str, str] = told["accept"]
        self.answers: dict[str, list[list[Any]]] = told["answers"]
        self.pages: dict[str, Page] = {}
        connection = sqlite3.connect(f"file:{folder / 'documents.sqlite'}?mode=ro", uri=True)
        rows = connection.execute("select url, mime, body, has_rdf_strict, triples from documents")
        for url, mime, body, strict, triples in rows:
            self.pages[url] = Page(mime, zlib.decompress(body), bool(strict), triples)
        connection.close()
        self.log: list[tuple[str, str]] = []

    @property
    def reachable(self) -> list[str]:
        """The identifiers that lead to a document at hand, for some Accept header."""
        return [uri for uri, each in self.answers.items() if any(one[2] for one in each)]

    def hop(self, url: str, accept: str) -> tuple[int, str | None]:
        """Return the code of a URL, and where it redirects to."""
        url = url.partition("#")[0]
        if urlsplit(url).netloc == "w3id.org":
            return self.rules.resolve(url, accept)
        if self.page(url):
            return 200, None
        if f"{url}/index.html" in self.pages:
            return 301, f"{url}/"
        return 404, None

    def page(self, url: str) -> Page | None:
        """Return the document that a host of the replica has at a URL."""
        url = url.partition("#")[0].partition("?")[0]
        names = [f"{url}index.html"] if url.endswith("/") else [url, f"{url}.html"]
        return next((self.pages[name] for name in names if name in self.pages), None)

    def end(self, url: str, accept: str) -> Page | None:
        """Return the document where all hops end."""
        for _ in range(MOST_HOPS):
            code, target = self.hop(url, accept)
            if target is None:
                return self.page(url) if code == 200 else None
            url = target
        return None

    def seeds(self, count: int, seed: int) -> list[str]:
        """Return identifiers to start with, by chance."""
        return random.Random(seed).sample(sorted(self.reachable), count)

    def thing(self, url: str) -> str:
        """Return the document with RDF that a URL is; "" where it is none."""
        page = self.page(url)
        return url.partition("#")[0] if page and page.strict else ""

    async def fetch(self, request: Request) -> Response:
        """Answer one hop."""
        self.log.append((request.method, request.url))
        return self.answer(request)

    def answer(self, request: Request) -> Response:
        """Return what a host says, without counting."""
        accept = next((value for name, value in request.headers if name.lower() == "accept"), "*/*")
        code, target = self.hop(request.url, accept)
        page = self.page(request.url) if code == 200 else None
        headers = (("Location", target),) if target else ()
        body = page.body if page else b""
        return Response(
            url=request.url,
            status=code,
            headers=(*headers, ("Content-Type", page.mime if page else "text/html")),
            body=body,
            size_bytes=len(body),
            wire_bytes=len(body),
            at_s=float(len(self.log)),
        )

    async def close(self) -> None:
        """Nothing is open."""
