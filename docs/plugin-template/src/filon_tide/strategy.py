"""`filon harvest --strategy tide`: links whose address holds a word go first."""

from typing import ClassVar

from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.uninformed import Place, Uninformed


class Tide(Uninformed):
    """Links that hold a word go first, then those that wait longest."""

    #: The parameters for --set, with their defaults.
    OPTIONS: ClassVar[dict[str, float | str]] = {"word": "data"}
    why = "its address holds the word, or it waited longest"

    def __init__(self, brief: Brief) -> None:
        self.word = str(brief.options.get("word", self.OPTIONS["word"]))
        super().__init__(brief)

    def pop(self) -> Place:
        """Take the next link out of the frontier."""
        holding = (at for at, (url, _) in enumerate(self.frontier) if self.word in url)
        return self.frontier.pop(next(holding, 0))
