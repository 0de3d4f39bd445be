"""A meter that goes by plain status codes and two headers."""

from dataclasses import dataclass

from filon.core import Response


@dataclass
class Toy:
    name: str = "Toy"
    delay_s: float = 0.0
    quota: int = 0
    window_s: float = 0.0

    def judge(self, response: Response) -> tuple[str, str]:
        problem = {429: "quota", 401: "key"}.get(response.status, "")
        return problem, f"The service answers {response.status}." if problem else ""

    def left(self, response: Response) -> int | None:
        told = response.header("left")
        return int(told) if told else None

    def resets_at_s(self, response: Response) -> float | None:
        told = response.header("reset")
        return float(told) if told else None

    def pace_s(self, response: Response) -> float | None:
        told = response.header("pace")
        return float(told) if told else None
