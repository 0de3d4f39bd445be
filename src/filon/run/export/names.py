"""Names that are safe on every file system, made from names that the web chose.

Nothing here leaves the folder it is put into: no separator, no "..", no drive, no device name,
no control character, no hidden file, and no ending by which a desktop would run it.
"""

import unicodedata

from filon.run.text import plain

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
