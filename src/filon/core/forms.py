"""Forms: how values are written down as plain data, and read again.

A store (JSON, MessagePack) makes lists of tuples, so tuples are written as they are, and read as
what they were. A form does work for each element: what grows with the crawl and is plain anyway
is better handed over whole, as `plain` does.

>>> form = pairs(TUPLE)
>>> form.write({("a", 1): (2, 3)})
[[('a', 1), (2, 3)]]
>>> each(row(complex)).read([[1, 2]])
[(1+2j)]
"""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, fields, is_dataclass
from operator import attrgetter
from random import Random
from typing import Any

_CONTAINERS = (list, dict, set, frozenset, tuple, bytearray, Counter, OrderedDict)


@dataclass(frozen=True, slots=True)
class Form:
    """How a value is written down as plain data, and read again."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def _same(value: Any) -> Any:
    return value


def plain(value: Any) -> Any:
    """Return a value as plain data: a shallow copy, or the state of what has one."""
    if hasattr(value, "restore"):
        return value.state()
    if isinstance(value, dict):
        return dict(value)
    if isinstance(value, set | frozenset | deque | tuple):
        return _listed(value)
    return copy(value)


def like(now: Any, data: Any) -> Any:
    """Return what was told in a container of the kind that is there now."""
    kind = type(now)
    if kind is deque:
        return deque(data, now.maxlen)
    return kind(data) if kind in _CONTAINERS and kind is not type(data) else data


def _listed(values: Iterable[Any]) -> list[Any]:
    return sorted(values) if isinstance(values, set | frozenset) else list(values)


def _tuples(data: Any) -> Any:
    return tuple(map(_tuples, data)) if isinstance(data, list | tuple) else copy(data)


#: As it is.
SAME = Form(_same, _same)
#: A list within a container, copied.
LIST = Form(list, list)
#: A tuple within a container.
TUPLE = Form(_same, tuple)
#: A dict within a container, copied.
DICT = Form(dict, dict)
#: A dict that is an ordered set, as the list of its keys.
KEYS = Form(list, dict.fromkeys)


def _write_random(generator: Random) -> dict[str, Any]:
    version, internal, gauss = generator.getstate()
    return {"version": 1, "random": [version, list(internal), gauss]}


def _read_random(data: dict[str, Any]) -> Random:
    version, internal, gauss = data["random"]
    generator = Random()
    generator.setstate((version, tuple(internal), gauss))
    return generator


#: A seeded generator of the standard library: it goes on with the same draws.
RANDOM = Form(_write_random, _read_random)


def each(form: Form, into: Callable[[Iterable[Any]], Any] = list) -> Form:
    """Store the elements of a list, queue or set in a form; a set in order.

    into: the kind of container that is read, where it stands within another one.
    """
    write, read = form.write, form.read
    if write is _same:
        return Form(_listed, lambda data: into(map(read, data)))
    return Form(
        lambda value: [write(one) for one in _listed(value)],
        lambda data: into(map(read, data)),
    )


def table(form: Form) -> Form:
    """Store the values of a dict in a form."""
    return Form(
        lambda value: {key: form.write(one) for key, one in value.items()},
        lambda data: {key: form.read(one) for key, one in data.items()},
    )


def pairs(form: Form | None = None, keys: Form | None = None) -> Form:
    """Store a dict as a list of [key, value]: keys that are no text, or whose order matters."""
    one, other = keys or SAME, form or SAME
    return Form(
        lambda value: [[one.write(key), other.write(item)] for key, item in value.items()],
        lambda data: {one.read(key): other.read(item) for key, item in data},
    )


def flat(form: Form, keys: Form | None = None) -> Form:
    """Store a dict of tuples as a list of [key, *value]."""
    one = keys or SAME
    return Form(
        lambda value: [[one.write(key), *form.write(item)] for key, item in value.items()],
        lambda data: {one.read(key): form.read(item) for key, *item in data},
    )


def keyed(form: Form, key: Callable[[Any], Hashable]) -> Form:
    """Store a dict as a list of its values, where the keys follow from them."""

    def read(data: Any) -> dict[Hashable, Any]:
        return {key(one): one for one in map(form.read, data)}

    return Form(lambda value: [form.write(one) for one in value.values()], read)


def parts(*forms: Form) -> Form:
    """Store a tuple, its first elements in these forms and the others as they are."""
    size = len(forms)
    return Form(
        lambda value: [*(f.write(v) for f, v in zip(forms, value, strict=False)), *value[size:]],
        lambda data: (*(f.read(v) for f, v in zip(forms, data, strict=False)), *data[size:]),
    )


def row(kind: Callable[..., Any], **forms: Form) -> Form:
    """Store a named tuple or a dataclass as its values; of the latter, some in forms."""
    if not is_dataclass(kind):
        return Form(_same, lambda data: kind(*data))
    names = [one.name for one in fields(kind)]
    values = attrgetter(*names)
    if not forms:
        return Form(values, lambda data: kind(*data))
    inner = parts(*(forms.get(name, SAME) for name in names))
    return Form(lambda value: inner.write(values(value)), lambda data: kind(*inner.read(data)))


def record(kind: type, keys: Mapping[str, str] | None = None, **forms: Form) -> Form:
    """Store a dataclass as a dict; what is frozen holds tuples where lists come back.

    keys: the names under which fields are stored that had another one.
    """
    keys = keys or {}
    names = [one.name for one in fields(kind) if one.init]
    frozen = kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    rest = Form(plain, _tuples if frozen else copy)
    how = {keys.get(name, name): (name, forms.get(name, rest)) for name in names}

    def write(value: Any) -> dict[str, Any]:
        return {key: form.write(getattr(value, name)) for key, (name, form) in how.items()}

    def read(data: dict[str, Any]) -> Any:
        found = ((how[key], one) for key, one in data.items())
        return kind(**{name: form.read(one) for (name, form), one in found})

    return Form(write, read)


def made(make: Callable[[], Any]) -> Form:
    """Store an object by its state, and restore it into a new one."""

    def read(data: Any) -> Any:
        new = make()
        new.restore(data)
        return new

    return Form(lambda value: value.state(), read)


def maybe(form: Form) -> Form:
    """Store None, or a value in a form."""
    return Form(
        lambda value: None if value is None else form.write(value),
        lambda data: None if data is None else form.read(data),
    )
