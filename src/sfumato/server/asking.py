"""The endpoints of analysts: what there is, what it costs, and the answers."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import TypeAdapter

from sfumato.query.answer_text import text_of
from sfumato.query.database import Pending, price_of
from sfumato.server.auth import Caller
from sfumato.server.house import Anybody, Asking, House, TheHouse, Trying, arrived_at
from sfumato.server.wire import AnswerOut, AskBody, BudgetOut, DataSetOut, PastAnswer, QuoteOut

router = APIRouter(prefix="/v1")
JSON = "application/json"
LONG = 20_000
"""letters of an answer from which on it is read and written aside: the event loop is everybody's"""
_PAGE = TypeAdapter(list[PastAnswer])


@router.get("/data-sets")
async def data_sets(house: TheHouse, caller: Anybody) -> list[DataSetOut]:
    """What is public of each data set."""
    return [DataSetOut.of(base.metadata, base.window) for base in house.databases.values()]


@router.get("/data-sets/{name:path}")
async def data_set(name: str, house: TheHouse, caller: Anybody) -> DataSetOut:
    """What is public of one data set."""
    base = house.database(name)
    return DataSetOut.of(base.metadata, base.window)


@router.post("/quote")
async def quote(body: AskBody, house: TheHouse, caller: Trying) -> QuoteOut:
    """The price of a question and the error to expect, from metadata alone."""
    base = house.database(body.data_set)
    return QuoteOut.of(await house.free(caller, lambda: base.quote(body.sql, **body.offer)))


@router.post("/try", response_model=AnswerOut)
async def try_out(body: AskBody, house: TheHouse, caller: Trying) -> Response:
    """An answer made from dummy data: nothing is charged and nothing of it is true."""
    base = house.database(body.data_set)
    text = await house.free(caller, lambda: text_of(base.try_out(body.sql, **body.offer)))
    return Response(text, media_type=JSON)


@router.post("/ask", response_model=AnswerOut)
async def ask(request: Request, body: AskBody, house: TheHouse, caller: Asking) -> Response:
    """Ask, pay, and get the noisy answer. The same question again is free and has the same answer.

    The reply leaves at a whole tick after arrival, whatever it says.
    """
    return Response(await answered(house, caller, body, arrived_at(request)), media_type=JSON)


async def answered(house: House, caller: Caller, body: AskBody, arrived: float) -> str:
    """Return the answer to a question, or refuse it, at a whole tick after arrival."""
    with house.unheard.reply_to(caller.name):
        try:
            base = house.database(body.data_set)
            understood: list[Pending] = []

            def prepare() -> Pending:
                # The ledger knows the analyst's group from the account.
                understood.append(base.prepare(caller.name, body.sql, price_of(**body.offer)))
                return understood[0]

            text = await house.cashier.answer(caller.name, prepare, lambda pending, _: base.run(pending))
            if len(text) < LONG:
                return base.told(understood[0], text)
            # By those who answer, not by those who audit.
            workers = house.cashier.pool
            return await asyncio.get_running_loop().run_in_executor(workers, base.told, understood[0], text)
        finally:
            await house.raster.hold(arrived)


@router.get("/budgets")
async def budgets(
    house: TheHouse, caller: Asking, data_set: Annotated[str | None, Query(max_length=200)] = None
) -> list[BudgetOut]:
    """The budgets that my questions are charged to."""
    chosen = [house.database(data_set)] if data_set is not None else list(house.databases.values())
    return await house.aside(
        lambda: [
            one
            for base in chosen
            for one in house.books.budgets_of(caller.name, base.metadata.data_set, base.window)
        ]
    )


@router.get("/answers", response_model=list[PastAnswer])
async def answers(
    house: TheHouse,
    caller: Asking,
    after: Annotated[int, Query(ge=0, lt=2**63)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """My past questions and their answers, the oldest first; not those whose reply is still on its way.

    A page ends early when its answers are long: go on after its last number.
    """
    before = house.unheard.since(caller.name)
    text = await house.aside(
        lambda: _PAGE.dump_json(house.books.answers_of(caller.name, after, limit, before))
    )
    return Response(text, media_type=JSON)
