"""The first thing every request meets: a limit on its body, and a last net under every failure.

A body of JSON in which a key stands twice is refused here, for every endpoint and however it is read later:
of two prices one program in front of the service might believe the first, and the service the last.

Plain ASGI, so that a body that is too long is refused and never held, and so that no failure of ours
ever leaves as a traceback: unforeseen errors may quote data, and are logged by the name of their type.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

from sfumato.core.errors import BadInput, SfumatoError
from sfumato.core.json_once import RepeatedKey, loads_once
from sfumato.server.problems import RETRY_AFTER, TooLong, closing, failed, kind_of, told

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]
log = logging.getLogger("sfumato.server")
FORGOTTEN = 32 * 1024 * 1024
"""bytes of a body that is too long that are read all the same, so that the reply arrives"""


def headers_of(problem: SfumatoError) -> dict[str, str]:
    """Return the headers that a reply about a problem has besides."""
    status = kind_of(problem).status
    if status == 503:
        return {"retry-after": str(RETRY_AFTER)}
    return {"www-authenticate": "Bearer"} if status == 401 else {}


async def send_problem(send: Send, problem: SfumatoError, *, close: bool = False) -> None:
    """Send a reply about a problem."""
    body = json.dumps(told(problem), ensure_ascii=False, separators=(",", ":")).encode()
    headers = {"content-type": "application/json", "content-length": str(len(body)), **headers_of(problem)}
    if close:
        headers["connection"] = "close"
    await send(
        {
            "type": "http.response.start",
            "status": kind_of(problem).status,
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
    )
    await send({"type": "http.response.body", "body": body})


class Limits:
    """Reads the whole body, if it is short and comes soon, and only then lets the application begin."""

    def __init__(self, app: App, *, longest: int, seconds: float) -> None:
        self.app = app
        self.longest = longest
        self.seconds = seconds

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass a request on, with its body in one piece."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            async with asyncio.timeout(self.seconds):
                body = await self._body(scope, receive)
        except TooLong as problem:
            await self._forget(scope, receive)
            await send_problem(send, problem, close=True)
            return
        except TimeoutError:
            late = BadInput("the body did not arrive in time", where="body", remedy="send it again")
            await send_problem(send, late, close=True)
            return
        if body is None:
            return
        if _repeats_a_key(body):
            twice = BadInput("a key stands twice", where="body", remedy="keep one of them")
            await send_problem(send, twice)
            return
        try:
            await self.app(scope, _once(body, receive), sending)
        except Exception as problem:
            log.error("a request failed: %s", type(problem).__name__)
            if not begun:
                await send_problem(send, failed())
        except asyncio.CancelledError:
            # The service was told to stop, and this took longer than requests under way are given.
            if begun:
                raise
            await send_problem(send, closing(), close=True)

    async def _forget(self, scope: Message, receive: Receive) -> None:
        """Read on for a while and keep nothing: who is still sending when we close never sees the reply."""
        if any(name == b"expect" for name, _ in scope["headers"]):
            return
        left = FORGOTTEN
        with suppress(TimeoutError):
            async with asyncio.timeout(self.seconds):
                while left > 0:
                    message = await receive()
                    if message["type"] == "http.disconnect" or not message.get("more_body", False):
                        return
                    left -= len(message.get("body", b""))

    async def _body(self, scope: Message, receive: Receive) -> bytes | None:
        too_long = TooLong(
            f"the body is longer than {self.longest:,} bytes", where="body", remedy="ask a shorter question"
        )
        for name, value in scope["headers"]:
            if name == b"content-length" and not _at_most(value, self.longest):
                raise too_long
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            if len(body) > self.longest:
                raise too_long
            if not message.get("more_body", False):
                return bytes(body)


def _repeats_a_key(body: bytes) -> bool:
    """Tell whether a key stands twice in a body; what is no JSON is refused where it is read."""
    try:
        loads_once(body)
    except RepeatedKey:
        return True
    except (ValueError, RecursionError):
        return False
    return False


def _at_most(digits: bytes, most: int) -> bool:
    return digits.isdigit() and len(digits) <= 18 and int(digits) <= most


def _once(body: bytes, receive: Receive) -> Receive:
    pending = [body]

    async def again() -> Message:
        if pending:
            return {"type": "http.request", "body": pending.pop(), "more_body": False}
        return await receive()

    return again
