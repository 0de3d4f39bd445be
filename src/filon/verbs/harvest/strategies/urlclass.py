"""The online URL classifier: Algorithm 2 of SB-CLASSIFIER, in its eight variants of Table 5.

The first b URLs are labelled by HEAD requests; from then on labels come free with every GET.
"""

import numpy as np

from filon.core.forms import TUPLE, each
from filon.core.state import Stateful, stored, version
from filon.learn import CLASSIFIERS, bigrams
from filon.learn.bigrams import SIZE
from filon.learn.linear import Features
from filon.page.links import Link

FEATURES = ("url", "context")


class UrlClassifier(Stateful):
    """Tells targets from pages by URL, or by URL and context.

    `needs_head` is True through the initial training phase.
    """

    STATE = (version(1), "model", stored("_batch", each(TUPLE)), "needs_head")

    def __init__(self, model: str = "lr", features: str = "url", b: int = 10) -> None:
        self.context = features == "context"
        self.b = b
        self.needs_head = True
        self.model = CLASSIFIERS[model](SIZE * (4 if self.context else 1))
        self._batch: list[tuple[Features, bool]] = []

    def features(self, link: Link) -> Features:
        """Return the character 2-grams of a link."""
        url = bigrams(link.url)
        if not self.context:
            return url
        texts = (link.text, link.path, link.around)
        return np.concatenate([url, *(bigrams(text, i + 1) for i, text in enumerate(texts))])

    def update(self) -> None:
        """Train on the batch if it is full: the first lines of Algorithm 2."""
        if len(self._batch) >= self.b:
            self.model.learn(self._batch)
            self._batch = []
            self.needs_head = False

    def is_target(self, features: Features) -> bool:
        """Predict the class, once the initial phase is over."""
        return self.model.score(features) > 0

    def label(self, features: Features, target: bool) -> None:
        """Add a labelled URL to (X, y)."""
        self._batch.append((features, target))

    def skip_heads(self) -> None:
        """End the initial phase: the server does not answer HEAD."""
        self.needs_head = False
