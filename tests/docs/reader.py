"""A reader who does what a page says, line by line, on the small web that comes with Filon."""

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from command import Ended, filon, finish, start_python
from docs.pages import Block, blocks

#: How long something took is another time on another machine.
_TIME = re.compile(r"\b(in )?[\d.]+ (min|s|h)\b.*|(?<=127\.0\.0\.1:)\d+")
#: Who is told so asks the small web.
_SENT_HERE = re.compile(r" --config practice\.toml\b| --connect-to ")
#: Verbs that ask the real web else: they say what they would do, and send nothing.
_DRY = ("harvest", "replicate", "discover", "acquire", "follow", "enrich")
_SERVER = "python -m filon.demo.server"
_EACH = re.compile(r"xargs -n 1 filon (.+) < (\S+)")
#: So many of the lines that xargs would hand on.
_HANDED_ON = 2
#: What is typed where Filon asks: yes, and enough.
_TYPED = "y\nq\n"


def lines(text: str) -> list[str]:
    """What must be there: lines without times, and none that is cut short by an ellipsis."""
    kept = (line.rstrip() for line in text.splitlines() if not re.search(r"…\]?$|, …", line))
    return [line for line in (_TIME.sub("", line).rstrip() for line in kept) if line.strip()]


def typed(block: Block) -> Iterator[str]:
    """Yield the lines of a block for a shell, without the comments behind them."""
    if block.kind == "sh":
        for line in block.text.splitlines():
            if words := shlex.split(line, comments=True):
                yield line.split("  #")[0].strip() if "  #" in line else line.strip()
                assert words[0] != "$", f"a prompt is not typed: {line}"


class Reader:
    """Does a page in a folder. not_run: lines to leave out. ran: what was done, as it stands.

    done: lines that were typed before, elsewhere, and how they ended.
    """

    def __init__(
        self,
        folder: Path,
        port: int,
        not_run: Mapping[str, str],
        done: Mapping[str, Ended] | None = None,
    ) -> None:
        self.ran: list[str] = []
        self._folder = folder
        self._here = f"127.0.0.1:{port}"
        self._not_run = not_run
        self._done = done or {}

    def do(self, page: Path) -> None:
        """Write its files, type its commands; what it shows below them must come out."""
        come_out = ""
        for block in blocks(page):
            text = block.text.replace("127.0.0.1:8000", self._here)
            if block.kind == "toml" and "connect-to" in text:
                (self._folder / "practice.toml").write_text(text, "utf-8")
            elif block.kind == "sh":
                come_out = "".join(self._type(line) for line in typed(block))
            elif block.kind == "python" and self._here in text:
                ended = finish(start_python(self._folder, "-c", text))
                assert (ended.code, bool(ended.out)) == (0, True), ended.err
            elif block.kind == "text" and block.follows and come_out:
                told = set(lines(come_out))
                assert [line for line in lines(text) if line not in told] == []

    def _type(self, line: str) -> str:
        if line in self._not_run or line.startswith(_SERVER):  # it is served already
            return ""
        self.ran.append(line)
        ended = [self._done.get(each) or self._run(each) for each in self._each(line)]
        return "".join(each.out + each.err for each in ended)

    def _each(self, line: str) -> Iterator[str]:
        if not (handed := _EACH.fullmatch(line)):
            yield line
            return
        for url in (self._folder / handed[2]).read_text("utf-8").split()[:_HANDED_ON]:
            yield f"filon {handed[1]} {url}"

    def _run(self, line: str) -> Ended:
        program, *words = shlex.split(line.replace("127.0.0.1:8000", self._here))
        if program == "filon":
            if not _SENT_HERE.search(line):
                words += ["--dry-run"] if words[0] in _DRY else []
                here = ["--connect-to", f"::{self._here}", "--delay", "0"]
                words += here if words[:2] == ["source", "check"] else []
            ended = filon(self._folder, *words, said=_TYPED)
        else:
            assert program == "python", f"neither run nor in the table of what is not: {line}"
            ended = finish(start_python(self._folder, *words))
        assert ended.code == 0, (line, ended.err)
        return ended
