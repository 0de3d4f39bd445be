"""`python -m filon`: the same as `filon`."""

from filon.cli import main

main()
