"""Finds as a folder tree that a person can browse: host, the URL's path, the original name.

Files are copied, not linked: who edits a copy must not change what the run keeps. Their names are
made from names that the web chose and are safe on every file system: nothing leaves the folder it
is put into, no separator, no "..", no drive, no device name, no control character, no hidden file,
and no ending by which a desktop would run it.
"""

import shutil
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote, unquote
from zlib import crc32

from filon.page.formats import title as format_title
from filon.page.readable import readable_names
from filon.page.url import split
from filon.run import html
from filon.run.export.format import Rows
from filon.run.export.text import write_table
from filon.run.text import count, counted, plain, size

#: A find, by the names of rows.py.
Row = Mapping[str, Any]

#: Deeper folders are of no help to a person, and Windows takes 260 characters in all.
_DEEPEST = 6
#: Counters of names: at a million finds, every fifth name is longer than it need be.
_NAME_PLACES = 1 << 24
_LONGEST_FOLDER_BYTES = 40
_LONGEST_PATH = 180
#: Windows takes these for devices, whatever the ending.
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"]
)
_FORBIDDEN = dict.fromkeys(map(ord, '<>:"/\\|?*'), "_")
#: Endings that a double click executes; such a file gets another ending on top.
_ACTIVE = (
    ".app .bat .chm .cmd .com .command .cpl .desktop .exe .hta .htm .html .inf .jar .js .jse .lnk "
    ".mht .mhtml .msc .msi .php .pif .ps1 .psm1 .py .reg .scf .scr .sh .shtml .svg .url .vbe .vbs "
    ".webloc .wsf .wsh .xht .xhtml"
)
#: Most file systems take 255 bytes; the rest is room for a number.
LONGEST_BYTES = 150
_LONGEST_ENDING_BYTES = 20
#: A browser gets slow beyond; index.csv has all.
SHOWN = 5000


def write_files(rows: Rows, out: Path) -> None:
    """Write a folder with the files of a run, and index.csv and index.html for the whole."""
    out.mkdir()
    first: list[Row] = []
    finds = 0

    def noted() -> Iterator[Iterable[Any]]:
        nonlocal finds
        for finds, row in enumerate(_place(rows, out), start=1):
            if finds <= SHOWN:
                first.append(row)
            yield row.values()

    write_table(rows.frame.columns, noted(), out / "index.csv")
    (out / "index.html").write_text(index_page(first, finds, rows.run_path.name), "utf-8")


def _place(rows: Rows, out: Path) -> Iterator[Row]:
    tree, names = Tree(), Names(rows.frame)
    for row in rows.frame:
        source = rows.kept(row)
        if source is None or not source.is_file():
            yield {**row, "path": ""}
            continue
        path = tree.place(row["url"], names.of(row))
        target = out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        yield {**row, "path": path.as_posix()}


class Names:
    """What a person would call each find: by its own name, else by what its page says of it.

    A name says as much as is needed to tell the find from all others of the run. So the same run
    gets the same names; one that went on may get longer ones.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        # By a hash: a million finds have more names than memory should, and where two names share
        # a place, one is only longer than it need be.
        self._times = bytearray(_NAME_PLACES)
        for row in rows:
            for place in {_name_place(name) for name in _names(row)}:
                self._times[place] = min(self._times[place] + 1, 2)

    def of(self, row: Row) -> str:
        """Return the shortest name that no other find has, else the longest."""
        names = _names(row)
        return next((name for name in names if self._times[_name_place(name)] < 2), names[-1])


def _names(row: Row) -> list[str]:
    return readable_names(
        row["name"],
        row["mime"],
        text=row["link_text"],
        around=row["around"],
        headings=row["headings"],
        title=row["page_title"],
    )


def _name_place(name: str) -> int:
    return crc32(name.encode("utf-8", "replace")) % _NAME_PLACES


class Tree:
    """Gives each file a place of its own, also where file systems ignore case.

    >>> tree = Tree()
    >>> str(tree.place("http://example.org/2024/x?id=1", "a.csv"))
    'example.org/2024/a.csv'
    >>> str(tree.place("http://example.org/2024/x?id=2", "A.csv"))
    'example.org/2024/A (2).csv'
    """

    def __init__(self) -> None:
        self._folders: dict[tuple[PurePosixPath, str], PurePosixPath] = {}
        top = ((PurePosixPath(), name) for name in ("index.csv", "index.html"))
        self._taken: set[tuple[PurePosixPath, str]] = set(top)
        self._next: dict[tuple[PurePosixPath, str], int] = {}

    def place(self, url: str, name: str) -> PurePosixPath:
        """Return a new path for a file: relative, safe, not given before."""
        host, *segments = _segments(url)
        file_name = safe_name(name or (segments[-1] if segments else ""))
        folders = [safe_name(s, "_", _LONGEST_FOLDER_BYTES) for s in segments[:-1][:_DEEPEST]]
        place = self._folder(PurePosixPath(), safe_name(host, "unknown host", 80))
        for folder in folders:
            if len(str(place)) + len(folder) + len(file_name) > _LONGEST_PATH:
                break
            place = self._folder(place, folder)
        return self._free(place, file_name)

    def _folder(self, parent: PurePosixPath, name: str) -> PurePosixPath:
        """Return the folder of that name; a file may have taken the name before."""
        known = self._folders.get((parent, name))
        if known is None:
            known = self._folders[parent, name] = self._free(parent, name)
        return known

    def _free(self, parent: PurePosixPath, name: str) -> PurePosixPath:
        chosen, first = name, (parent, same_on_disk(name))
        # A thousand files of one name must not cost a million look-ups.
        number = self._next.get(first, 2)
        while (parent, same_on_disk(chosen)) in self._taken:
            chosen = numbered(name, number)
            number += 1
        self._next[first] = number
        self._taken.add((parent, same_on_disk(chosen)))
        return parent / chosen


def _segments(url: str) -> list[str]:
    """Return the host and the parts of the path, decoded."""
    parts = split(url)
    if not parts.scheme:
        return ["", "file"]
    host = parts.netloc.rpartition("@")[2]
    *folders, last = parts.path.split("/")
    return [host, *(unquote(folder) for folder in folders if folder), unquote(last)]


def safe_name(text: str, default: str = "file", longest_bytes: int = LONGEST_BYTES) -> str:
    r"""Return a file name like this text.

    >>> safe_name("../../etc/passwd"), safe_name("aux.csv"), safe_name("Zürich 2024.xlsx")
    ('_.._etc_passwd', '_aux.csv', 'Zürich 2024.xlsx')
    >>> safe_name("a\x00\u202egpj.exe"), safe_name("...")
    ('a_x00_u202egpj.exe.download', 'file')
    """
    name = plain(unicodedata.normalize("NFC", text)).translate(_FORBIDDEN)
    name = " ".join(name.split()).lstrip(". ").rstrip(". ")
    name = _shorten(name or default, longest_bytes)
    # A leading dash would be an option to a shell's command, a tilde somebody's home.
    if name.startswith(("-", "~")) or name.partition(".")[0].rstrip().lower() in _DEVICES:
        name = f"_{name}"
    return f"{name}.download" if name.lower().endswith(tuple(_ACTIVE.split())) else name


def numbered(name: str, number: int) -> str:
    """Return the name of the nth file that would have this name.

    >>> numbered("a.tar.gz", 2), numbered("README", 3)
    ('a.tar (2).gz', 'README (3)')
    """
    stem, dot, ending = name.rpartition(".")
    return f"{stem} ({number}).{ending}" if dot else f"{name} ({number})"


def same_on_disk(name: str) -> str:
    """Return what two names share if some file system takes them for the same."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", name).casefold())


def _shorten(name: str, longest_bytes: int) -> str:
    if len(name.encode()) <= longest_bytes:
        return name
    stem, dot, ending = name.rpartition(".")
    if not dot or len(ending.encode()) > _LONGEST_ENDING_BYTES:
        stem, ending = name, ""
    room = longest_bytes - len((dot + ending).encode() if ending else b"")
    short = stem.encode()[:room].decode("utf-8", "ignore").rstrip(". ")
    return f"{short}.{ending}" if ending else short


def index_page(table: Sequence[Row], finds: int, run_name: str) -> str:
    """Return a page with the first finds of a folder.

    finds: how many there are in all.
    """
    if not finds:
        body = "<p>This run found no files.</p>"
    else:
        head = ["File", "Type", "#Size", "Found on"]
        body = html.sifted(html.table(head, [_cells(row) for row in table], "Files"))
    more = finds - len(table)
    note = f'<p class="note">And {count(more)} more: index.csv has all.</p>' if more else ""
    title = f"Files of {run_name}"
    top = (
        f'<header><p class="kicker">filon export</p><h1>{html.text(title)}</h1>'
        f'<p class="meta">{counted(finds, "find")}; the same as a table: '
        f'<a href="index.csv">index.csv</a></p></header>\n'
    )
    return html.page(title, top + body + note)


def _cells(row: Row) -> list[str]:
    path, url = row["path"], row["url"]
    name = html.breakable(html.text(path or row["name"] or url, 160))
    # The path is of our own making (safe_name): it starts with a host, never with a scheme.
    place = f'<a href="{quote(path)}">{name}</a>' if path else f"{name} <i>(not kept)</i>"
    return [
        f'<span class="url">{place}</span>',
        html.text(format_title(row["mime"], row["name"]), 30),
        html.number(row["size_bytes"], size(row["size_bytes"])),
        html.link(row["parent"] or url, longest=80),
    ]
