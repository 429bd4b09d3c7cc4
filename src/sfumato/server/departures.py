"""Lets every reply leave on the raster, whatever it says and whoever made it."""

from __future__ import annotations

import time
from collections.abc import Callable

from sfumato.server.limits import App, Message, Receive, Send
from sfumato.server.timing import Raster, Reply

REPLY = "sfumato.reply"
"""where a request keeps the reply that is on its way"""


class Departures:
    """Notes when requests have arrived whole, and holds replies until they may leave.

    Counted from the first byte, whoever holds back the last one would choose where the ticks fall, and with
    that which running times can be told apart. Refusals, failures and pages are held like answers.
    """

    def __init__(self, app: App, raster: Raster, clock: Callable[[], float] = time.monotonic) -> None:
        self.app = app
        self.raster = raster
        self.clock = clock

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass a request on, and its reply back when it is time."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        reply = scope[REPLY] = Reply(self.clock())

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                await reply.leave(self.raster)
                reply.until_left.close()
            await send(message)

        with reply.until_left:
            try:
                await self.app(scope, receive, sending)
            except Exception:
                await reply.leave(self.raster)
                raise
