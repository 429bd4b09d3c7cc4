"""The service as an ASGI application."""

from __future__ import annotations

import html
import logging
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException

from sfumato.__about__ import __version__
from sfumato.core.errors import BadInput, SfumatoError
from sfumato.dp.exact import as_decimal, exact
from sfumato.query.cost import measured_pace
from sfumato.query.database import Database
from sfumato.query.ledger.contract import Budget
from sfumato.query.ledger.sql_ledger import SqlLedger, now
from sfumato.server import asking, auditing, owning
from sfumato.server.allowance import Allowance
from sfumato.server.auth import Doorkeeper
from sfumato.server.books import Books
from sfumato.server.cashier import Cashier
from sfumato.server.departures import Departures
from sfumato.server.house import BEARER, House
from sfumato.server.limits import App, Limits, headers_of
from sfumato.server.oidc import Tokens
from sfumato.server.problems import NotThere, failed, kind_of, told
from sfumato.server.settings import LONGEST_BODY, Settings
from sfumato.server.shortcut import Shortcut
from sfumato.server.timing import Raster, Unheard
from sfumato.server.wire import Problem

log = logging.getLogger("sfumato.server")
_STATUSES = {
    400: "bad question",
    401: "not known",
    403: "not allowed",
    413: "too long",
    429: "too many",
    503: "busy",
}
_PAGE_HEADERS = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}


def create_app(
    databases: Mapping[str, Database],
    ledger: SqlLedger,
    settings: Settings | None = None,
    *,
    usual: tuple[Budget, ...] = (),
) -> App:
    """Make the application; the data sets share one ledger. ``usual`` are budgets of new analysts."""
    chosen = settings or Settings()
    books = Books(ledger, usual)
    raster = Raster(chosen.tick_ms / 1000)
    if raster.tick:
        pace = chosen.pace or measured_pace()
        for base in databases.values():
            base.pace = pace
    house = House(
        databases=databases,
        books=books,
        doorkeeper=Doorkeeper(
            books, None if chosen.oidc is None else Tokens(chosen.oidc), seconds=chosen.key_seconds
        ),
        cashier=Cashier(
            ledger,
            workers=chosen.workers,
            most_waiting=chosen.most_waiting,
            most_waiting_of_one=chosen.most_waiting_of_one,
            batch=chosen.batch,
            raster=raster,
        ),
        raster=raster,
        unheard=Unheard(now),
        allowance=Allowance(
            exact(as_decimal(chosen.least_epsilon, where="least_epsilon")),
            chosen.questions_per_day,
            books.charged_since,
        ),
        others=ThreadPoolExecutor(chosen.workers, thread_name_prefix="sfumato-other"),
        tokens=ThreadPoolExecutor(2, thread_name_prefix="sfumato-token"),
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        house.close()

    app = FastAPI(
        title="Sfumato",
        summary="A statistical database: answers are noisy, and a budget ends the conversation.",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        responses={status: {"model": Problem, "description": text} for status, text in _STATUSES.items()},
    )
    app.state.house = house
    for router in (asking.router, owning.router, auditing.router):
        app.include_router(router, dependencies=[Depends(BEARER)])
    app.add_exception_handler(SfumatoError, _said)
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.add_exception_handler(HTTPException, _not_there)
    app.add_exception_handler(Exception, _failed)
    app.add_api_route("/", _page, include_in_schema=False)
    short = Shortcut(app, house)
    return Limits(Departures(short, raster), longest=LONGEST_BODY, seconds=chosen.body_seconds)


async def _said(_: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, SfumatoError)
    return JSONResponse(told(problem), kind_of(problem).status, headers_of(problem))


async def _not_understood(request: Request, problem: Exception) -> JSONResponse:
    """Say which part of a body is wrong; never what stood there."""
    assert isinstance(problem, RequestValidationError)
    first = problem.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if not isinstance(part, int))
    what = "this is not JSON" if first["type"] == "json_invalid" else str(first["msg"])
    return await _said(request, BadInput(what[:200], where=where[:200], remedy="see /openapi.json"))


async def _not_there(request: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, HTTPException)
    if problem.status_code in (404, 405):
        return await _said(request, NotThere("there is nothing here", remedy="see /openapi.json"))
    return await _said(request, BadInput("this cannot be read", where="body", remedy="send JSON"))


async def _failed(request: Request, problem: Exception) -> JSONResponse:
    """Say nothing of failures of ours; the framework raises them again, and ``Limits`` logs their type."""
    return await _said(request, failed())


async def _page(request: Request) -> HTMLResponse:
    """A page that lists what there is; everything on it comes from here."""
    schema: dict[str, Any] = request.app.openapi()
    rows = [
        f"<tr><td><code>{method.upper()} {html.escape(path)}</code><td>{html.escape(told['description'])}"
        for path, methods in schema["paths"].items()
        for method, told in methods.items()
    ]
    text = (
        "<!doctype html><html lang=en><meta charset=utf-8><title>Sfumato</title>"
        "<style>body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
        "td{padding:.2em 1em .2em 0;vertical-align:top}</style>"
        f"<h1>Sfumato {__version__}</h1><p>A statistical database. Ask with a key in the header "
        "<code>Authorization: Bearer …</code>; the schema is <a href=/openapi.json>/openapi.json</a>."
        f"<table>{''.join(rows)}</table></html>"
    )
    return HTMLResponse(text, headers=_PAGE_HEADERS)
