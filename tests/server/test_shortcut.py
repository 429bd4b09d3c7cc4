"""Questions go a short way past the framework: what comes back is the same as over the long one."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from sfumato.server.limits import Message, Receive, Send
from sfumato.server.problems import NotKnown
from sfumato.server.shortcut import Shortcut
from tests.server.conftest import COUNT, Service

SHORT, LONG = "application/json", "application/json; charset=utf-8"
TOLD = ("content-type", "content-length", "www-authenticate", "retry-after")
ASKED: dict[str, Any] = {
    "an answer": {"sql": COUNT, "epsilon": "0.1"},
    "a number": {"sql": COUNT, "epsilon": 0.1, "data_set": "clinic"},
    "groups": {"sql": "SELECT sex, COUNT(*) AS people FROM people GROUP BY sex", "epsilon": "0.1"},
    "no SQL": {"sql": "DROP TABLE people", "epsilon": "0.1"},
    "no price": {"sql": COUNT},
    "two prices": {"sql": COUNT, "epsilon": "0.1", "rho": "0.1"},
    "too dear": {"sql": COUNT, "epsilon": "50"},
    "another data set": {"sql": COUNT, "epsilon": "0.1", "data_set": "nowhere"},
    "a word too many": {"sql": COUNT, "epsilon": "0.1", "analyst": "ben"},
    "an empty question": {"sql": "", "epsilon": "0.1"},
    "no object": ["sql"],
}


@pytest.mark.parametrize("who", ["ana", "owner", "auditor", "sfu_nobody", None])
def test_both_ways_give_the_same_reply(service: Service, who: str | None) -> None:
    headers = {} if who is None else {"Authorization": f"Bearer {service.keys.get(who, who)}"}
    for what, body in ASKED.items():
        short, long = (
            service.http.post("/v1/ask", content=json.dumps(body), headers={**headers, "content-type": kind})
            for kind in (SHORT, LONG)
        )
        assert short.status_code == long.status_code, what
        assert short.json() == long.json(), what
        assert [short.headers.get(name) for name in TOLD] == [long.headers.get(name) for name in TOLD], what
        if who != "ana":
            assert short.status_code in (400, 401, 403), what
    assert service.spent("clinic") == (service.spent("ana") if who == "ana" else 0)


def _took_the_long_way(path: str, method: str, kind: str, body: bytes) -> bytes | None:
    """Return the body that took the long way, None when it did not."""
    taken: list[bytes] = []

    async def long_way(scope: Message, receive: Receive, send: Send) -> None:
        taken.append((await receive())["body"])

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(_: Message) -> None:
        pass

    scope = {
        "type": "http",
        "path": path,
        "method": method,
        "headers": [(b"content-type", kind.encode())],
        "sfumato.arrived": 0.0,
    }
    house: Any = _Nobody()
    asyncio.run(Shortcut(long_way, house)(scope, receive, send))
    return taken[0] if taken else None


class _Nobody:
    """A house whose doorkeeper knows nobody."""

    def __init__(self) -> None:
        self.doorkeeper = self
        self.tokens = None

    def remembered(self, header: str | None) -> None:
        return None

    def recognise(self, header: str | None) -> None:
        raise NotKnown("nobody")


def test_only_plain_questions_take_the_short_way() -> None:
    plain = json.dumps({"sql": COUNT, "epsilon": "0.1"}).encode()
    assert _took_the_long_way("/v1/ask", "POST", SHORT, plain) is None
    assert _took_the_long_way("/v1/ask", "GET", SHORT, plain) == plain
    assert _took_the_long_way("/v1/quote", "POST", SHORT, plain) == plain
    assert _took_the_long_way("/v1/ask", "POST", "text/plain", plain) == plain
    for broken in (b"{", b"[" * 50_000, b'{"sql": 1}', b"\xff"):
        assert _took_the_long_way("/v1/ask", "POST", SHORT, broken) == broken
