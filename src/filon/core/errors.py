"""What can go wrong, split by whose fault it is.

    FilonError
    ├── UserError       the user's: one clear sentence, nothing written, exit 2
    └── MachineError    the machine's: stop cleanly, resumable, exit 4

The web's faults are not here: a remote failure is a Response. Bugs are not caught, but
where a run could go on without the answer that brought one to light: see core/bug.py.
"""

from typing import ClassVar


class FilonError(Exception):
    """What Filon raises on purpose; its text is one sentence for a person.

    Example:

        try:
            run = filon.open_run("nowhere")
        except filon.UserError as error:
            print(error)
    """

    exit_code: ClassVar[int]


class UserError(FilonError):
    """The user asked for something that cannot be."""

    exit_code = 2


class MachineError(FilonError):
    """The disk is full, a store cannot be read: nothing that came in is lost."""

    exit_code = 4
