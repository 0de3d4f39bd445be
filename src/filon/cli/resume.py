"""`filon resume RUN`."""

import typer

from filon.cli import options as o
from filon.cli.session import take_up
from filon.cli.wishes import gather
from filon.verbs.session import settings_of


@o.takes("budget delay parallel json_ connect_to proxy header ca_file timeout")
def resume(context: typer.Context, run: o.RunFolder, json_: o.Json) -> int:
    """Go on with a run that was interrupted, or whose budget was spent.

    It goes on where it was left, with all it has learnt; what is not given is as before. --budget
    is the new bound of the whole run, not of this sitting. Secrets given with --header or in
    --proxy are not stored: give them again.

    Example: filon resume filon-runs/www.example.org-001 --budget 1000
    """
    verb, settings, spent = settings_of(run, gather(None, context.params))
    return take_up(verb, run, settings, spent, as_json=json_)
