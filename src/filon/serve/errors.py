"""What goes wrong, as a page with a sentence; under /api as JSON."""

import errno
import logging
import re

from aiohttp import web

from filon.core import FilonError, UserError
from filon.run.text import plain, size
from filon.serve.access import FORM_BYTES, Handler, Refusal, is_begun
from filon.serve.enter import enter_page
from filon.serve.page import page
from filon.serve.words import t

#: A disk that is full, or may not be written: nothing of ours, and nothing that we could mend.
_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM})
#: A page of a host that is not its first one, by a path that names no other host.
_ADDRESS = re.compile(r"https?://(?P<host>[^/?#]+)(?P<path>/[^/\\?#][^?#]*)(?P<query>\?[^#]*|)")
log = logging.getLogger("filon.serve")
_SENTENCES = {
    400: "error.malformed",
    403: "error.refused",
    404: "error.missing",
    405: "error.method",
}


@web.middleware
async def told(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer with a page whatever happens; a fault of ours is told to the log only."""
    try:
        return await handler(request)
    except Refusal as refusal:
        return await _answer(request, refusal.status, refusal.sentence, refusal.headers)
    except (web.HTTPRedirection, ConnectionError):  # of the last one nobody is left to be told
        raise
    except web.HTTPException as error:
        headers = {"Allow": error.headers["Allow"]} if "Allow" in error.headers else {}
        return await _answer(request, error.status, _sentence(error.status), headers)
    except FilonError as error:
        if is_begun(request):
            raise
        return await _answer(request, 400 if isinstance(error, UserError) else 500, str(error))
    except Exception as error:  # a bug of ours costs one answer, not the server
        if isinstance(error, OSError) and error.errno in _DISK and not is_begun(request):
            return await _answer(request, 500, t("error.disk", why=error.strerror))
        log.exception("%s %s", request.method, plain(request.path, 200))
        if is_begun(request):
            raise  # cut short, so that half a download is not taken for all of it
        return await _answer(request, 500, t("error.bug"))


def _sentence(status: int) -> str:
    if status == 413:
        return t("error.large", size=size(FORM_BYTES))
    return t(_SENTENCES.get(status, "error.refused"))


async def _answer(
    request: web.Request, status: int, sentence: str, headers: dict[str, str] | None = None
) -> web.Response:
    if request.path.startswith("/api/"):
        answer = web.json_response({"error": sentence}, status=status)
    elif status == 401:
        answer = await enter_page(request, status=401)
    else:
        back = _came_from(request)
        answer = await page(request, "error.html", status=status, sentence=sentence, back=back)
    answer.headers.update(headers or {})
    return answer


def _came_from(request: web.Request) -> str:
    """Return the page of ours that led here, to go back to; "" where there is none."""
    before = _ADDRESS.fullmatch(request.headers.get("Referer", ""))
    if before is None or before["host"] != request.host or before["path"] == request.path:
        return ""
    return before["path"] + before["query"]
