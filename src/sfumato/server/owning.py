"""The endpoints of owners: who may ask, what they may spend, and what happened."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query

from sfumato.server.house import Overseeing, Owning, TheHouse
from sfumato.server.wire import (
    AddAnalyst,
    AlertOut,
    AnalystOut,
    BreachOut,
    BudgetOut,
    HeadOut,
    KeyOut,
    Rotate,
    SetBudget,
)

router = APIRouter(prefix="/v1")


@router.get("/analysts")
async def analysts(house: TheHouse, caller: Owning) -> list[AnalystOut]:
    """Everybody who may use the service."""
    return await house.aside(house.books.analysts)


@router.post("/analysts", status_code=201)
async def add(body: AddAnalyst, house: TheHouse, caller: Owning) -> KeyOut:
    """Add somebody; the key is shown this once."""
    return await house.aside(lambda: house.books.add(body, by=caller.name))


@router.post("/analysts/{name:path}/rotate")
async def rotate(name: str, house: TheHouse, caller: Owning, body: Rotate | None = None) -> KeyOut:
    """Replace a key; the old one ends, the new one is shown this once."""
    expires = None if body is None else body.expires
    key = await house.aside(lambda: house.books.rotate(name, expires=expires, by=caller.name))
    house.doorkeeper.forget()
    return key


@router.post("/analysts/{name:path}/suspend")
async def suspend(name: str, house: TheHouse, caller: Owning) -> AnalystOut:
    """Stop somebody, at once."""
    found = await house.aside(lambda: house.books.suspend(name, by=caller.name))
    house.doorkeeper.forget()
    return found


@router.post("/analysts/{name:path}/resume")
async def resume(name: str, house: TheHouse, caller: Owning) -> AnalystOut:
    """Let somebody go on who was stopped."""
    return await house.aside(lambda: house.books.resume(name, by=caller.name))


@router.get("/all-budgets")
async def all_budgets(
    house: TheHouse, caller: Overseeing, data_set: Annotated[str | None, Query(max_length=200)] = None
) -> list[BudgetOut]:
    """Every budget and what was spent of it."""
    return await house.aside(lambda: house.books.all_budgets(data_set))


@router.put("/all-budgets")
async def set_budget(body: SetBudget, house: TheHouse, caller: Owning) -> BudgetOut:
    """Set what a data set, a group or an analyst may spend; what was spent stays spent."""
    window = house.database(body.data_set).window if body.window is None else body.window
    chosen = body.model_copy(update={"window": window})
    return await house.aside(lambda: house.books.set_budget(chosen, by=caller.name))


@router.get("/alerts")
async def alerts(house: TheHouse, caller: Owning) -> list[AlertOut]:
    """Patterns of attack that the log shows."""
    public = {name: base.metadata for name, base in house.databases.items()}
    return await house.aside(lambda: house.books.alerts(public))


@router.get("/breach")
async def breach(
    house: TheHouse,
    caller: Owning,
    analyst: Annotated[str | None, Query(max_length=200)] = None,
    data_set: Annotated[str | None, Query(max_length=200)] = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> BreachOut:
    """What was answered to whom; which people it may concern is never listed."""
    return await house.aside(lambda: house.books.breach(analyst, data_set, since, until))


@router.get("/log/head")
async def head(house: TheHouse, caller: Overseeing) -> HeadOut:
    """The end of the log: keep it elsewhere, and nothing before it can be changed unseen."""
    return await house.aside(house.books.head)
