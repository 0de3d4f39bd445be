"""Run folders for the tests of what reads them: made of rows, no crawler needed."""

import hashlib
import json
import random
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from filon.run.schema import SCHEMA, VERSION

BEGAN_S = 1_763_200_800.0
START = "https://statistik.example.org/"
_STEP: dict[str, Any] = {
    "idle": 0,
    "sends": 1,
    "method": "GET",
    "parent": "",
    "kind": "link",
    "arm": "",
    "score": 0.0,
    "expected": 0.0,
    "why": "",
    "status": 200,
    "error": "",
    "detail": "",
    "cut": "",
    "mime": "text/html",
    "location": "",
    "size_bytes": 20_000,
    "wire_bytes": 5_000,
    "took_s": 0.2,
    "warc": None,
    "warc_offset": None,
    "sha256": None,
}
_UNANSWERED = (
    "status error detail cut mime location size_bytes wire_bytes at_s took_s warc warc_offset"
)


class FakeRun:
    """Writes a run folder row by row; each step is answered before the next."""

    def __init__(self, path: Path, **config: object) -> None:
        self.path = path
        path.mkdir(parents=True)
        settings = {"verb": "harvest", "url": START, "strategy": "sb", "seed": 0} | config
        lines = (f"{key} = {json.dumps(value)}" for key, value in settings.items())
        (path / "run.toml").write_text("\n".join(lines) + "\n", "utf-8")
        self.ledger = sqlite3.connect(path / "ledger.sqlite")
        self.ledger.executescript(SCHEMA)
        self.meta(version=str(VERSION), stopped="", seconds="0", summary="{}")
        self.steps = self.answers = 0
        self.at_s = BEGAN_S

    def __enter__(self) -> "FakeRun":
        return self

    def __exit__(self, *_: object) -> None:
        self.ledger.commit()
        self.ledger.close()

    def meta(self, **values: str) -> None:
        self.ledger.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())

    def step(self, url: str, *, answered: bool = True, **values: Any) -> int:
        row = {**_STEP, "step": self.steps + 1, "after": self.answers, "url": url, **values}
        self.steps += 1
        if answered:
            self.answers += 1
            self.at_s += 1.0 + float(row["took_s"])
            row |= {"answer": self.answers, "at_s": self.at_s}
        else:
            row |= dict.fromkeys([*_UNANSWERED.split(), "answer"])
        marks = ", ".join("?" * len(row))
        self.ledger.execute(
            f"INSERT INTO steps ({', '.join(row)}) VALUES ({marks})", list(row.values())
        )
        return self.steps

    def find(
        self,
        url: str,
        body: bytes = b"a,b\n1,2\n",
        *,
        name: str = "",
        mime: str = "text/csv",
        parent: str = START,
        size_bytes: int = -1,
        **values: Any,
    ) -> int:
        sha256 = hashlib.sha256(body).hexdigest()
        path = self.path / "files" / sha256[:2] / sha256
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
        size_bytes = len(body) if size_bytes < 0 else size_bytes
        base: dict[str, Any] = {"kind": "target", "mime": mime, "parent": parent, "sha256": sha256}
        sizes = {"size_bytes": size_bytes, "wire_bytes": size_bytes}
        number = self.step(url, **{**base, **sizes, **values})
        self.ledger.execute(
            "INSERT INTO finds (step, kind, url, name, mime, parent, size_bytes, sha256, at_s)"
            " VALUES (?, 'file', ?, ?, ?, ?, ?, ?, ?)",
            (number, url, name, mime, parent, size_bytes, sha256, self.at_s),
        )
        return number

    def end(self, stopped: str, summary: Mapping[str, object] | None = None) -> None:
        seconds = str(self.at_s - BEGAN_S)
        self.meta(stopped=stopped, seconds=seconds, summary=json.dumps(summary or {}))


def database(path: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


_ARMS = {
    "/html/body.home page/div.wrapper/main#content/ul.downloads/li/a.download": 6.1,
    "/html/body.page publication/div.wrapper/main#content/section.files/table/tbody/tr/td/a": 2.4,
    "/html/body.page/div.wrapper/main#content/div.teaser list/h3/a": 0.8,
    "/html/body.page/div.wrapper/main#content/nav.pagination/ul/li.next/a": 1.6,
    "/html/body.page/div.wrapper/header/nav#main/ul.menu/li/a": 0.1,
    "/html/body.page/div.wrapper/footer/div.legal links/a": 0.0,
    "/html/body.page/div.wrapper/aside/div.tag cloud/a": 0.02,
}
_TYPES = [
    ("csv", "text/csv", 30_000),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", 180_000),
    ("zip", "application/zip", 4_000_000),
    ("json", "application/json", 90_000),
    ("ods", "application/vnd.oasis.opendocument.spreadsheet", 60_000),
    ("sav", "application/octet-stream", 900_000),
]
_TITLES = ["bevölkerung", "emploi", "prices", "trade", "health", "Wohnungsmarkt", "énergie"]


def realistic(path: Path, requests: int = 600, seed: int = 1) -> Path:
    """Write a harvest as it might have gone: quick at first, then ever less."""
    chance = random.Random(seed)
    arms = list(_ARMS)
    pulls = dict.fromkeys(arms, 0)
    with FakeRun(path, types="data", budget=f"{requests}req", delay=1.0, parallel=1) as run:
        run.step(f"{START}robots.txt", kind="robots", mime="text/plain", wire_bytes=310)
        run.step(START, kind="start", why="it is the start page", wire_bytes=41_000)
        pages = [START]
        while run.steps < requests:
            richness = max(0.02, 0.75 - 0.85 * run.steps / requests)
            arm = chance.choices(arms, [3, 2, 1.2, 1, 0.8, 0.4, 0.4])[0]
            pulls[arm] += 1
            page = _page(run, chance, arm, chance.choice(pages))
            pages.append(page)
            if chance.random() < richness * min(1, _ARMS[arm]):
                for _ in range(chance.randint(1, 4)):
                    _download(run, chance, page)
        run.step(f"{START}last", answered=False, parent=START)
        told = [
            {
                "name": arm,
                "pulls": pulls[arm],
                "mean": _ARMS[arm],
                "left": chance.randint(0, 200),
                "example": f"{START}example/{n}",
            }
            for n, arm in enumerate(arms)
        ]
        skipped = {"calendar": 212, "other site": 1893, "blocked extension": 640, "robots": 12}
        run.end("budget", {"arms": told, "skipped": skipped})
    return path


def _page(run: FakeRun, chance: random.Random, arm: str, parent: str) -> str:
    url = f"{START}{chance.choice(['themen', 'en/topics', 'service'])}/{run.steps}.html"
    said: dict[str, Any] = {
        "parent": parent,
        "arm": arm,
        "score": _ARMS[arm] + chance.random(),
        "expected": _ARMS[arm],
        "why": f"its group brought {_ARMS[arm]:.1f} finds a page so far",
        "took_s": chance.lognormvariate(-1.5, 0.7),
        "wire_bytes": chance.randint(4_000, 30_000),
    }
    luck = chance.random()
    if luck < 0.06:
        run.step(url, **{**said, "status": 301, "location": f"{url}?lang=de", "wire_bytes": 180})
        moved = {"parent": url, "kind": "redirect", "why": "the server says it moved there"}
        run.step(f"{url}?lang=de", **{**said, **moved})
        return f"{url}?lang=de"
    if luck < 0.13:
        run.step(url, **{**said, "status": chance.choice([404, 404, 404, 403, 410, 500])})
        return parent
    if luck < 0.16:
        said |= {"status": 0, "error": "timeout", "detail": "no answer within 30 s", "took_s": 30.0}
        run.step(url, **{**said, "mime": "", "wire_bytes": 0})
        retried = {"kind": "retry", "arm": "", "why": "the last try failed (timeout)"}
        run.step(url, **{**said, **retried, "status": 200, "error": "", "took_s": 0.4})
        return url
    if luck < 0.2:
        media = {"mime": "image/jpeg", "cut": "type", "wire_bytes": 0, "size_bytes": 300_000}
        run.step(f"{url}/photo", **{**said, **media})
        return parent
    if luck < 0.24:
        run.step(url, **{**said, "method": "HEAD", "kind": "head", "wire_bytes": 0})
    run.step(url, **said)
    return url


def _download(run: FakeRun, chance: random.Random, page: str) -> None:
    ending, mime, usual = chance.choices(_TYPES, [9, 6, 2, 2, 1, 1])[0]
    name = f"{chance.choice(_TITLES)}-{chance.randint(1990, 2024)}.{ending}"
    run.find(
        f"{START}fileadmin/{run.steps}/{name}",
        f"{run.steps // 30} {name}".encode(),
        name=name,
        mime=mime,
        parent=page,
        size_bytes=int(usual * chance.lognormvariate(0, 1)),
        why="it looks like a file of a wanted type",
        took_s=chance.lognormvariate(-0.8, 0.8),
    )
