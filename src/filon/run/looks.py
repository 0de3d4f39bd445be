"""The answers of a round as looks at things: each is compared with what was known before."""

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from filon.core import Response
from filon.page.links import DESCRIBED, HEADS, links
from filon.page.sitemap import names_text, places
from filon.page.url import join
from filon.run import readonly
from filon.run.archive import Answers, Place, read_record
from filon.run.history import (
    AWAY,
    BACK,
    CHANGED,
    FAILED,
    FILE,
    GONE,
    LATEST,
    LIST,
    MOVED,
    NEW,
    PAGE,
    SAME,
    VANISHED,
)
from filon.run.instead import Answered, judge, shown
from filon.run.listed import listed
from filon.run.seen import NOT_THERE, Seen, page_gist

#: A page that links to pages with files is worth so much of one that links to files.
BEHIND = 0.5
#: Finds that are kept whole.
_KEPT = ("file", "graph")


class Looks:
    """Takes the answers of a round in. number: which one it is; 0: the run itself."""

    def __init__(self, db: sqlite3.Connection, folder: Path, number: int) -> None:
        self._db, self._folder, self._number = db, folder, number
        self._bodies = Answers(folder)
        self._known = {row["url"]: dict(row) for row in db.execute(LATEST, (number,))}
        things = db.execute("SELECT thing, url, ways, round FROM things").fetchall()
        self._ids: dict[str, int] = {row["url"]: row["thing"] for row in things}
        self._ways = Counter({row["url"]: row["ways"] for row in things})
        self._since = {row["url"] for row in things if row["round"]}  # met in rounds before
        self._answered = Answered()
        self.answers, self.began_s = 0, 0.0

    def read(self) -> None:
        """Read the ledger from its beginning, and write down what it tells."""
        with readonly.reading(self._folder) as ledger:
            finds = ledger.execute(readonly.all_finds(ledger)).fetchall()
            found = {row["step"]: row for row in finds if row["kind"] in _KEPT}
            brought = self._brought(ledger, found.values())
            last: dict[str, Seen] = {}  # the last look at each
            for row in ledger.execute("SELECT * FROM steps WHERE answer NOTNULL ORDER BY answer"):
                self.answers += 1
                self.began_s = self.began_s or row["at_s"]
                find = found.get(row["step"])
                if self._number and find is None:
                    self._note(row)
                if seen := self._look(row, find):
                    seen.brought = brought[seen.url] if self._number else 0
                    last[seen.url] = seen
        looks = list(last.values())
        if self._number:
            judge(looks, self._answered, next(iter(self._known), ""))
        self._weigh(looks)
        if self._number:
            self._pair([seen for seen in looks if seen.kind == FILE])
        for seen in looks:
            self._add(seen)

    def _brought(self, ledger: sqlite3.Connection, finds: Iterable[sqlite3.Row]) -> Counter[str]:
        """Count the new files that each page has led to: on itself, or on pages new like them."""
        query = "SELECT url, parent FROM steps WHERE answer NOTNULL"
        parents: dict[str, str] = dict(ledger.execute(query).fetchall())
        brought: Counter[str] = Counter()
        for find in finds:
            page, passed = find["url"], set[str]()
            while page and page not in self._known and page not in passed:
                passed.add(page)
                page = parents.get(page, "")
                brought[page] += 1
        return brought

    def _look(self, row: sqlite3.Row, find: sqlite3.Row | None) -> Seen | None:
        """Return what an answer tells of a thing; None: nothing, or it is no thing."""
        if row["method"] != "GET" or (row["took_s"] or 0) < 0 or row["kind"] == "robots":
            return None
        named = ("url", "step", "at_s", "status", "parent")
        seen, known = Seen(**{name: row[name] for name in named}), self._known.get(row["url"])
        if find is not None:
            return self._file(seen, row, find, known)
        if known is None and _is_passing(row):
            seen.kind = FILE  # as far as anybody knows
            return seen.tell(FAILED)
        if known is None:
            return self._page(seen, row, None) if row["status"] == 200 else None
        seen.keep(known)
        still = GONE if is_gone(known) else VANISHED
        if row["status"] == 304:
            # Who was not asked for what is newer than something has no cause to say so.
            has_cause = (known["etag"] or known["modified"]) and not is_gone(known)
            return seen.tell(SAME if has_cause else FAILED)
        if row["status"] in NOT_THERE:
            return seen.tell(still)
        if row["location"]:
            # Where a file is sent on to is judged when all is known.
            is_open = known["kind"] == FILE and still == VANISHED
            return seen.tell(FAILED if is_open else still)
        if row["status"] != 200 or row["error"] or row["cut"]:
            return seen.tell(FAILED)
        if known["kind"] != FILE:
            return self._page(seen, row, known)
        return self._instead(seen, row, known, still)

    def _instead(self, seen: Seen, row: sqlite3.Row, known: Mapping[str, Any], still: str) -> Seen:
        """Tell of what was not kept where a file was: it is the same, or something else."""
        if (row["sha256"] or self._hash(row)) == known["sha256"]:
            self._validate(seen, row)
            return seen.tell(BACK if is_gone(known) else SAME)
        response = self._bodies.read(row, seen.url)
        self._answered.shown[seen.url] = page = shown(response)
        what = "a page" if "html" in response.mime else "something else"
        return seen.tell(still, instead=what) if page else seen.tell(FAILED)

    def _note(self, row: sqlite3.Row) -> None:
        """Keep what others that lead here are told by."""
        if row["location"]:
            self._answered.ways[row["url"]] = join(row["url"], row["location"]) or ""
        self._answered.statuses[row["url"]] = row["status"]
        if row["kind"] == "redirect" and row["status"] == 200:
            response = self._bodies.read(row, row["url"])
            self._answered.shown[row["url"]] = shown(response)

    def _file(
        self, seen: Seen, row: sqlite3.Row, find: sqlite3.Row, known: dict[str, Any] | None
    ) -> Seen:
        self._validate(seen, row)
        seen.kind, seen.parent = FILE, find["parent"]
        sha256 = find["sha256"] or self._hash(row)
        seen.version = replace(
            seen.version, sha256=sha256, size_bytes=find["size_bytes"], name=find["name"]
        )
        if known is None or known["kind"] != FILE:
            return seen.tell(NEW)
        if is_gone(known):
            return seen.tell(BACK)
        return seen.tell(SAME if known["sha256"] == sha256 else CHANGED)

    def _page(self, seen: Seen, row: sqlite3.Row, known: dict[str, Any] | None) -> Seen | None:
        mime = row["mime"] or ""
        if row["error"] or row["cut"]:
            return None
        if not ("html" in mime or "xml" in mime or names_text(seen.url)):
            return None
        response = self._bodies.read(row, seen.url)
        is_page = "html" in mime
        if not is_page and not places(response.body, seen.url):
            return None
        seen.kind, seen.weight = PAGE if is_page else LIST, 0.0
        seen.version = replace(
            seen.version,
            gist=page_gist(response),
            etag=response.header("etag"),
            modified=response.header("last-modified"),
            size_bytes=response.size_bytes,
        )
        seen.links = _links(response) if is_page else ()
        if known is None:
            return seen.tell(NEW)
        if is_gone(known):
            return seen.tell(BACK)
        return seen.tell(SAME if known["gist"] == seen.version.gist else CHANGED)

    def _hash(self, row: sqlite3.Row) -> str:
        """Return the hash of what is kept in the archive alone."""
        return hashlib.sha256(self._bodies.read(row, row["url"]).body).hexdigest()

    def _validate(self, seen: Seen, row: sqlite3.Row) -> None:
        """Take note of what the server knows a version by."""
        if row["warc"] is None:
            return
        place = Place(row["warc"], row["warc_offset"], row["warc_bytes"])
        pairs, _ = read_record(self._folder / "archive", place)
        headers = {name.lower(): value for name, value in pairs}
        etag, modified = headers.get("etag", ""), headers.get("last-modified", "")
        seen.version = replace(seen.version, etag=etag, modified=modified)

    def _weigh(self, looks: Sequence[Seen]) -> None:
        """Say of each page how many files it leads to, and how many it lists.

        What many pages lead to counts for each of them only in part: a menu is no sign. What lists
        files is told once, when all pages are seen: in the run itself.
        """
        kinds = {url: known["kind"] for url, known in self._known.items()}
        kinds |= {seen.url: seen.kind for seen in looks}
        for seen in looks:
            seen.links = [url for url in seen.links if url in kinds]
            if seen.outcome == NEW:
                self._ways.update(seen.links)
        with_files = {url for url, known in self._known.items() if known["weight"]}
        for seen in looks:
            if files := [url for url in seen.links if kinds[url] == FILE]:
                seen.weight = self._share(files)
                with_files.add(seen.url)
        for seen in looks:
            behind = (url for url in seen.links if kinds[url] == PAGE and url in with_files)
            seen.weight += BEHIND * self._share(behind)
        if not self._number:
            pages = {seen.url: seen.links for seen in looks if seen.links}
            shares = listed(pages, [url for url, kind in kinds.items() if kind == FILE])
            for seen in looks:
                seen.listed = shares.get(seen.url, 0.0)
        else:
            for seen in looks:
                if seen.url not in self._known:
                    seen.listed = seen.weight

    def _pair(self, files: Sequence[Seen]) -> None:
        """Tell what moved: it is gone here, and the same stands at an address that is new since.

        Where the new address was met in an earlier round, or the old one was, that is told of the
        one that is looked at now.
        """
        last = {seen.url: seen.outcome for seen in files}
        others = [one for one in self._known.values() if one["kind"] == FILE]
        since = {
            one["sha256"]: one["url"]
            for one in others
            if one["url"] in self._since and last.get(one["url"], one["outcome"]) not in AWAY
        }
        lost = {one["sha256"]: one["url"] for one in others if one["outcome"] == VANISHED}
        new = {seen.version.sha256: seen for seen in reversed(files) if seen.outcome == NEW}
        for seen in files:
            there = new.get(seen.version.sha256)
            if seen.outcome == VANISHED and there and there.outcome == NEW:
                seen.tell(MOVED, to=there.url)
                there.tell(SAME, before=seen.url)
            elif seen.outcome == VANISHED and seen.version.sha256 in since:
                seen.tell(MOVED, to=since[seen.version.sha256])
        for seen in new.values():
            if seen.outcome == NEW and seen.version.sha256 in lost:
                seen.tell(NEW, before=lost[seen.version.sha256])

    def _share(self, urls: Iterable[str]) -> float:
        return sum(1 / max(1, self._ways[url]) for url in urls)

    def _add(self, seen: Seen) -> None:
        if seen.url not in self._ids:
            cursor = self._db.execute(
                "INSERT INTO things (url, round, ways) VALUES (?, ?, ?)",
                (seen.url, self._number, self._ways[seen.url]),
            )
            self._ids[seen.url] = int(cursor.lastrowid or 0)
        row = {"thing": self._ids[seen.url], "round": self._number, **seen.row()}
        marks = ", ".join("?" * len(row))
        self._db.execute(
            f"INSERT INTO looks ({', '.join(row)}) VALUES ({marks})",  # noqa: S608
            (*row.values(),),
        )


def is_gone(known: Mapping[str, Any]) -> bool:
    """Say whether a thing was not there at the last look."""
    return known["outcome"] in AWAY


def _is_passing(row: sqlite3.Row) -> bool:
    """Say whether a failure tells nothing of an address: it may be there another time."""
    return bool(row["error"]) or row["status"] in (408, 425, 429) or row["status"] >= 500


def _links(response: Response) -> list[str]:
    """Return where a page leads, each place once."""
    mime, heads = response.header("content-type"), (*HEADS, DESCRIBED)
    found = links(response.body, response.url, mime, heads=heads)
    return list(dict.fromkeys(link.url for link in found if link.url != response.url))
