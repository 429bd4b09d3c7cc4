"""The endpoints of analysts: what there is, what it costs, and the answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import APIRouter, Query, Request, Response
from pydantic import TypeAdapter

from sfumato.dp.price import Price
from sfumato.query.answer_text import text_of
from sfumato.query.cost import Cost
from sfumato.query.database import Pending, price_of
from sfumato.server.auth import Caller
from sfumato.server.books import SECOND
from sfumato.server.house import Anybody, Asking, House, TheHouse, Trying, reply_of
from sfumato.server.timing import Reply
from sfumato.server.wire import AnswerOut, AskBody, BudgetOut, DataSetOut, PastAnswer, QuoteOut

router = APIRouter(prefix="/v1")
Result = TypeVar("Result")
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
async def quote(request: Request, body: AskBody, house: TheHouse, caller: Trying) -> QuoteOut:
    """The price of a question and the error to expect, from metadata alone."""
    base = house.database(body.data_set)

    def work() -> tuple[QuoteOut, Cost]:
        price = allowed(house, caller, body)
        quoted = QuoteOut.of(base.quote(body.sql, analyst=caller.name, **body.offer))
        return quoted, Cost(preparing=base.cost(caller.name, body.sql, price).preparing)

    return await free(house, caller, body, reply_of(request), work)


@router.post("/try", response_model=AnswerOut)
async def try_out(request: Request, body: AskBody, house: TheHouse, caller: Trying) -> Response:
    """An answer made from dummy data: nothing is charged and nothing of it is true."""
    base = house.database(body.data_set)

    def work() -> tuple[str, Cost]:
        price = allowed(house, caller, body)
        text = text_of(base.try_out(body.sql, analyst=caller.name, **body.offer))
        return text, base.cost(caller.name, body.sql, price, dummy=True)

    return Response(await free(house, caller, body, reply_of(request), work), media_type=JSON)


async def free(
    house: House, caller: Caller, body: AskBody, reply: Reply, work: Callable[[], tuple[Result, Cost]]
) -> Result:
    """Do something for an analyst that costs no budget, and let it end at a class of ticks."""
    reply.classes = True
    return await house.cashier.free(caller.name, work, reply=reply, letters=len(body.sql))


def allowed(house: House, caller: Caller, body: AskBody) -> Price:
    """Return the price that is offered, or refuse the question since it is too little or one too many."""
    house.allowance.count(caller.name)
    price = price_of(**body.offer)
    house.allowance.check(price)
    return price


@router.post("/ask", response_model=AnswerOut)
async def ask(request: Request, body: AskBody, house: TheHouse, caller: Asking) -> Response:
    """Ask, pay, and get the noisy answer. The same question again is free and has the same answer.

    The reply leaves at a class of ticks after arrival that metadata and other arrivals decide, whatever it
    says.
    """
    return Response(await answered(house, caller, body, reply_of(request)), media_type=JSON)


async def answered(house: House, caller: Caller, body: AskBody, reply: Reply) -> str:
    """Return the answer to a question, or refuse it; ``reply`` is told when it may leave."""
    reply.classes = reply.answer = True
    came = reply.until_left.enter_context(house.unheard.reply_to(caller.name))
    base = house.database(body.data_set)
    understood: list[Pending] = []

    def prepare() -> Pending:
        price = allowed(house, caller, body)
        # The ledger knows the analyst's group from the account.
        understood.append(base.prepare(caller.name, body.sql, price, arrived=came // SECOND))
        return understood[0]

    text = await house.cashier.answer(
        caller.name,
        prepare,
        lambda pending, _: base.read(pending),
        lambda pending, held: base.tell(pending, held),
        reply=reply,
        letters=len(body.sql),
    )
    if len(text) < LONG:
        return base.told(understood[0], text)
    # By those who answer, not by those who audit.
    workers = house.cashier.telling
    return await asyncio.get_running_loop().run_in_executor(workers, base.told, understood[0], text)


@router.get("/budgets")
async def budgets(
    house: TheHouse, caller: Asking, data_set: Annotated[str | None, Query(max_length=200)] = None
) -> list[BudgetOut]:
    """The budgets that my questions are charged to."""
    chosen = [house.database(data_set)] if data_set is not None else list(house.databases.values())
    return await house.cashier.look(
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
