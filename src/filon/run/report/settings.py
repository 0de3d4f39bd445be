"""The effective configuration, without secrets."""

import re
from pathlib import Path

from filon.run import html

#: A run.toml should hold no secret; a report goes to other people, so it is looked at again.
_SECRET_KEY = re.compile(
    r"(?im)^(\s*[\w.\"'-]*(?:password|secret|token|api_?key|authorization|cookie)[\w\"'-]*\s*=)"
    r"(?!\s*(?:true|false)\b).+$"
)
_USER_INFO = re.compile(r"(?i)(\b[a-z][a-z0-9+.-]*://)[^\s/@\"']+@")
_LONGEST = 20_000


def body(run_path: Path) -> str:
    """Return run.toml as it is, but for secrets."""
    try:
        config = (run_path / "run.toml").read_text("utf-8", errors="replace")
    except OSError:
        return ""
    lines = hide(config[:_LONGEST]).splitlines()
    shown = "\n".join(html.text(line) for line in lines)
    return f'<pre tabindex="0" aria-label="run.toml">{shown}</pre>' if shown.strip() else ""


def hide(config: str) -> str:
    """Return a configuration without what must not leave the machine.

    >>> hide('proxy = "http://me:secret@proxy:3128"')
    'proxy = "http://…@proxy:3128"'
    >>> hide('api_key = "123"')
    'api_key = "…"'
    """
    return _USER_INFO.sub(r"\1…@", _SECRET_KEY.sub(r'\1 "…"', config))
