"""Those who wait in an event loop for what other threads do."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Protocol


class Waiting(Protocol):
    """Somebody who waits."""

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """Where."""

    @property
    def told(self) -> asyncio.Future[Any]:
        """What they wait for."""


def tell_all(finished: Sequence[tuple[Waiting, Any]]) -> None:
    """Tell those who wait, with one call for each event loop: waking it is dear."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[Waiting, Any]]] = {}
    for one, outcome in finished:
        by_loop.setdefault(one.loop, []).append((one, outcome))
    for loop, those in by_loop.items():
        # A loop that was closed meanwhile has nobody waiting in it.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_tell, those)


def _tell(finished: list[tuple[Waiting, Any]]) -> None:
    for one, outcome in finished:
        if one.told.done():
            continue
        if isinstance(outcome, Exception):
            one.told.set_exception(outcome)
        else:
            one.told.set_result(outcome)
