"""The short way for questions, which are nearly all that a service is sent.

The framework finds the route, solves dependencies and checks the body anew for every request, which takes
longer than the answer. A plain, well-formed ``POST /v1/ask`` therefore goes straight to what the endpoint
calls. The same caller is recognised, the same role asked for, the same model read, the same raster held to;
whatever is not plain (another type of content, a body that does not fit) takes the long way and is told what
is wrong there.
"""

from __future__ import annotations

import json

from sfumato.core.errors import SfumatoError
from sfumato.query.ledger.accounts import Role
from sfumato.server.asking import JSON, answered
from sfumato.server.departures import REPLY
from sfumato.server.house import House, recognised
from sfumato.server.limits import App, Message, Receive, Send, send_problem
from sfumato.server.wire import AskBody

PATH = "/v1/ask"


class Shortcut:
    """Answers plain questions, and hands everything else to the application."""

    def __init__(self, app: App, house: House) -> None:
        self.app = app
        self.house = house

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Take a request whose body comes in one piece (see ``Limits``)."""
        headers = _plain(scope)
        if headers is None:
            await self.app(scope, receive, send)
            return
        message = await receive()
        body = _read(message["body"])
        if body is None:
            await self.app(scope, _first(message, receive), send)
            return
        try:
            caller = await recognised(self.house, headers.get(b"authorization"))
            text = await answered(self.house, caller.must_be(Role.ANALYST), body, scope[REPLY])
        except SfumatoError as problem:
            await send_problem(send, problem)
            return
        encoded = text.encode()
        await send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": [
                    (b"content-length", str(len(encoded)).encode()),
                    (b"content-type", JSON.encode()),
                ],
            }
        )
        await send({"type": "http.response.body", "body": encoded})


def _plain(scope: Message) -> dict[bytes, str] | None:
    """Return the headers of a plain question; None where it is none."""
    if scope["type"] != "http" or scope["path"] != PATH or scope["method"] != "POST":
        return None
    headers: dict[bytes, str] = {}
    for name, value in scope["headers"]:
        # The first of several, as the framework takes it.
        headers.setdefault(name, value.decode("latin-1"))
    return headers if headers.get(b"content-type") == JSON else None


def _read(body: bytes) -> AskBody | None:
    try:
        return AskBody.model_validate(json.loads(body))
    except (ValueError, RecursionError):
        return None


def _first(message: Message, receive: Receive) -> Receive:
    pending = [message]

    async def again() -> Message:
        return pending.pop() if pending else await receive()

    return again
