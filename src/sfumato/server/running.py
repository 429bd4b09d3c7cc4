"""Bringing the service up: a socket, TLS when there is a certificate, and logs that hold no data."""

from __future__ import annotations

import gc
import ipaddress
import logging
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput

if TYPE_CHECKING:
    import uvicorn

    from sfumato.server.limits import App

LEAVE_WITHIN = 30
"""seconds that requests under way are given when the service is asked to stop"""
SWITCH = 0.0005
"""seconds after which a thread that holds the interpreter hands it on"""
MOST_CONNECTIONS = 4000
"""more are answered with 503 at once"""


@dataclass(frozen=True)
class Address:
    """Where to listen; ``port`` 0 takes any that is free."""

    host: str = "127.0.0.1"
    port: int = 8000
    certificate: Path | None = None
    key: Path | None = None

    def __post_init__(self) -> None:
        if (self.certificate is None) != (self.key is None):
            raise BadInput("TLS needs a certificate and its key", where="certificate", remedy="give both")
        for path in (self.certificate, self.key):
            if path is not None and not path.is_file():
                raise BadInput("there is no such file", where=str(path))

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach it.

        >>> Address("127.0.0.1").loopback, Address("0.0.0.0").loopback, Address("localhost").loopback
        (True, False, True)
        """
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def warning(self) -> str:
        """What to think of before others can reach it; '' when there is nothing."""
        if self.loopback or self.certificate is not None:
            return ""
        return (
            f"the service listens on {self.host} without TLS: whoever can see the network can read keys, "
            "questions and answers; give --certificate and --key, or listen on 127.0.0.1 behind a proxy "
            "that speaks TLS"
        )


class _TypesOnly(logging.Formatter):
    """Writes the type of an error and never its message or its traceback: both may quote data."""

    def format(self, record: logging.LogRecord) -> str:
        kind = record.exc_info[0] if record.exc_info else None
        if kind is not None:
            return f"{record.levelname}: {kind.__name__}"
        return f"{record.levelname}: {record.getMessage().splitlines()[0]}"


def quiet_logs() -> None:
    """Send warnings of the service and of its HTTP server to standard error, without data."""
    handler = logging.StreamHandler()
    handler.setFormatter(_TypesOnly())
    for name in ("sfumato.server", "uvicorn", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(logging.WARNING)


def _server(config: uvicorn.Config) -> uvicorn.Server:
    """Make a server that takes SIGHUP for what it is, and sends itself no second signal when it has left.

    A second signal is somebody who does not want to wait any longer.
    """
    import uvicorn

    class Server(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            """Leave gracefully after the first signal, and put the earlier handlers back."""
            if threading.current_thread() is not threading.main_thread():
                yield
                return
            stops = [signal.SIGINT, signal.SIGTERM]
            # Under ``nohup`` the hang-up is ignored, and the service is meant to go on without its terminal.
            if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
                stops.append(signal.SIGHUP)
            earlier = {number: signal.signal(number, self.handle_exit) for number in stops}
            try:
                yield
            finally:
                for number, handler in earlier.items():
                    signal.signal(number, handler)

    return Server(config)


def listen(app: App, address: Address, ready: Callable[[str], None]) -> None:
    """Serve until told to stop; ``ready`` is told the address once connections are taken."""
    import uvicorn

    from sfumato.server.patience import impatient

    try:
        family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
        listener = socket.create_server((address.host, address.port), family=family, backlog=1024)
    except OSError:
        raise BadInput(
            "the service cannot listen there",
            where=f"{address.host}:{address.port}",
            remedy="try another port",
        ) from None
    quiet_logs()
    # A thread that computes gives way to the event loop within half a millisecond.
    sys.setswitchinterval(SWITCH)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        http=impatient(),
        ws="none",
        lifespan="on",
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=LEAVE_WITHIN,
        ssl_certfile=address.certificate,
        ssl_keyfile=address.key,
    )
    scheme = "http" if address.certificate is None else "https"
    host = f"[{address.host}]" if ":" in address.host else address.host
    # All that was loaded stays: looking through it for garbage again and again would slow down every answer.
    gc.collect()
    gc.freeze()
    try:
        ready(f"{scheme}://{host}:{listener.getsockname()[1]}")
        _server(config).run(sockets=[listener])
    except KeyboardInterrupt:
        # Told to stop before it began, or after it finished what was under way.
        return
    finally:
        gc.unfreeze()
        listener.close()
