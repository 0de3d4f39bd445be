"""The weights that ship: how alike the fields of matches and of others are, by kind of field.

A "label" is a text that many rows share, such as a brand or a venue: every source writes those
in its own way, and agreeing on one says little.
"""

from collections.abc import Mapping

#: Similarities at which the distributions are held.
KNOTS: Mapping[str, tuple[float, ...]] = {
    "text": (0.0, 0.3, 0.45, 0.6, 0.75, 0.9, 1.0),
    "label": (0.0, 0.3, 0.45, 0.6, 0.75, 0.9, 1.0),
    "names": (0.0, 0.25, 0.5, 0.75, 1.0),
    "number": (0.0, 0.2, 0.5, 0.8, 1.0),
    "date": (0.0, 0.35, 0.6, 1.0),
    "code": (0.0, 0.2, 0.45, 0.8, 1.0),
}
#: The shares of matches at the knots.
MATCHES: Mapping[str, tuple[float, ...]] = {
    "text": (0.005, 0.015, 0.04, 0.09, 0.15, 0.25, 0.45),
    "label": (0.15, 0.15, 0.1, 0.1, 0.1, 0.1, 0.3),
    "names": (0.06, 0.06, 0.1, 0.18, 0.6),
    "number": (0.1, 0.1, 0.15, 0.2, 0.45),
    "date": (0.05, 0.05, 0.1, 0.8),
    "code": (0.1, 0.06, 0.04, 0.1, 0.7),
}
#: The same of others, used where the table is too small to say.
OTHERS: Mapping[str, tuple[float, ...]] = {
    "text": (0.2, 0.35, 0.25, 0.12, 0.05, 0.02, 0.01),
    "label": (0.3, 0.25, 0.1, 0.05, 0.05, 0.05, 0.2),
    "names": (0.85, 0.07, 0.04, 0.02, 0.02),
    "number": (0.5, 0.2, 0.15, 0.1, 0.05),
    "date": (0.5, 0.2, 0.15, 0.15),
    "code": (0.6, 0.25, 0.1, 0.03, 0.02),
}
