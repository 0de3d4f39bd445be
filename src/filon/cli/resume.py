"""`filon resume RUN`."""

from functools import partial

import typer

from filon.cli import options as o
from filon.cli.sitting import attend
from filon.cli.wishes import gather
from filon.verbs.resume import go_on, settings_of


def resume(
    context: typer.Context,
    run: o.RunFolder,
    budget: o.Budget = None,
    delay: o.Delay = None,
    parallel: o.Parallel = None,
    json_: o.Json = False,
    connect_to: o.ConnectTo = None,
    proxy: o.Proxy = None,
    header: o.Header = None,
    ca_file: o.CaFile = None,
    timeout: o.Timeout = None,
) -> int:
    """Go on with a run that was interrupted, or whose budget was spent.

    It goes on where it was left, with all it has learnt; what is not given is as before. --budget
    is the new bound of the whole run, not of this sitting. Secrets given with --header or in
    --proxy are not stored: give them again.

    Example: filon resume filon-runs/www.example.org-001 --budget 1000
    """
    settings, spent = settings_of(run, gather(None, context.params))
    begin = partial(go_on, run, settings)
    return attend(run, begin, settings.bound(), spent, as_json=json_, verb=settings.verb)
