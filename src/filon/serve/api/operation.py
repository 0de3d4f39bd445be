"""One operation of the API: a function whose signature says all that a caller must know.

    operations = Operations("runs")

    @operations.get("/runs/{run}")
    async def show_run(call: Call, run: Annotated[str, "The name of its folder."]) -> RunShown:
        '''Tell how a run stands, what it cost and what it brought.'''

What stands in the path comes from there; the rest comes from the query of a GET, or else from an
object in the body. Arguments are checked by their types before the function is called.
"""

import inspect
import json
import types
import typing
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, is_dataclass
from typing import Annotated, Any, Literal

from aiohttp import web

from filon.page.values import read_json
from filon.serve.access import Refusal
from filon.serve.home import HOME, Home
from filon.serve.words import t

#: Where all operations are.
ROOT = "/api"
Function = Callable[..., Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Between:
    """The bounds of a number."""

    least: int
    most: int


#: How lists are paged through.
Offset = Annotated[int, "Leave out so many of the first.", Between(0, 10_000_000)]
Limit = Annotated[int, "Tell so many at most.", Between(1, 1000)]


@dataclass(frozen=True, slots=True)
class Call:
    """A call: the folder that is served, and the application with all that its areas keep."""

    request: web.Request

    @property
    def app(self) -> web.Application:
        """The application."""
        return self.request.app

    @property
    def home(self) -> Home:
        """The folder that is served."""
        return self.request.app[HOME]


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument of an operation. bounds: of a number; None: any.

    keyword: what it is called in Python, where `as` and the like have an underscore behind them.
    """

    name: str
    keyword: str
    place: Literal["path", "query", "body"]
    kind: Any
    about: str
    default: Any = inspect.Parameter.empty
    bounds: Between | None = None

    @property
    def is_required(self) -> bool:
        """Whether it must be given."""
        return self.default is inspect.Parameter.empty


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """A line of the table of operations. gives: a type, or the media types of a download."""

    method: str
    path: str
    name: str
    tag: str
    about: str
    arguments: tuple[Argument, ...]
    gives: Any
    media: tuple[str, ...]
    function: Function

    @property
    def summary(self) -> str:
        """What it does, in a sentence."""
        return self.about.partition("\n")[0]

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer a request."""
        given = await self._given(request)
        found = await self.function(Call(request), **given)
        if isinstance(found, web.StreamResponse):
            return found
        return web.Response(text=as_json(found), content_type="application/json")

    async def _given(self, request: web.Request) -> dict[str, Any]:
        """Return the arguments, checked; 400 where one is wrong, missing or unknown."""
        texts = {name: request.query.getall(name) for name in request.query}
        body = await _object(request) if self.method != "GET" else {}
        known = {each.name: each for each in self.arguments}
        for name in (*texts, *body):
            if name not in known:
                raise Refusal(400, t("api.unknown", name=name))
        given = {}
        for each in self.arguments:
            source: Mapping[str, Any] = body
            if each.place == "path":
                source = request.match_info
            elif each.place == "query":
                source = {name: _read(texts[name], each) for name in texts if name == each.name}
            if each.name in source:
                given[each.keyword] = _checked(each, source[each.name])
            elif each.is_required:
                raise Refusal(400, t("api.lacking", name=each.name))
        return given


class Operations:
    """The operations of one area."""

    def __init__(self, tag: str) -> None:
        self._tag = tag
        self._made: list[Operation] = []

    def __iter__(self) -> Iterator[Operation]:
        return iter(self._made)

    def get(self, path: str) -> Callable[[Function], Function]:
        """Add one that changes nothing."""
        return self._adding("GET", path)

    def post(self, path: str) -> Callable[[Function], Function]:
        """Add one that changes something."""
        return self._adding("POST", path)

    def delete(self, path: str) -> Callable[[Function], Function]:
        """Add one that takes something away."""
        return self._adding("DELETE", path)

    def _adding(self, method: str, path: str) -> Callable[[Function], Function]:
        def add(function: Function) -> Function:
            hints = typing.get_type_hints(function, include_extras=True)
            gives, *media = _parts(hints["return"])
            self._made.append(
                Operation(
                    method=method,
                    path=f"{ROOT}{path}",
                    name=function.__name__,
                    tag=self._tag,
                    about=inspect.cleandoc(function.__doc__ or ""),
                    arguments=tuple(_arguments(function, hints, method, path)),
                    gives=gives,
                    media=tuple(media),
                    function=function,
                )
            )
            return function

        return add


def _arguments(
    function: Function, hints: Mapping[str, Any], method: str, path: str
) -> Iterator[Argument]:
    for name, parameter in list(inspect.signature(function).parameters.items())[1:]:
        kind, about, *bounds = _parts(hints[name])
        place: Literal["path", "query", "body"] = "query" if method == "GET" else "body"
        yield Argument(
            name=name.rstrip("_"),
            keyword=name,
            place="path" if f"{{{name}}}" in path else place,
            kind=kind,
            about=about,
            default=parameter.default,
            bounds=bounds[0] if bounds else None,
        )


def _parts(hint: Any) -> tuple[Any, ...]:
    """Return a type, and what is said of it besides."""
    if typing.get_origin(hint) is Annotated:
        return (typing.get_args(hint)[0], *hint.__metadata__)
    return (hint,)


async def _object(request: web.Request) -> dict[str, Any]:
    if not await request.read():
        return {}
    if request.content_type != "application/json":
        raise Refusal(415, t("api.json"))
    try:
        body = read_json(await request.read())
    except ValueError:
        raise Refusal(400, t("api.json")) from None
    if not isinstance(body, dict):
        raise Refusal(400, t("api.json"))
    return body


def _read(texts: list[str], argument: Argument) -> Any:
    """Return what the texts of a query say; a text that is no number stays one, to be refused."""
    if typing.get_origin(argument.kind) is list:
        return texts
    text = texts[-1]
    if argument.kind is bool:
        return {"true": True, "false": False}.get(text, text)
    if argument.kind is int:
        is_number = text.removeprefix("-").isdecimal() and len(text) < 20
        return int(text) if is_number else text
    return text


def _checked(argument: Argument, value: Any) -> Any:
    """Return an argument that is of its type and within its bounds."""
    if not fits(value, argument.kind):
        raise Refusal(400, t("api.wrong", name=argument.name, kind=in_words(argument.kind)))
    bounds = argument.bounds
    if bounds and not bounds.least <= value <= bounds.most:
        limits = {"least": bounds.least, "most": bounds.most}
        raise Refusal(400, t("api.bounds", name=argument.name, **limits))
    return value


def fits(value: Any, kind: Any) -> bool:
    """Say whether a value of JSON is of a type.

    >>> fits(3, int), fits(True, int), fits(["a"], list[str]), fits("c", Literal["a", "b"])
    (True, False, True, False)
    """
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return True
    if origin is Literal:
        return value in inner
    if origin is types.UnionType:
        return any(fits(value, each) for each in inner)
    if origin is list:
        return isinstance(value, list) and all(fits(each, inner[0]) for each in value)
    if origin is dict:
        return isinstance(value, dict) and all(fits(each, inner[1]) for each in value.values())
    if kind in (int, float):
        numbers = (int, float) if kind is float else (int,)
        return isinstance(value, numbers) and not isinstance(value, bool)
    return isinstance(value, kind)


def in_words(kind: Any) -> str:
    """Return a type as a caller of JSON knows it."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is Literal:
        return ", ".join(map(str, inner))
    if origin is types.UnionType:
        return ", ".join(map(in_words, inner))
    names = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array"}
    return names.get(origin or kind, "object")


def as_json(value: object) -> str:
    """Return plain data, or a dataclass of it, as JSON; what JSON lacks is told as text."""
    found = asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
    return json.dumps(found, ensure_ascii=False, allow_nan=False, default=str)


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What was asked for is done, or under way."""

    done: bool = field(default=True)
