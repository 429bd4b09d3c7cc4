"""What a running service holds, and how its endpoints get at it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Annotated, TypeVar

from fastapi import Depends, Request
from fastapi.security import HTTPBearer

from sfumato.core.errors import BadInput, nearest
from sfumato.query.database import Database
from sfumato.query.ledger.accounts import Role
from sfumato.server.allowance import Allowance
from sfumato.server.auth import Caller, Doorkeeper, is_key
from sfumato.server.books import Books
from sfumato.server.cashier import Cashier
from sfumato.server.departures import REPLY
from sfumato.server.problems import NotThere
from sfumato.server.timing import Raster, Reply, Unheard

Result = TypeVar("Result")


@dataclass(frozen=True)
class House:
    """The service: its data sets, its ledger, and who guards them."""

    databases: Mapping[str, Database]
    books: Books
    doorkeeper: Doorkeeper
    cashier: Cashier
    raster: Raster
    unheard: Unheard
    allowance: Allowance
    others: ThreadPoolExecutor
    """threads for all that is no question, so that a long audit holds up nobody's answer"""
    tokens: ThreadPoolExecutor
    """threads that read tokens: an issuer that does not answer must not hold up those who have a key"""

    def database(self, name: str | None) -> Database:
        """Return a data set by name; without one, the only one there is."""
        if name is None:
            if len(self.databases) == 1:
                return next(iter(self.databases.values()))
            raise BadInput("which data set?", where="data_set", remedy=nearest("", self.databases))
        if name not in self.databases:
            raise NotThere(
                "there is no such data set", where="data_set", remedy=nearest(name, self.databases)
            )
        return self.databases[name]

    async def aside(self, work: Callable[[], Result]) -> Result:
        """Do something that waits for the ledger or takes a while, in another thread."""
        return await asyncio.get_running_loop().run_in_executor(self.others, work)

    def close(self) -> None:
        """End the threads."""
        self.cashier.close()
        self.others.shutdown()
        self.tokens.shutdown()


async def house_of(request: Request) -> House:
    """Return the service that a request came to (async, or the framework would take a thread for it)."""
    house: House = request.app.state.house
    return house


def reply_of(request: Request) -> Reply:
    """Return the reply that is on its way to a request."""
    reply: Reply = request.scope[REPLY]
    return reply


async def recognised(house: House, header: str | None) -> Caller:
    """Return who sends this ``Authorization`` header, or refuse."""
    caller = house.doorkeeper.remembered(header)
    if caller is None:
        pool = None if is_key(header) else house.tokens
        loop = asyncio.get_running_loop()
        caller = await loop.run_in_executor(pool, house.doorkeeper.recognise, header)
    return caller


def only(*roles: Role) -> Callable[[Request], Awaitable[Caller]]:
    """Make a guard that lets some roles through; every endpoint below ``/v1`` has one."""

    async def guard(request: Request) -> Caller:
        house = await house_of(request)
        caller = await recognised(house, request.headers.get("authorization"))
        return caller.must_be(*roles)

    return guard


TheHouse = Annotated[House, Depends(house_of)]
Anybody = Annotated[Caller, Depends(only(*Role))]
Asking = Annotated[Caller, Depends(only(Role.ANALYST))]
Trying = Annotated[Caller, Depends(only(Role.ANALYST, Role.OWNER))]
Owning = Annotated[Caller, Depends(only(Role.OWNER))]
Auditing = Annotated[Caller, Depends(only(Role.AUDITOR))]
Overseeing = Annotated[Caller, Depends(only(Role.OWNER, Role.AUDITOR))]
BEARER = HTTPBearer(auto_error=False, description="an API key (sfu_…) or a token of the identity provider")
