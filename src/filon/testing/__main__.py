"""Print what cases do in this process: `python -m filon.testing MODULE:FUNCTION TEXT...`."""

import sys

from filon.testing.strategies import digest, made_again

for text in sys.argv[2:]:
    print(digest(made_again(sys.argv[1], text)))
