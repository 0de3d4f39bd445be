"""State as plain data, from a declaration.

A class names in `STATE` the attributes that are its state. `Stateful` writes them down (what JSON
can hold, bytes and numpy arrays; no pickle) and takes them up again.

- A name alone is handed over whole: numbers and text as they are, members that have a state as
  that, a set in sorted order, all other containers and arrays as a shallow copy. What comes back is
  put into a container of the kind that is there already, since a store makes lists of all.
- `stored` says in which form (see `forms`), where elements are not plain; `group` puts several
  attributes under one key; `part` is a member that may be None; `version` numbers the layout.
- Keys are the names without leading underscores, in the order of the declaration. A subclass adds
  its own to its parent's. Unknown keys of a state are left alone, missing ones are an error;
  `upgrade` reads the layouts of older versions, `restored` makes anew what follows from the rest.

>>> from collections import Counter
>>> from filon.core.forms import TUPLE, each
>>> class Arms(Stateful):
...     STATE = (version(1), "_pulls", stored("_ties", each(TUPLE)), group("best", "_arm", "_mean"))
...     def __init__(self) -> None:
...         self._pulls, self._ties = Counter[str](), [("a", "b")]
...         self._arm, self._mean = "a", 0.5
>>> one, other = Arms(), Arms()
>>> one._pulls["a"] += 3
>>> one.state()
{'version': 1, 'pulls': {'a': 3}, 'ties': [('a', 'b')], 'best': ['a', 0.5]}
>>> other.restore({"version": 1, "pulls": {"a": 3}, "ties": [["a", "b"]], "best": ["a", 0.5]})
>>> other._pulls, other._ties
(Counter({'a': 3}), [('a', 'b')])
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, ClassVar

from filon.core.errors import MachineError
from filon.core.forms import Form, like, plain


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a state: how its value is got from the owner, and put back."""

    key: str
    get: Callable[[Any], Any]
    put: Callable[[Any, Any], None]


#: What a class declares; to be annotated with where a subclass adds to it.
Fields = tuple[str | Field, ...]


class Stateful:
    """Has the state that `STATE` declares, see above."""

    __slots__ = ()
    STATE: ClassVar[Fields] = ()
    _fields: ClassVar[tuple[Field, ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        named = [one for base in reversed(cls.__mro__) for one in base.__dict__.get("STATE", ())]
        cls._fields = tuple(stored(one) if isinstance(one, str) else one for one in named)

    def state(self) -> dict[str, Any]:
        """Return plain data: all that is needed to go on."""
        return {one.key: one.get(self) for one in self._fields}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        state = self.upgrade(state)
        for one in self._fields:
            one.put(self, state[one.key])
        self.restored()

    def upgrade(self, state: dict[str, Any]) -> dict[str, Any]:
        """Return a state of an older layout in today's."""
        return state

    def restored(self) -> None:
        """Make anew what follows from the state and is not in it."""


# What a state is made of.


def stored(name: str, form: Form | None = None, *, key: str = "") -> Field:
    """Store an attribute, in a form where its elements are not plain data.

    name: may be a path to an attribute of a member, as "kinds.queues".
    """
    write, value = form.write if form else plain, attrgetter(name)
    *path, last = name.split(".")
    holder = attrgetter(".".join(path)) if path else _itself

    def put(owner: Any, data: Any) -> None:
        now = value(owner)
        if form:
            setattr(holder(owner), last, like(now, form.read(data)))
        elif hasattr(now, "restore"):
            now.restore(data)
        else:
            new = like(now, data)
            setattr(holder(owner), last, copy(data) if new is data else new)

    return Field(key or last.lstrip("_"), lambda owner: write(value(owner)), put)


def group(key: str, *names: str) -> Field:
    """Store several attributes as a list under one key."""
    members = [stored(name) for name in names]

    def put(owner: Any, data: Any) -> None:
        for member, value in zip(members, data, strict=True):
            member.put(owner, value)

    return Field(key, lambda owner: [member.get(owner) for member in members], put)


def part(name: str) -> Field:
    """Store a member that has a state or is None; a state is for whoever has the member."""

    def get(owner: Any) -> Any:
        member = getattr(owner, name)
        return None if member is None else member.state()

    def put(owner: Any, data: Any) -> None:
        member = getattr(owner, name)
        if member is not None and data is not None:
            member.restore(data)

    return Field(name.lstrip("_"), get, put)


def version(number: int, *, of: str = "") -> Field:
    """Store the number of the layout; with a name, states of another number are refused."""

    def put(owner: Any, data: Any) -> None:
        if of and data != number:
            raise MachineError(
                f"The run was made by another version of Filon, whose notes {of} cannot read: "
                "go on with that version, or begin anew."
            )

    return Field("version", lambda owner: number, put)


def _itself(owner: Any) -> Any:
    return owner
