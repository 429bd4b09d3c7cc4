"""The typed client: the same classes of errors, and questions that survive a lost reply."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import httpx
import pytest

from sfumato.core.errors import BadInput, SfumatoError, SfumatoWarning, SystemFault
from sfumato.query.ledger.contract import BudgetGone, LedgerUnavailable, Suspended
from sfumato.server.client import Client, Unreachable
from sfumato.server.problems import (
    CLASSES,
    KINDS,
    Busy,
    NotAllowed,
    NotKnown,
    ServiceFailed,
    failed,
    kind_of,
    told,
    understood,
)
from tests.server.conftest import COUNT, Service


def client_of(service: Service, who: str = "ana", **more: Any) -> Client:
    return Client(str(service.http.base_url), service.keys.get(who, who), sleep=lambda _: None, **more)


def test_an_analyst_sees_what_there_is_asks_and_sees_what_was_spent(service: Service) -> None:
    with client_of(service) as client:
        assert client.data_sets()[0].name == "clinic"
        assert client.quote(COUNT, epsilon=0.1).measures[0].error == 30.0
        answer = client.ask(COUNT, epsilon=0.1)
        assert answer.columns == ("count",)
        assert answer.price.epsilon == Decimal("0.1")
        assert client.ask(COUNT, epsilon=Decimal("0.10")) == answer
        assert {(one.scope, one.spent) for one in client.budgets()} == {
            ("data set", "0.1"),
            ("analyst", "0.1"),
        }
        past = client.answers()
        assert [one.number for one in past] == [1]
        assert past[0].answer is not None
        assert past[0].answer.rows == [list(row) for row in answer.rows]


def test_problems_come_back_as_the_classes_that_the_database_raises(service: Service) -> None:
    with client_of(service) as client:
        with pytest.raises(BadInput):
            client.ask("SELECT * FROM people", epsilon=1)
        with pytest.raises(BudgetGone):
            client.ask(COUNT, epsilon=5)
        with pytest.raises(NotAllowed):
            client.request("GET", "/v1/log")
        service.call("owner", "POST", "/v1/analysts/ana/suspend")
        with pytest.raises(Suspended):
            client.ask(COUNT, epsilon=1)
    with client_of(service, "nobody") as client, pytest.raises(NotKnown):
        client.data_sets()


def test_every_class_of_problems_survives_the_wire() -> None:
    assert len(CLASSES) == len(KINDS)
    for cls, kind in KINDS.items():
        problem = cls("what happened", where="here", remedy="do this")
        back = understood(dict(told(problem)), kind.status)
        assert type(back) is cls
        assert str(back) == str(problem)
    odd = understood({}, 418)
    assert type(odd) is SfumatoError
    assert "418" in odd.what


class Losing(httpx.BaseTransport):
    """Sends requests on and loses the first replies."""

    def __init__(self, lost: int) -> None:
        self.inner = httpx.HTTPTransport()
        self.lost = lost
        self.sent = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.sent += 1
        reply = self.inner.handle_request(request)
        if self.sent <= self.lost:
            reply.close()
            raise httpx.ReadError("the connection broke")
        return reply


def test_a_question_whose_reply_was_lost_is_repeated_and_costs_once(service: Service) -> None:
    losing = Losing(2)
    with client_of(service, transport=losing) as client:
        answer = client.ask(COUNT, epsilon="0.1")
    assert losing.sent == 3
    assert service.spent("ana") == Decimal("0.1")
    [past] = service.call("ana", "GET", "/v1/answers").json()
    assert past["answer"]["rows"] == [list(row) for row in answer.rows]


def test_a_service_that_is_away_is_said_so_after_some_tries(service: Service) -> None:
    losing = Losing(100)
    with client_of(service, transport=losing, tries=3) as client, pytest.raises(Unreachable):
        client.ask(COUNT, epsilon="0.1")
    assert losing.sent == 3


@pytest.mark.parametrize("problem", [Busy("full"), LedgerUnavailable("locked")])
def test_a_busy_service_is_asked_again(problem: SfumatoError) -> None:
    replies = [httpx.Response(503, json=told(problem)), httpx.Response(200, json=[])]
    slept: list[float] = []
    transport = httpx.MockTransport(lambda request: replies.pop(0))
    with Client("http://127.0.0.1", "k", transport=transport, sleep=slept.append) as client:
        assert client.data_sets() == []
    assert slept == [1]


def test_what_changes_something_is_not_repeated() -> None:
    replies = [httpx.Response(503, json=told(Busy("full")))]
    transport = httpx.MockTransport(lambda request: replies.pop(0))
    with Client("http://127.0.0.1", "k", transport=transport) as client, pytest.raises(Busy):
        client.request("POST", "/v1/analysts/ana/rotate")


def test_a_reply_that_is_no_json_is_told_by_its_status() -> None:
    transport = httpx.MockTransport(lambda request: httpx.Response(502, text="<h1>Bad gateway"))
    with (
        Client("http://127.0.0.1", "k", transport=transport) as client,
        pytest.raises(SfumatoError, match="502"),
    ):
        client.data_sets()


def test_numbers_travel_as_they_are_written() -> None:
    seen: list[bytes] = []

    def reply(request: httpx.Request) -> httpx.Response:
        seen.append(request.content)
        return httpx.Response(400, json=told(BadInput("no")))

    with Client("http://127.0.0.1", "k", transport=httpx.MockTransport(reply)) as client:
        with pytest.raises(BadInput):
            client.ask("q", epsilon=0.1, delta=1e-9)
        with pytest.raises(BadInput, match="finite"):
            client.ask("q", epsilon=float("nan"))
    assert [b'"epsilon":"0.1"' in body and b'"delta":"0.000000001"' in body for body in seen] == [True]


def test_an_address_without_a_scheme_is_refused_and_one_without_tls_is_warned_of() -> None:
    with pytest.raises(BadInput, match="http"):
        Client("example.org", "k")
    with pytest.warns(SfumatoWarning, match="in the clear"):
        Client("http://numbers.example.org", "k").close()
    Client("https://numbers.example.org", "k").close()


def test_surroundings_of_the_service_are_no_business_of_those_who_ask() -> None:
    full = SystemFault("the disk is full", where="/srv/ward/temporary", remedy="make room there")
    assert kind_of(full).status == 500
    assert told(full) == told(failed())
    assert isinstance(understood({**told(full)}, 500), ServiceFailed)
