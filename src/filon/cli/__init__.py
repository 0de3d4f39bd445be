"""The command line. Here errors become sentences and exit codes, and nothing else happens."""

import io
import os
import sys
from collections.abc import Sequence

from filon.core import FilonError

INTERRUPTED = 130
USAGE = 2
MACHINE = 4


def main() -> None:
    """Run the command that was typed, and exit with its code."""
    # Windows writes to files and pipes in a code page: what it lacks must not end the program.
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="replace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code."""
    try:
        from filon.cli.app import app  # here, so that Ctrl-C during the imports is caught

        code = app(list(arguments), prog_name="filon", standalone_mode=False)
        sys.stdout.flush()
    except FilonError as error:
        return _say(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _say("Interrupted.", INTERRUPTED)
    except BrokenPipeError:
        # Who read our output has seen enough; what is left must not be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _say(f"The machine failed: {error}.", MACHINE)
    except Exception as error:
        # Typer brings a click of its own or the real one: their errors share only this method.
        if not hasattr(error, "format_message"):
            raise
        return _say(error.format_message(), USAGE)
    return code if isinstance(code, int) else 0


def _say(sentence: str, code: int) -> int:
    from filon.run.text import plain

    print(f"filon: {plain(' '.join(sentence.split()))}", file=sys.stderr)
    return code
