"""The last owner stays, and keys end: over HTTP and in the memory of the doorkeeper."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest

from sfumato.query.ledger.accounts import Accounts, Role
from sfumato.server.auth import Doorkeeper
from sfumato.server.client import Client
from sfumato.server.remote import RemoteBooks
from sfumato.server.settings import Settings
from sfumato.server.wire import AddAnalyst
from tests.server.conftest import Make, Service
from tests.server.test_auth import Trusting


def test_the_last_owner_cannot_suspend_itself_and_goes_on(service: Service) -> None:
    reply = service.call("owner", "POST", "/v1/analysts/owner/suspend")
    assert reply.status_code == 400
    assert reply.json()["what"].startswith("this is the last owner with a key that does not expire")
    assert reply.json()["remedy"] == "add another owner first"
    assert service.call("owner", "GET", "/v1/analysts").is_success


def test_one_of_two_owners_may_go_and_the_other_may_not(service: Service) -> None:
    other = service.call("owner", "POST", "/v1/analysts", {"name": "otto", "role": "owner"}).json()["key"]
    assert service.call(other, "POST", "/v1/analysts/owner/suspend").is_success
    assert service.call("owner", "GET", "/v1/analysts").status_code == 403
    assert service.call(other, "POST", "/v1/analysts/otto/suspend").status_code == 400
    assert service.call(other, "GET", "/v1/analysts").is_success


def test_an_owner_whose_key_ends_is_no_second_one(service: Service) -> None:
    body = {"name": "otto", "role": "owner", "expires": "1d"}
    other = service.call("owner", "POST", "/v1/analysts", body).json()["key"]
    assert service.call(other, "POST", "/v1/analysts/owner/suspend").status_code == 400
    assert service.call("owner", "POST", "/v1/analysts/owner/rotate", {"expires": "1d"}).status_code == 400
    assert service.call("owner", "GET", "/v1/analysts").is_success, "what is refused ends no key"


def test_the_last_owner_may_have_a_new_key(service: Service) -> None:
    fresh = service.call("owner", "POST", "/v1/analysts/owner/rotate").json()["key"]
    assert service.call("owner", "GET", "/v1/analysts").status_code == 401
    assert service.call(fresh, "GET", "/v1/analysts").is_success


def test_an_expired_key_is_refused_in_the_words_of_an_unknown_one(make: Make) -> None:
    service = make(Settings(tick_ms=0, key_seconds=60))
    ends = datetime.now(UTC) + timedelta(seconds=1.5)
    made = service.call("owner", "POST", "/v1/analysts", {"name": "cy", "expires": ends.isoformat()}).json()
    assert datetime.fromisoformat(made["expires"]) == ends
    assert service.call(made["key"], "GET", "/v1/data-sets").is_success
    listed = service.call("owner", "GET", "/v1/analysts").json()
    assert {one["name"]: one["expires"] for one in listed}["cy"] == made["expires"]
    time.sleep(max(0.0, (ends - datetime.now(UTC)).total_seconds()) + 0.01)
    expired = service.call(made["key"], "GET", "/v1/data-sets")
    unknown = service.call("sfu_0000000000000000_" + "0" * 64, "GET", "/v1/data-sets")
    assert (expired.status_code, expired.json()) == (401, unknown.json())
    assert service.ask(made["key"]).status_code == 401
    refused = service.call("owner", "POST", "/v1/analysts/cy/rotate")
    assert "has expired, and so would the new one" in refused.json()["what"]
    fresh = service.call("owner", "POST", "/v1/analysts/cy/rotate", {"expires": "never"}).json()
    assert fresh["expires"] is None
    assert service.call(fresh["key"], "GET", "/v1/data-sets").is_success


@pytest.mark.parametrize("left", [0.25, 1.0, 3.0])
def test_a_key_that_was_checked_is_believed_no_longer_than_it_holds(service: Service, left: float) -> None:
    ticks = [100.0]
    wall = service.ledger.moment()
    accounts = Accounts(service.ledger)
    expires = wall + 3600 * 10**6
    key = accounts.add("cy", expires=expires)
    keeper = Doorkeeper(
        Trusting(accounts),
        seconds=1.0,
        clock=lambda: ticks[0],
        wall=lambda: expires - int(left * 10**6),
    )
    header = f"Bearer {key}"
    assert keeper.recognise(header).role is Role.ANALYST
    ticks[0] = 100 + min(1.0, left) - 0.001
    assert keeper.remembered(header) is not None
    ticks[0] = 100 + min(1.0, left)
    assert keeper.remembered(header) is None


@pytest.mark.parametrize("wrong", ["yesterday", "0d", "2020-01-01", "", "x" * 50, 90])
def test_an_end_that_is_none_is_refused_and_nobody_is_added(service: Service, wrong: object) -> None:
    reply = service.call("owner", "POST", "/v1/analysts", {"name": "cy", "expires": wrong})
    assert (reply.status_code, reply.json()["code"]) == (400, "bad-input")
    assert "cy" not in service.call("owner", "GET", "/v1/analysts").text


def test_the_books_of_a_service_elsewhere_know_ends_too(service: Service) -> None:
    with Client(str(service.http.base_url), service.keys["owner"]) as client:
        books = RemoteBooks(client)
        made = books.add(AddAnalyst(name="cy", expires="90d"))
        assert made.expires is not None
        assert timedelta(days=89) < made.expires - datetime.now(UTC) <= timedelta(days=90)
        assert books.rotate("cy").expires == made.expires
        assert books.rotate("cy", expires="2099-12-31").expires == datetime(2099, 12, 31, tzinfo=UTC)
        assert books.rotate("cy", expires="never").expires is None
