"""`python -m filon.demo.country`: write the description of the register, to practise on."""

from pathlib import Path

from filon.demo.country.register import SOURCE

Path("register.toml").write_text(SOURCE, "utf-8")
print("register.toml")
