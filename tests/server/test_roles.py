"""Least privilege: who may do what, over every endpoint there is."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato.server.app import create_app
from tests.server.conftest import COUNT, Service

QUESTION = {"sql": COUNT, "epsilon": "0.1"}
BUDGET = {"scope": "analyst", "name": "ben", "data_set": "clinic", "limit": "2"}
EVERYBODY = {"ana", "owner", "auditor"}
MATRIX: dict[tuple[str, str], tuple[Any, set[str]]] = {
    # endpoint: a body that works, and who may
    ("GET", "/v1/data-sets"): (None, EVERYBODY),
    ("GET", "/v1/data-sets/{name}"): (None, EVERYBODY),
    ("POST", "/v1/quote"): (QUESTION, {"ana", "owner"}),
    ("POST", "/v1/try"): (QUESTION, {"ana", "owner"}),
    ("POST", "/v1/ask"): (QUESTION, {"ana"}),
    ("GET", "/v1/budgets"): (None, {"ana"}),
    ("GET", "/v1/answers"): (None, {"ana"}),
    ("GET", "/v1/analysts"): (None, {"owner"}),
    ("POST", "/v1/analysts"): ({"name": "new"}, {"owner"}),
    ("POST", "/v1/analysts/{name}/rotate"): (None, {"owner"}),
    ("POST", "/v1/analysts/{name}/suspend"): (None, {"owner"}),
    ("POST", "/v1/analysts/{name}/resume"): (None, {"owner"}),
    ("GET", "/v1/all-budgets"): (None, {"owner", "auditor"}),
    ("PUT", "/v1/all-budgets"): (BUDGET, {"owner"}),
    ("GET", "/v1/alerts"): (None, {"owner"}),
    ("GET", "/v1/breach"): (None, {"owner"}),
    ("GET", "/v1/log/head"): (None, {"owner", "auditor"}),
    ("GET", "/v1/log"): (None, {"auditor"}),
    ("GET", "/v1/verify"): (None, {"owner", "auditor"}),
}


def test_the_matrix_knows_every_endpoint(service: Service) -> None:
    schema = service.http.get("/openapi.json").json()
    there = {(method.upper(), path) for path, methods in schema["paths"].items() for method in methods}
    assert there == set(MATRIX)
    assert create_app.__module__ == "sfumato.server.app"


@pytest.mark.parametrize("who", ["ana", "owner", "auditor", "nobody", None])
def test_everybody_may_do_what_their_role_needs_and_nothing_else(service: Service, who: str | None) -> None:
    before = service.ledger.head()
    for (method, path), (body, allowed) in MATRIX.items():
        at = path.replace("{name}", "clinic" if "data-sets" in path else "ben")
        reply = service.call(who, method, at, body)
        if who in allowed:
            assert reply.is_success, (method, path, reply.text)
        else:
            assert reply.status_code == (401 if who in ("nobody", None) else 403), (method, path)
            assert set(reply.json()) == {"what", "where", "remedy", "code"}
    if who in ("auditor", "nobody", None):
        assert service.ledger.head() == before, "whoever may not write has written nothing"


def test_metadata_are_shown_without_the_place_of_the_data(service: Service) -> None:
    reply = service.call("ana", "GET", "/v1/data-sets")
    assert "secret-folder" not in reply.text
    table = reply.json()[0]["tables"][0]
    assert {column["name"] for column in table["columns"]} == {"age", "sex"}
    assert table["rows_per_person"] == 1


def test_analysts_see_their_own_answers_and_nobody_elses(service: Service) -> None:
    service.ask("ana")
    assert len(service.call("ana", "GET", "/v1/answers").json()) == 1
    assert service.call("ben", "GET", "/v1/answers").json() == []


def test_the_owners_page_needs_nothing_from_elsewhere(service: Service) -> None:
    page = service.http.get("/")
    assert page.status_code == 200
    assert "http://" not in page.text
    assert "https://" not in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert service.http.get("/docs").status_code == 404
