"""`python -m filon.demo.library`: write the list and the library's description, to practise on."""

from pathlib import Path

from filon.demo.library import SOURCE
from filon.demo.library.reading_list import reading_list

for name, content in {"books.csv": reading_list(), "library.toml": SOURCE}.items():
    Path(name).write_text(content, "utf-8")
    print(name)
