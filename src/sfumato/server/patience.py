"""An end to connections on which no request comes.

The HTTP server waits for a request for ever: who opens connections and sends nothing, or a header byte by
byte, would hold all that there are (slow HTTP, "Slowloris", 2009). Bodies have their own limit (``limits``).
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any

HEADERS_WITHIN = 10.0
"""seconds within which a request must begin; between one and two times as long on a connection in use"""


def impatient(seconds: float = HEADERS_WITHIN) -> type[asyncio.Protocol]:
    """Return the HTTP protocol of the server, with an end to its patience."""
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    base: Any = AutoHTTPProtocol

    class Impatient(base):  # type: ignore[misc]  # which protocol it is is decided when uvicorn is imported
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            # asyncio sets it only where the listener names its protocol: else the end of a reply waits 40 ms
            # for the client to say that it has the beginning.
            transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._timer = self.loop.call_later(seconds, self._look, None)

        def connection_lost(self, exc: Exception | None) -> None:
            self._timer.cancel()
            super().connection_lost(exc)

        def _look(self, answered: object) -> None:
            """Close when the last request was answered already when we last looked, and none came since."""
            last = self.cycle
            idle = last is None or last.response_complete
            if idle and last is answered:
                self.transport.close()
                return
            self._timer = self.loop.call_later(seconds, self._look, last if idle else self)

    return Impatient
