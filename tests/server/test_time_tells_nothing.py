"""What an analyst can read has no time that data decide, and nothing of what others asked."""

from __future__ import annotations

import asyncio
import socket
import time
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from sfumato.dp.price import Price
from sfumato.query import database as database_module
from sfumato.query.ledger.audit import verify_chain
from sfumato.query.ledger.contract import Asked, Charged
from sfumato.server.departures import Departures
from sfumato.server.limits import Message
from sfumato.server.patience import impatient
from sfumato.server.settings import Settings
from sfumato.server.timing import Raster
from tests.server.conftest import COUNT, Make, Service, serve_with


def test_a_past_answer_tells_the_second_of_its_arrival_and_not_when_it_was_charged(service: Service) -> None:
    begun = time.time()
    assert service.ask("ana").is_success
    told = service.call("ana", "GET", "/v1/answers").json()[0]["when"]
    when = datetime.fromisoformat(told)
    assert when.microsecond == 0
    assert int(begun) <= when.timestamp() <= time.time()
    # A question that came in the year 1970 and is charged only now, and one of an older ledger.
    price = Price.pure("0.01")
    for question, arrived in (("came early", 1000), ("of old", None)):
        service.ledger.charge([Asked("ben", "", "clinic", "", "1", question, price, arrived)])
    early, old = (
        datetime.fromisoformat(one["when"]) for one in service.call("ben", "GET", "/v1/answers").json()
    )
    assert early == datetime(1970, 1, 1, 0, 16, 40, tzinfo=UTC)
    assert old.microsecond == 0
    assert old.timestamp() >= int(begun)


def test_the_same_question_is_the_same_whenever_it_comes(service: Service) -> None:
    price = Price.pure("0.01")
    first, again = (
        service.ledger.charge([Asked("ben", "", "clinic", "", "1", "q", price, arrived)])[0]
        for arrived in (1000, 2000)
    )
    assert isinstance(first, Charged)
    assert isinstance(again, Charged)
    assert (first.fresh, again.fresh, again.spend) == (True, False, first.spend)
    assert verify_chain(service.ledger).holds


@pytest.mark.parametrize("path", ["/v1/quote", "/v1/try", "/v1/ask"])
def test_what_one_analyst_asked_is_not_remembered_for_another(
    service: Service, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    understood: list[str] = []
    understand = database_module.understand

    def watched(sql: str, public: Any) -> Any:
        understood.append(sql)
        return understand(sql, public)

    monkeypatch.setattr(database_module, "understand", watched)
    checked: list[int] = []
    check = database_module.check

    def tried(*given: Any) -> None:
        checked.append(len(given[2]))
        check(*given)

    monkeypatch.setattr(database_module, "check", tried)
    body = {"sql": f"{COUNT} WHERE age > 41", "epsilon": "0.01"}
    for who in ("ana", "ben", "ana", "ben"):
        assert service.call(who, "POST", path, body).is_success
    assert len(understood) == 2, "each of them once"
    assert checked == [0, 0], "nor did ben find statements that were read for ana"


def test_statements_that_were_read_by_the_engine_are_not_remembered_for_others(service: Service) -> None:
    service.ask("ana", f"{COUNT} WHERE age > 41", "0.01")
    base = service.database
    assert len(base._memory("ana").parsed) > 0
    assert len(base._memory("ben").parsed) == 0


REQUESTS: dict[str, tuple[str | None, str, str, Any]] = {
    "an answer": ("ana", "POST", "/v1/ask", {"sql": COUNT, "epsilon": "0.01"}),
    "the same again": ("ana", "POST", "/v1/ask", {"sql": COUNT, "epsilon": "0.01"}),
    "a budget that does not reach": ("ana", "POST", "/v1/ask", {"sql": COUNT, "epsilon": "5"}),
    "no question": ("ana", "POST", "/v1/ask", {"sql": "SELECT", "epsilon": "1"}),
    "too small a price": ("ana", "POST", "/v1/ask", {"sql": COUNT, "epsilon": "1e-9"}),
    "no body": ("ana", "POST", "/v1/ask", None),
    "a data set that is not there": ("ana", "POST", "/v1/ask", {"sql": COUNT, "data_set": "x"}),
    "a quote": ("ana", "POST", "/v1/quote", {"sql": COUNT, "epsilon": "0.01"}),
    "a trial": ("ana", "POST", "/v1/try", {"sql": COUNT, "epsilon": "0.01"}),
    "budgets": ("ana", "GET", "/v1/budgets", None),
    "past answers": ("ana", "GET", "/v1/answers", None),
    "data sets": ("ana", "GET", "/v1/data-sets", None),
    "nobody": (None, "POST", "/v1/ask", {"sql": COUNT, "epsilon": "0.01"}),
    "another role": ("owner", "POST", "/v1/ask", {"sql": COUNT, "epsilon": "0.01"}),
    "nothing there": ("ana", "GET", "/nothing", None),
    "the page": (None, "GET", "/", None),
}


def test_no_reply_leaves_before_a_tick_whatever_it_says(make: Make) -> None:
    tick = 0.08
    service = make(Settings(tick_ms=1000 * tick))
    for name, (who, method, path, body) in REQUESTS.items():
        begun = time.monotonic()
        reply = service.call(who, method, path, body)
        assert time.monotonic() - begun >= tick, (name, reply.text)


def test_a_failure_is_held_like_an_answer() -> None:
    async def broken(*_: Any) -> None:
        raise RuntimeError

    async def never(*_: Any) -> Any:
        raise AssertionError

    begun = time.monotonic()
    with pytest.raises(RuntimeError):
        asyncio.run(Departures(broken, Raster(0.05))({"type": "http"}, never, never))
    assert time.monotonic() - begun >= 0.05


def test_what_lasts_until_a_reply_has_left_ends_even_when_nothing_is_sent() -> None:
    ended: list[str] = []

    async def silent(scope: Message, *_: Any) -> None:
        scope["sfumato.reply"].until_left.callback(lambda: ended.append("now"))

    async def never(*_: Any) -> Any:
        raise AssertionError

    asyncio.run(Departures(silent, Raster(0))({"type": "http"}, never, never))
    assert ended == ["now"]


def test_a_reply_is_sent_without_waiting_for_the_client_to_confirm_its_beginning() -> None:
    found: list[int] = []

    class Watched(impatient()):  # type: ignore[misc]
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            line = transport.get_extra_info("socket")
            found.append(line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    async def app(scope: Message, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    url, stop = serve_with(app, Watched)
    try:
        assert httpx.get(url).status_code == 204
    finally:
        stop()
    assert found == [1]
