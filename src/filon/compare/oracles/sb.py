"""SB-ORACLE: SB-CLASSIFIER with a perfect URL classifier (section 4.3)."""

from filon.compare.oracles.truth import Truth
from filon.page.links import Link
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.sb import SleepingBandit


class SleepingBanditOracle(SleepingBandit):
    """`sb-oracle`: the same with a perfect, free URL classifier (section 4.3)."""

    def __init__(self, brief: Brief, truth: Truth) -> None:
        super().__init__(brief)
        self._truth = truth
        self.classifier.skip_heads()

    def _predict(self, link: Link) -> str:
        kind = self._truth.kind(link.url)
        return "html" if kind == "redirect" else kind
