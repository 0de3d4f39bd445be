"""The datasets that all pretended portals hold: what an adapter must find again."""

from dataclasses import dataclass

HOST = "portal.test"
ROOT = f"https://{HOST}"


@dataclass(frozen=True)
class Row:
    """A dataset with a table and a container, by its number."""

    number: int

    @property
    def id(self) -> str:
        return f"set-{self.number:04}"

    @property
    def uid(self) -> str:
        """In the form of Socrata."""
        return f"{self.number:04}-abcd"

    @property
    def title(self) -> str:
        return f"Rivers & lakes, part {self.number}"

    @property
    def csv(self) -> str:
        return f"{ROOT}/files/{self.id}.csv"

    @property
    def zip(self) -> str:
        return f"{ROOT}/download?number={self.number}"

    @property
    def modified(self) -> str:
        return f"2025-{1 + self.number % 12:02}-01T00:00:00"


#: Not a round number: the last page is short.
ROWS = [Row(number) for number in range(1, 254)]
COUNT = len(ROWS)
