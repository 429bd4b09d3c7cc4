"""Questions over HTTP: paid once, answered once, and refused in words."""

from __future__ import annotations

import itertools
import json
import logging
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest

from sfumato.query.ledger.audit import verify_chain
from sfumato.query.ledger.contract import LedgerUnavailable
from sfumato.query.ledger.sql_ledger import head_beside
from sfumato.server.settings import Settings
from tests.server.conftest import COUNT, Make, Service


def test_an_answer_is_noisy_charged_and_the_same_when_asked_again(service: Service) -> None:
    first = service.ask("ana")
    assert first.status_code == 200
    assert service.spent("ana") == Decimal("0.1")
    again = service.ask("ana", "select  count( * )  from People", epsilon=0.1)
    assert again.text == first.text
    assert service.spent("ana") == Decimal("0.1")
    service.ask("ben")
    assert service.spent("ben") == Decimal("0.1")
    assert verify_chain(service.ledger).holds


def test_a_stored_answer_has_the_names_that_were_asked_for(service: Service) -> None:
    first = service.ask("ana", "SELECT COUNT(*) AS n FROM people").json()
    again = service.ask("ana", "SELECT COUNT(*) AS everybody FROM people").json()
    assert (first.pop("columns"), again.pop("columns")) == (["n"], ["everybody"])
    assert again == first
    assert service.spent("ana") == Decimal("0.1")


def test_when_the_budget_is_gone_the_service_says_so_and_stops(service: Service) -> None:
    for number in range(10):
        assert service.ask("ana", f"{COUNT} WHERE age > {number}").is_success
    reply = service.ask("ana", f"{COUNT} WHERE age > 50")
    assert (reply.status_code, reply.json()["code"]) == (402, "budget-gone")
    assert service.spent("ana") == 1
    assert service.ask("ana", f"{COUNT} WHERE age > 3").is_success, "what was paid stays there"


def test_the_data_set_has_a_budget_too(service: Service) -> None:
    for who in ("ana", "ben"):
        for number in range(10):
            service.ask(who, f"{COUNT} WHERE age > {number}")
    assert service.spent("clinic") == Decimal("1.5")
    assert service.spent("ana") + service.spent("ben") == Decimal("1.5")


def test_the_last_epsilon_is_given_to_one_of_many_who_race_for_it(make: Make) -> None:
    service = make(limit="0.5")
    questions = [f"{COUNT} WHERE age > {number}" for number in range(30)]
    with ThreadPoolExecutor(10) as pool:
        replies = list(pool.map(lambda sql: service.ask("ana", sql).status_code, questions))
    assert sorted(replies) == [200] * 5 + [402] * 25
    assert service.spent("ana") == Decimal("0.5")
    assert verify_chain(service.ledger).holds


def test_quotes_and_tries_cost_nothing(service: Service) -> None:
    body = {"sql": COUNT, "epsilon": "0.1"}
    quote = service.call("ana", "POST", "/v1/quote", body).json()
    assert (quote["price"]["epsilon"], quote["measures"][0]["error"], quote["cells"]) == ("0.1", 30.0, 1)
    tried = service.call("ana", "POST", "/v1/try", body).json()
    assert tried["dummy"] is True
    assert service.spent("ana") == 0


BAD_BODIES: dict[str, Any] = {
    "nothing": None,
    "a list": [],
    "a text": "SELECT",
    "without sql": {"epsilon": 1},
    "an empty question": {"sql": "", "epsilon": 1},
    "sql of another type": {"sql": 5, "epsilon": 1},
    "without a price": {"sql": COUNT},
    "two prices": {"sql": COUNT, "epsilon": 1, "rho": 1},
    "a negative price": {"sql": COUNT, "epsilon": -1},
    "no price": {"sql": COUNT, "epsilon": 0},
    "true as a price": {"sql": COUNT, "epsilon": True},
    "a list as a price": {"sql": COUNT, "epsilon": [1]},
    "NaN": {"sql": COUNT, "epsilon": "NaN"},
    "infinity": {"sql": COUNT, "epsilon": "Infinity"},
    "a number that fills the memory": {"sql": COUNT, "epsilon": "1e999999999"},
    "a fraction": {"sql": COUNT, "epsilon": "1/3"},
    "letters in a price": {"sql": COUNT, "epsilon": "٣"},
    "more places than the ledger has": {"sql": COUNT, "epsilon": "0.1234567890123456789"},
    "delta too large": {"sql": COUNT, "epsilon": 1, "delta": "0.5"},
    "an unknown key": {"sql": COUNT, "epsilon": 1, "analyst": "ben"},
    "SQL that is not answered": {"sql": "SELECT * FROM people", "epsilon": 1},
    "SQL that is none": {"sql": "DROP TABLE people;", "epsilon": 1},
}


def test_a_bad_body_is_refused_in_words_and_costs_nothing(service: Service) -> None:
    for path in ("/v1/ask", "/v1/quote", "/v1/try"):
        for how, body in BAD_BODIES.items():
            reply = service.call("ana", "POST", path, body)
            assert reply.status_code == 400, (how, reply.text)
            told = reply.json()
            assert set(told) == {"what", "where", "remedy", "code"}, how
            assert told["code"] == "bad-input", how
            assert "Traceback" not in reply.text, how
    assert service.spent("ana") == 0


BAD_BYTES = [
    b"{",
    b"\xff\xfe",
    b'{"sql": "x", "epsilon": NaN}',
    b'{"sql": "x", "epsilon": Infinity}',
    b'{"sql": "x", "epsilon": 1e400}',
    b'{"sql": "x", "epsilon": ' + b"9" * 5000 + b"}",
    b'{"sql": "' + b"[" * 50_000 + b'", "epsilon": 1}',
    b"[" * 50_000,
    b'{"sql": "SELECT \\ud800", "epsilon": 1}',
]


def test_bytes_that_are_no_question_are_refused(service: Service) -> None:
    headers = {"Authorization": f"Bearer {service.keys['ana']}", "content-type": "application/json"}
    for raw in BAD_BYTES:
        reply = service.http.post("/v1/ask", content=raw, headers=headers)
        assert reply.status_code == 400, (raw[:50], reply.text)
    assert service.spent("ana") == 0


def test_ten_megabytes_are_refused(service: Service) -> None:
    reply = service.ask("ana", "SELECT " + "x" * 10_000_000)
    assert (reply.status_code, reply.json()["code"]) == (413, "too-long")
    unknown = service.ask(None, "SELECT " + "x" * 10_000_000)
    assert unknown.status_code == 413


def test_a_data_set_that_is_not_there_is_told(service: Service) -> None:
    body = {"sql": COUNT, "epsilon": "0.1", "data_set": "clinics"}
    reply = service.call("ana", "POST", "/v1/ask", body)
    assert (reply.status_code, reply.json()["code"]) == (404, "not-there")
    assert "clinic" in reply.json()["remedy"]


def test_a_ledger_that_is_away_answers_nothing(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_: Any) -> Any:
        raise LedgerUnavailable("the ledger is locked", where="ledger")

    monkeypatch.setattr(service.ledger, "charge", gone)
    reply = service.ask("ana")
    assert (reply.status_code, reply.json()["code"]) == (503, "ledger-unavailable")
    assert reply.headers["retry-after"] == "1"


def test_what_is_wrong_with_the_files_of_the_ledger_is_for_the_owner_alone(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    assert service.ask("ana").is_success
    path = service.ledger.connections.path
    assert path is not None
    kept = head_beside(path)
    whole = kept.read_bytes()
    kept.write_bytes(b"torn")
    with caplog.at_level(logging.ERROR):
        replies = [service.ask("ana", epsilon=epsilon) for epsilon in ("0.11", "0.12")]
    for reply in replies:
        assert (reply.status_code, reply.json()["code"]) == (503, "ledger-unavailable")
        assert path.parent.name not in reply.text
        assert kept.name not in reply.text
    assert caplog.text.count(str(kept)) == 1, "once in a while"
    kept.write_bytes(whole)
    assert service.ask("ana", epsilon="0.11").is_success


@pytest.mark.parametrize("step", ["read", "tell", "store"])
def test_an_answer_that_could_not_be_stored_is_not_sent_and_asking_again_is_free(
    service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, step: str
) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("age of p7 is 27")

    target: Any = service.ledger if step == "store" else service.database
    with caplog.at_level(logging.DEBUG), monkeypatch.context() as patch:
        patch.setattr(target, step, broken)
        reply = service.ask("ana")
    assert (reply.status_code, reply.json()["code"]) == (500, "service-failed")
    assert "p7" not in reply.text + caplog.text
    assert service.spent("ana") == Decimal("0.1")
    assert service.ask("ana").is_success
    assert service.spent("ana") == Decimal("0.1")


def test_too_many_at_once_are_told_to_come_again(make: Make) -> None:
    service = make(Settings(tick_ms=0, most_waiting_of_one=1))
    with ThreadPoolExecutor(8) as pool:
        replies = list(
            pool.map(lambda number: service.ask("ana", f"{COUNT} WHERE age > {number}", "0.01"), range(40))
        )
    busy = [reply for reply in replies if reply.status_code == 503]
    assert busy
    assert {reply.headers["retry-after"] for reply in busy} == {"1"}
    answered = sum(reply.is_success for reply in replies)
    assert answered + len(busy) == 40
    assert service.spent("ana") == answered * Decimal("0.01")


def test_quotes_are_bounded_like_questions(make: Make) -> None:
    service = make(Settings(tick_ms=0, most_waiting_of_one=1))
    body = {"sql": COUNT, "epsilon": "0.1"}
    with ThreadPoolExecutor(8) as pool:
        replies = list(
            pool.map(lambda _: service.call("ana", "POST", "/v1/try", body).status_code, range(40))
        )
    assert set(replies) == {200, 503}


def test_somebody_who_goes_on_asking_is_shown_to_the_owner(service: Service) -> None:
    assert service.call("owner", "GET", "/v1/alerts").json() == []
    for _ in range(100):
        service.ask("ana", epsilon="5")
    alert = service.call("owner", "GET", "/v1/alerts").json()[0]
    assert (alert["pattern"], alert["analyst"]) == ("many refusals", "ana")


def test_the_log_is_read_in_pages_that_follow_each_other(service: Service) -> None:
    service.ask("ana")
    whole = service.call("auditor", "GET", "/v1/log", limit=1000).json()
    pages, after = [], 0
    while page := service.call("auditor", "GET", "/v1/log", after=after, limit=3).json():
        pages += page
        after = page[-1]["sequence"]
    assert pages == whole
    assert all(one["previous"] == before["hash"] for before, one in itertools.pairwise(whole))
    head = service.call("auditor", "GET", "/v1/log/head").json()["head"]
    assert head == f"{whole[-1]['sequence']}:{whole[-1]['hash']}"
    assert service.call("auditor", "GET", "/v1/verify", head=head).json()["holds"] is True
    other = f"{whole[-1]['sequence']}:{'0' * 64}"
    assert service.call("auditor", "GET", "/v1/verify", head=other).json()["holds"] is False
    assert service.call("auditor", "GET", "/v1/verify", head="x").status_code == 400


def test_nothing_is_logged_of_questions_and_answers(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, logger="sfumato"):
        service.ask("ana", f"{COUNT} WHERE age > 33")
        service.ask("ana", f"{COUNT} WHERE name = 'Eve'")
    assert "33" not in caplog.text
    assert "Eve" not in caplog.text
    assert json.loads(service.ask("ana", f"{COUNT} WHERE age > 33").text)["columns"] == ["count"]
