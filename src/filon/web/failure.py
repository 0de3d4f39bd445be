"""What went wrong with an exchange, as a kind of Response.error and a sentence for people.

The sentences are ours: an exception's own text may hold a URL with a password, or a proxy's.
"""

import ssl

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError, LineTooLong, TransferEncodingError

from filon.web.address import PrivateAddressError
from filon.web.decode import BombError, BrokenError

#: What fetching may raise through the fault of the other side.
FAILURES = (
    aiohttp.ClientError,
    HttpProcessingError,
    TimeoutError,
    ConnectionError,
    ssl.SSLError,
    BombError,
    BrokenError,
)


class TooSlowError(TimeoutError):
    """Bytes come, but too few of them."""


class LongHeadersError(aiohttp.ClientError):
    """The headers are more than a page can need."""


class LostError(aiohttp.ClientError):
    """The connection ended before an answer came."""


def explain(problem: BaseException) -> tuple[str, str]:
    """Return the kind of a failure and a sentence about it."""
    match problem:
        case BombError():
            return "bomb", str(problem)
        case BrokenError():
            return "protocol", str(problem)
        case TooSlowError():
            return "timeout", "The answer comes too slowly."
        case aiohttp.ConnectionTimeoutError():
            return "timeout", "The host took too long to accept a connection."
        case TimeoutError():
            return "timeout", "The host took too long to answer."
        case aiohttp.ClientConnectorDNSError():
            return _explain_name(problem.os_error)
        case aiohttp.ClientConnectorCertificateError():
            return "tls", _explain_certificate(problem.certificate_error)
        case aiohttp.ClientSSLError() | ssl.SSLError():
            return "tls", "The host does not speak TLS as it should."
        case aiohttp.ClientHttpProxyError():
            return "connect", f"The proxy refused with status {problem.status}."
        case aiohttp.ClientProxyConnectionError():
            return "connect", "The proxy does not accept a connection."
        case aiohttp.ClientConnectorError():
            return "connect", "The host does not accept a connection."
        case aiohttp.InvalidURL():
            return "protocol", "This is not a URL that can be fetched."
        case LongHeadersError():
            return "headers", "The headers are too long."
        case aiohttp.ClientResponseError() | HttpProcessingError():
            return _explain_head(problem)
        case aiohttp.ClientPayloadError():
            return _explain_body(problem)
    return "closed", "The connection ended before an answer came."


def _explain_name(problem: OSError) -> tuple[str, str]:
    if isinstance(problem, PrivateAddressError):
        return "private", "The host's name leads to a private address."
    return "dns", "The host's name is not known."


def _explain_certificate(problem: BaseException) -> str:
    said = getattr(problem, "verify_message", "") or "it is not valid"
    return f"The certificate is refused: {said.rstrip('.')}."


def _explain_head(problem: BaseException) -> tuple[str, str]:
    causes = list(_causes(problem))
    # aiohttp has no class of its own for too many headers, only the sentence.
    if any(isinstance(cause, LineTooLong) or "Too many" in str(cause) for cause in causes):
        return "headers", "The headers are too long."
    return "protocol", "The answer is not HTTP."


def _explain_body(problem: aiohttp.ClientPayloadError) -> tuple[str, str]:
    ended = "not completed" in str(problem)
    if not ended and any(isinstance(c, TransferEncodingError) for c in _causes(problem)):
        return "protocol", "The chunks of the body are broken."
    return "closed", "The connection ended within the body."


def _causes(problem: BaseException | None) -> list[BaseException]:
    chain = []
    while problem:
        chain.append(problem)
        problem = problem.__cause__
    return chain
