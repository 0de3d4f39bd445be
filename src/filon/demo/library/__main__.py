"""`python -m filon.demo.library`: write the list and the library's description, to practise on."""

from pathlib import Path

from filon.demo.library import SOURCE
from filon.demo.library.shelf import shelf

for name, content in {"books.csv": shelf(), "library.toml": SOURCE}.items():
    Path(name).write_text(content, "utf-8")
    print(name)
