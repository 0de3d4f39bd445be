"""Begin a run from Python: what its keywords ask for, where it is written, what is handed back."""

from collections.abc import Mapping
from typing import Any

from filon.core.plugins import loaded
from filon.run.handle import Run
from filon.verbs.cell import cell
from filon.verbs.look import open_run
from filon.verbs.progress import Progress
from filon.verbs.session import place
from filon.verbs.verb import Verb


async def start(verb: Verb[Any], keywords: Mapping[str, Any]) -> Run:
    """Begin a run, see it through, and return it.

    keywords: the verb's settings by their words, None for its own default; `network`, more of them;
        `out`, the folder to write, which must not exist, or None for one below filon-runs; `halt`
        and `watch` as `filon.verbs.session.begin` has them. A notebook without `watch` shows where
        it stands.
    """
    asked = {**keywords, **keywords["network"]}
    del asked["network"]
    out, halt, watch = (asked.pop(name) for name in ("out", "halt", "watch"))
    if "strategy" in asked:
        asked["strategy"] = verb.strategies().name_of(asked["strategy"])
    settings = verb.settings(**verb.settings.values(asked))
    if verb.instead:
        verb, settings = loaded(verb.instead)(verb, settings)
    job = verb.prepare(settings)
    folder = place(out, job.settings.url, job.name, claim=True)
    shown = None if watch else cell()
    if shown:
        watch = Progress(shown, job.settings.bound(), nouns=verb.nouns)
    try:
        await loaded(f"{verb.session}:begin")(verb, job, folder, halt, watch, claimed=out is None)
    finally:
        if shown:
            shown.clear()
    return open_run(folder)
