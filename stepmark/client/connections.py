"""The two ways to carry out events, with and without await, and the decorators that make methods for both of them."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import wraps
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

import httpx

from stepmark.client.calls import Call, Item, Pause, Steps, Stream

T = TypeVar("T")
P = ParamSpec("P")


@dataclass
class Reply:
    """The reply to an event: the response, or what was raised instead."""

    response: httpx.Response | None = None
    raised: BaseException | None = None


@dataclass
class End:
    value: Any


def _next(steps: Generator[Any, Any, Any], reply: Reply) -> Any:
    """Tells the steps the reply. Returns their next event, or their End."""
    try:
        return steps.throw(reply.raised) if reply.raised else steps.send(reply.response)
    except StopIteration as end:
        return End(end.value)


@dataclass(frozen=True)
class Connection:
    http: httpx.Client
    retries: int

    def do(self, steps: Steps[T]) -> T:
        reply = Reply()
        while not isinstance(event := _next(steps, reply), End):
            reply = self._reply(event)
        result: T = event.value
        return result

    def each(self, stream: Stream[T]) -> Iterator[T]:
        reply = Reply()
        with closing(stream):
            while not isinstance(event := _next(stream, reply), End):
                if isinstance(event, Item):
                    yield event.value
                reply = Reply() if isinstance(event, Item) else self._reply(event)

    def _reply(self, event: Call | Pause) -> Reply:
        try:
            if isinstance(event, Pause):
                time.sleep(event.seconds)
                return Reply()
            response = self.http.send(event.request(self.http), stream=True)
            with closing(response):
                if event.into is None or not response.is_success:
                    response.read()
                    return Reply(response)
                _empty(event)
                event.into.writelines(response.iter_bytes())
                return Reply(response)
        except BaseException as error:  # such as Ctrl-C: the steps end with it, and may say something
            return Reply(raised=error)


@dataclass(frozen=True)
class AsyncConnection:
    http: httpx.AsyncClient
    retries: int

    async def do(self, steps: Steps[T]) -> T:
        reply = Reply()
        while not isinstance(event := _next(steps, reply), End):
            reply = await self._reply(event)
        result: T = event.value
        return result

    async def each(self, stream: Stream[T]) -> AsyncIterator[T]:
        reply = Reply()
        with closing(stream):
            while not isinstance(event := _next(stream, reply), End):
                if isinstance(event, Item):
                    yield event.value
                reply = Reply() if isinstance(event, Item) else await self._reply(event)

    async def _reply(self, event: Call | Pause) -> Reply:
        try:
            if isinstance(event, Pause):
                await asyncio.sleep(event.seconds)
                return Reply()
            response = await self.http.send(event.request(self.http), stream=True)
            try:
                if event.into is None or not response.is_success:
                    await response.aread()
                    return Reply(response)
                _empty(event)
                async for piece in response.aiter_bytes():
                    event.into.write(piece)
                return Reply(response)
            finally:
                await response.aclose()
        except BaseException as error:
            return Reply(raised=error)


def _empty(call: Call) -> None:
    """Removes what a connection that broke off has left in the file."""
    assert call.into is not None
    call.into.seek(0)
    call.into.truncate()


class Sync:
    """Something whose operations return their results."""

    connection: Connection


class Async:
    """Something whose operations are awaited."""

    connection: AsyncConnection


class Operation(Generic[P, T]):
    """A method written as steps: on a Sync it returns their result, on an Async it is awaited."""

    def __init__(self, steps: Callable[Concatenate[Any, P], Steps[T]]) -> None:
        self.steps = steps
        self.__doc__ = steps.__doc__

    @overload
    def __get__(self, of: None, owner: type) -> Self: ...
    @overload
    def __get__(self, of: Sync, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, of: Async, owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, of: Any, owner: type) -> Any:
        return self if of is None else _bound(of.connection.do, self.steps, of)


class Listing(Generic[P, T]):
    """A method written as a stream: on a Sync it returns an iterator of its items, on an Async one for `async for`."""

    def __init__(self, steps: Callable[Concatenate[Any, P], Stream[T]]) -> None:
        self.steps = steps
        self.__doc__ = steps.__doc__

    @overload
    def __get__(self, of: None, owner: type) -> Self: ...
    @overload
    def __get__(self, of: Sync, owner: type) -> Callable[P, Iterator[T]]: ...
    @overload
    def __get__(self, of: Async, owner: type) -> Callable[P, AsyncIterator[T]]: ...
    def __get__(self, of: Any, owner: type) -> Any:
        return self if of is None else _bound(of.connection.each, self.steps, of)


def _bound(carry_out: Callable[[Any], Any], steps: Callable[..., Any], of: Any) -> Callable[..., Any]:
    @wraps(MethodType(steps, of))
    def call(*arguments: Any, **named: Any) -> Any:
        return carry_out(steps(of, *arguments, **named))

    return call
