"""A body in which a key stands twice is refused by every endpoint, on the short way and on the long one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.server.conftest import COUNT, Service

TYPES = ["application/json", "application/json; charset=utf-8", "application/problem+json", "text/plain"]
BODIES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "ask": ("POST", "/v1/ask", {"sql": COUNT, "epsilon": "0.1"}),
    "quote": ("POST", "/v1/quote", {"sql": COUNT, "epsilon": "0.1"}),
    "try": ("POST", "/v1/try", {"sql": COUNT, "epsilon": "0.1"}),
    "add": ("POST", "/v1/analysts", {"name": "cy"}),
    "rotate": ("POST", "/v1/analysts/ben/rotate", {"expires": "90d"}),
    "budget": (
        "PUT",
        "/v1/all-budgets",
        {"scope": "analyst", "name": "ben", "data_set": "clinic", "limit": "9"},
    ),
}


@pytest.mark.parametrize("kind", TYPES)
def test_no_endpoint_takes_the_last_of_two(service: Service, kind: str) -> None:
    before = service.ledger.head()
    for what, (method, path, body) in BODIES.items():
        who = "ana" if path in ("/v1/ask", "/v1/quote", "/v1/try") else "owner"
        headers = {"Authorization": f"Bearer {service.keys[who]}", "content-type": kind}
        for name, value in body.items():
            spelt = "".join(f"\\u{ord(letter):04x}" for letter in name)
            for again in (json.dumps(name), f'"{spelt}"'):
                text = json.dumps(body)[:-1] + f", {again}: {json.dumps(value)}}}"
                reply = service.http.request(method, path, content=text, headers=headers)
                assert (reply.status_code, reply.json()["what"]) == (400, "a key stands twice"), what
                assert reply.json()["remedy"] == "keep one of them"
    assert service.ledger.head() == before


def test_the_same_bodies_with_every_key_once_are_taken(service: Service) -> None:
    for method, path, body in BODIES.values():
        who = "ana" if path in ("/v1/ask", "/v1/quote", "/v1/try") else "owner"
        assert service.call(who, method, path, body).is_success


def test_a_key_that_stands_twice_deep_inside_is_found_too(service: Service) -> None:
    headers = {"Authorization": f"Bearer {service.keys['ana']}", "content-type": TYPES[0]}
    text = json.dumps({"sql": COUNT, "epsilon": "0.1"})[:-1] + ', "more": [{"a": 1, "a": 1}]}'
    reply = service.http.post("/v1/ask", content=text, headers=headers)
    assert reply.json()["what"] == "a key stands twice"


@pytest.mark.parametrize("body", [b"{", b"[" * 50_000, b"\xff\xfe\xff", b'{"sql": 1, "sql": '])
def test_what_is_no_json_is_told_so(service: Service, body: bytes) -> None:
    headers = {"Authorization": f"Bearer {service.keys['ana']}", "content-type": TYPES[0]}
    reply = service.http.post("/v1/ask", content=body, headers=headers)
    assert reply.status_code == 400
    assert reply.json()["code"] == "bad-input"
