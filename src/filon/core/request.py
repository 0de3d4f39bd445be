"""What is asked of the web. Plain data: it stands in the ledger as it is."""

from dataclasses import dataclass

METHODS = frozenset({"GET", "HEAD", "POST"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One HTTP request.

    unwanted: media types, or prefixes of them that end with "/", whose body is not
        downloaded: the answer is cut after its headers.
    max_bytes: the longest body, on the wire and decoded, that is downloaded; 0: the web's bound.
    line_bytes: what may come in for it in all, headers and TLS included; 0: no bound.
    begins: of a longer body the first max_bytes are wanted; else it is cut after the headers
        where they announce it.
    max_s: the longest time the whole answer may take; 0: the web's bound.
    wait_s: the longest time until the request must have left and been answered, the wait for its
        turn included: what is left of the run's own time; 0: no bound.
    delay_s: the spacing that the host itself asked for (Crawl-delay); the web keeps the
        larger of this and its own.
    not_before_s: Unix time before which the request must not leave (Retry-After).

    >>> Request(url="http://example.org/").method
    'GET'
    """

    url: str
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    unwanted: tuple[str, ...] = ()
    max_bytes: int = 0
    line_bytes: int = 0
    begins: bool = False
    max_s: float = 0.0
    wait_s: float = 0.0
    delay_s: float = 0.0
    not_before_s: float = 0.0

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"not a method: {self.method}")
        if not self.url.startswith(("http://", "https://")):
            raise ValueError(f"not an HTTP URL: {self.url}")

    def refuses(self, mime: str) -> bool:
        """Say whether a body of a media type, lower-case and without parameters, is unwanted."""
        return any(
            mime == one or (one[-1:] == "/" and mime.startswith(one)) for one in self.unwanted
        )
