"""Five rows of a title and a code, for tests of the parts of `prospect`."""

from filon.verbs.enrich.strategies.lexicon import Lexicon

TITLES = ["red wine bar", "red wine house", "red wine shop", "blue noodle bar", "blue noodle inn"]
CODES = ["a1", "b2", "c3", "d4", "e5"]


def lexicon() -> Lexicon:
    return Lexicon({"title": TITLES, "code": CODES})


def ids(words: Lexicon, text: str) -> tuple[int, ...]:
    return tuple(sorted(words.id[word] for word in text.split()))
