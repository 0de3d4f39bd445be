"""Why a host gives no answer, in a sentence for people."""

from http import HTTPStatus

from filon.core import Response
from filon.page.url import origin, split

_UNREACHABLE = {
    "dns": "The host {host} does not exist (or the network is down).",
    "connect": "{origin} refuses the connection or cannot be reached.",
    "tls": "{origin} cannot prove who it is: {detail}.",
    "private": "{host} is at a private address: name it in the URL or with --connect-to.",
    "fenced": "{host} is not among the hosts that may be asked here.",
    "timeout": "{origin} does not answer.",
    "protocol": "{origin} does not speak HTTP.",
}


def unreachable(response: Response) -> str:
    """Say in a sentence why no answer came from a host."""
    parts = split(response.url)
    sentence = _UNREACHABLE.get(response.error, "{origin} does not answer well: {detail}.")
    message = sentence.format(
        host=parts.hostname,
        origin=origin(response.url),
        detail=response.detail.rstrip(".") or response.error,
    )
    if parts.scheme == "https" and response.error in ("connect", "tls", "protocol"):
        message += " Perhaps it is to be had with http:// instead."
    return message


def phrase(status: int) -> str:
    """Return what a status means, in brackets and after a space; nothing where it is unknown."""
    try:
        return f" ({HTTPStatus(status).phrase})"
    except ValueError:
        return ""
