"""A small search service on loopback for tests of enrichments, with its own log and vices."""

import json
import random
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from filon.page.words import keywords
from patience import PATIENCE_S

K = 10
_WORDS = re.findall(
    r"\w+",
    "amber basin cedar delta ember fjord grove harbor inlet jetty kelp lagoon meadow nectar "
    "orchard prairie quarry ridge summit tundra upland valley willow yarrow zephyr anchor beacon",
)
_NAMES = re.findall(
    r"\w+", "Abelard Brune Castel Dorval Esker Falk Grenier Hollin Ister Jonquet Kessel Lormont"
)

Row = dict[str, str]
#: Given the number of the call and the answer as it would be, returns status, headers and body.
Vice = Callable[[int, bytes], tuple[int, Mapping[str, str], bytes]]


def books(number: int, seed: int = 1) -> list[Row]:
    """Return a hidden table: no two titles are alike."""
    chance = random.Random(seed)
    titles = Counter[str]()
    rows: list[Row] = []
    while len(rows) < number:
        title = " ".join(chance.sample(_WORDS, 4)).capitalize()
        titles[title] += 1
        if titles[title] == 1:
            year, author = str(1950 + chance.randrange(70)), chance.choice(_NAMES)
            isbn = f"978-{len(rows):05}"
            rows.append(
                {"id": f"b{len(rows)}", "title": title, "author": author, "year": year}
                | {"isbn": isbn}
            )
    return rows


@dataclass
class SearchBox:
    """A running service: where it is, and what it was asked."""

    port: int
    log: list[tuple[str, int]] = field(default_factory=list)  # target, status
    arrival: threading.Condition = field(default_factory=threading.Condition)
    gone: bool = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def calls(self) -> int:
        """The server's own count."""
        return len(self.log)

    def counts(self) -> Counter[str]:
        return Counter(target for target, _ in list(self.log))

    def wait_for(self, calls: int, timeout_s: float = PATIENCE_S) -> None:
        with self.arrival:
            came = self.arrival.wait_for(lambda: len(self.log) >= calls, timeout_s)
        assert came, f"the service saw {len(self.log)} calls, not {calls}"

    def source(self, folder: Path, **more: str) -> Path:
        """Write a description of the service; `more` replaces or adds whole tables."""
        tables = {
            "request": f'url = "{self.url}/search"\nkeywords = "q"',
            "paging": f'how = "page"\nparameter = "page"\nsize = {K}',
            "answer": 'results = "$.hits"\nid = "$.id"\ntotal = "$.total"\nalways = ["title"]\n'
            'message = "$.error"',
            "answer.fields": 'title = "$.title"\nauthor = "$.author"\nyear = "$.year"\n'
            'isbn = "$.isbn"',
            "query": 'joins = "and"',
            **{name.replace("_", "."): text for name, text in more.items()},
        }
        parts = [f"[{name}]\n{text}\n" for name, text in tables.items()]
        path = folder / "box.toml"
        path.write_text("\n".join(['name = "box"\nabout = "Books."\n', *parts]))
        return path


@contextmanager
def serving(
    rows: list[Row], *, wait_s: float = 0.0, key: str = "", vice: Vice | None = None
) -> Iterator[SearchBox]:
    """Serve a keyword search over rows until the block ends.

    key: what `key=` must say, else 401.
    """
    index: dict[str, set[int]] = {}
    for number, row in enumerate(rows):
        for word in keywords(f"{row['title']} {row['author']}"):
            index.setdefault(word, set()).add(number)

    def answer(asked: Mapping[str, list[str]]) -> bytes:
        sets = [index.get(word, set()) for word in keywords(" ".join(asked.get("q", [])))]
        found = sorted(set.intersection(*sets)) if sets else []
        first = (int(asked.get("page", ["1"])[0]) - 1) * K
        hits = [rows[number] for number in found[first : first + K]]
        return json.dumps({"hits": hits, "total": len(found)}).encode()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            if box.gone:
                self.close_connection = True
                return
            asked = parse_qs(urlsplit(self.path).query)
            status, body = 200, b""
            headers: Mapping[str, str] = {}
            if key and asked.get("key") != [key]:
                status, body = 401, b'{"error": "bad key"}'
            else:
                body = answer(asked)
            with box.arrival:
                if vice and status == 200:
                    status, headers, body = vice(len(box.log) + 1, body)
                box.log.append((self.path, status))
                box.arrival.notify_all()
            time.sleep(wait_s)
            try:
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except OSError:
                self.close_connection = True  # the client was killed

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 64

        def handle_error(self, request: object, client_address: object) -> None:
            pass

    server = Server(("127.0.0.1", 0), Handler)
    box = SearchBox(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield box
    finally:
        box.gone = True
        server.shutdown()
        server.server_close()
        thread.join()


def write_table(path: Path, rows: list[Row], encoding: str = "utf-8") -> Path:
    """Write the local table: number, title and author only."""
    lines = [f"{number};{row['title']};{row['author']}" for number, row in enumerate(rows, 1)]
    path.write_text("\n".join(["no;title;author", *lines, ""]), encoding)
    return path
