"""Character 2-grams as feature numbers, over the 95 printable ASCII characters."""

import numpy as np
from numpy.typing import NDArray

#: Distinct features of one text.
SIZE = 95 * 95


def bigrams(text: str, block: int = 0) -> NDArray[np.int32]:
    """Return the feature number of each pair of neighbouring characters, repeats included.

    Letters are lower-cased; pairs with a character that is not printable ASCII are left out.
    block: texts of different kinds (URL, anchor) get numbers of their own: block * SIZE on.

    >>> bigrams("a.csv").tolist()  # "a.", ".c", "cs", "sv"
    [6189, 1397, 6448, 7971]
    >>> one, two = (set(bigrams(f"https://www.a.com/data/{name}")) for name in ("x.csv", "y.csv"))
    >>> print(f"the two URLs share {len(one & two) / len(one | two):.0%} of their pairs")
    the two URLs share 85% of their pairs

    Reference: SB-CLASSIFIER (see filon.learn.auer), section 3.3: the features of its URL
    classifier.
    """
    codes = np.frombuffer(text.lower().encode(), dtype=np.uint8).astype(np.int32) - 32
    left, right = codes[:-1], codes[1:]
    if codes.size and (codes.min() < 0 or codes.max() > 94):
        printable = (codes >= 0) & (codes <= 94)
        both = printable[:-1] & printable[1:]
        left, right = left[both], right[both]
    return left * 95 + right + block * SIZE
