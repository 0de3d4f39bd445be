"""Files of the catalog in the formats that other tools take: packages, lakes, databases."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from aiohttp import web

from filon.catalog.handon.choose import choose, hand_on
from filon.catalog.store import CatalogStore
from filon.core import UserError
from filon.core.background import in_thread
from filon.dispatch.dispatcher import OWN_FOLDER
from filon.serve.home import HOME
from filon.serve.look.area import EXPORTING, formats
from filon.serve.look.download import read
from filon.serve.look.find import Question, asked
from filon.serve.look.sheet import sent
from filon.serve.words import t

routes = web.RouteTableDef()
#: Files that a browser waits for; a command hands on as many as there are.
MOST_FILES = 500


def handed_on(folder: Path, to: str, ids: list[str], question: Question, place: Path) -> Path:
    """Write files in a format into a folder; return the file, which is a zip of several."""
    if to not in formats():
        raise UserError(t("handing.unknown", format=to, known=", ".join(formats())))
    with CatalogStore(folder) as store:
        if len(choose(store, ids, question.words, question.facets)) > MOST_FILES:
            raise UserError(t("handing.many", n=MOST_FILES))
        out = place / f"filon{formats()[to]}"
        made = hand_on(store, to, out, ids=ids, words=question.words, facets=question.facets)
    return Path(shutil.make_archive(str(made), "zip", made)) if made.is_dir() else made


@routes.get("/catalog/export/{format}")
async def export(request: web.Request) -> web.StreamResponse:
    """Hand files on, those that are named or that a search finds."""
    ids, question = request.query.getall("id", []), asked(request)
    return await handed(request, request.match_info["format"], ids, question)


async def handed(
    request: web.Request, to: str, ids: list[str], question: Question
) -> web.StreamResponse:
    """Answer with files in a format; several as a zip file."""
    folder = request.app[HOME].folder
    own = folder / OWN_FOLDER
    own.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=own, prefix="export-", ignore_cleanup_errors=True) as place:
        async with request.app[EXPORTING]:  # it takes a thread for a while
            made = await in_thread(handed_on, folder, to, ids, question, Path(place))
        return await sent(request, made.name, "application/octet-stream", read(made))
