"""`python -m filon.cli`: the same as `filon`."""

from filon.cli import main

main()
