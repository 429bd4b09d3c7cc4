"""The endpoints of auditors: the log as it is, and whether it holds."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from sfumato.server.house import Auditing, Overseeing, TheHouse
from sfumato.server.wire import AuditOut, LogEntry

router = APIRouter(prefix="/v1")


@router.get("/log")
async def log(
    house: TheHouse,
    caller: Auditing,
    after: Annotated[int, Query(ge=0, lt=2**63)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> list[LogEntry]:
    """A page of the log; answers are in it by their hashes alone. A page that grows long ends early."""
    return await house.aside(lambda: house.books.log(after, limit))


@router.get("/verify")
async def verify(
    house: TheHouse, caller: Overseeing, head: Annotated[str | None, Query(max_length=100)] = None
) -> AuditOut:
    """Recompute the chain and every budget; with a head that was kept, also that nothing was cut off."""
    return await house.aside(lambda: house.books.verify(head))
