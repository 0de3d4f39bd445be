"""The command line. Here errors become sentences and exit codes, and nothing else happens."""

import gc
import io
import os
import signal
import sys
from collections.abc import Sequence

INTERRUPTED = 130
USAGE = 2
MACHINE = 4
#: New objects after which Python looks for those that only hold each other. Its own 700 are met
#: every few pages, and it finds next to nothing: 3 % of a run's time. The imports make 400,000.
MANY_OBJECTS = 200_000


def main() -> None:
    """Run the command that was typed, and exit with its code."""
    _open_closed_streams()
    # Windows writes to files and pipes in a code page: what it lacks must not end the program.
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="replace")
    gc.set_threshold(MANY_OBJECTS)
    code = run(sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done but for leaving
    if "duckdb" not in sys.modules:  # which tells at length what it then misses
        gc.freeze()  # nothing that is left need be looked through: that takes 0.08 s
    sys.exit(code)


def _open_closed_streams() -> None:
    """Open the null device for each standard stream that the shell has closed (`>&-`).

    Else the next file that is opened has its number, and is written into by whoever prints.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            # The lowest number that is free is this one, as those before it are open.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w" if number else "r", closefd=False))  # noqa: SIM115


def run(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code."""
    as_json = "--json" in arguments
    try:
        from filon.cli.app import app  # here, so that Ctrl-C during the imports is caught

        code = app(list(arguments), prog_name="filon", standalone_mode=False)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _say("Interrupted.", INTERRUPTED, as_json=as_json)
    except (BrokenPipeError, SystemExit):  # click makes the second of the first
        # Who read our output has seen enough; what is left must not be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if _is_interrupt(error):
            return _say("Interrupted.", INTERRUPTED, as_json=as_json)
        return _say(*_told(error), as_json=as_json)
    return code if isinstance(code, int) else 0


def _is_interrupt(error: BaseException | None) -> bool:
    """Tell whether it is Ctrl-C in disguise: while a class is made, Python 3.11 wraps it."""
    while error and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__
    return error is not None


def _told(error: Exception) -> tuple[str, int]:
    """Return an error as a sentence and an exit code; what is a bug of ours stays what it is."""
    from filon.core import FilonError

    if isinstance(error, FilonError):
        return str(error), error.exit_code
    if isinstance(error, OSError):
        return f"The machine failed: {error}.", MACHINE
    # Typer brings a click of its own or the real one: their errors share only this method.
    if hasattr(error, "format_message"):
        return error.format_message(), USAGE
    raise error


def _say(sentence: str, code: int, *, as_json: bool) -> int:
    """Tell what went wrong on standard error, and to scripts also as the object they wait for."""
    import json

    from filon.run.text import plain

    sentence = plain(" ".join(sentence.split()))
    if sentence:  # of a group without a command the help was printed, and that says it
        print(f"filon: {sentence}", file=sys.stderr)
    if as_json:
        print(json.dumps({"error": sentence, "code": code}))
    return code
