"""Bodies that are too long or too slow, and failures of ours."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import pytest

from sfumato.server.limits import Limits, Message, Receive, Send


def call(
    app: Any, pieces: list[bytes], headers: list[tuple[bytes, bytes]] | None = None, *, seconds: float = 5.0
) -> tuple[int, dict[str, Any], int]:
    """Return status, body and how many pieces of the body were read."""
    sent: list[Message] = []
    read = 0

    async def receive() -> Message:
        nonlocal read
        if read == len(pieces):
            await asyncio.sleep(60)
        read += 1
        return {"type": "http.request", "body": pieces[read - 1], "more_body": True}

    async def last() -> Message:
        found = await receive()
        return found | {"more_body": read < len(pieces)}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "headers": headers or []}
    waits = receive if seconds < 5 else last
    asyncio.run(Limits(app, longest=1000, seconds=seconds)(scope, waits, send))
    return sent[0]["status"], json.loads(sent[1]["body"]), read


async def echo(scope: Message, receive: Receive, send: Send) -> None:
    message = await receive()
    assert not message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": json.dumps(len(message["body"])).encode()})


def test_a_short_body_arrives_in_one_piece() -> None:
    assert call(echo, [b"a" * 500, b"b" * 500])[:2] == (200, 1000)


def test_a_body_that_says_it_is_too_long_is_refused_and_read_to_its_end_so_that_the_reply_arrives() -> None:
    status, body, read = call(echo, [b"x" * 400] * 10, [(b"content-length", b"4000")])
    assert (status, body["code"], read) == (413, "too-long", 10)


def test_who_waits_to_be_asked_for_a_body_is_not_asked_for_one_that_is_too_long() -> None:
    headers = [(b"content-length", b"4000"), (b"expect", b"100-continue")]
    status, body, read = call(echo, [b"x" * 400] * 10, headers)
    assert (status, body["code"], read) == (413, "too-long", 0)


@pytest.mark.parametrize("length", [b"-1", b"1e9", b"", b"9" * 5000])
def test_a_length_that_is_no_number_is_refused(length: bytes) -> None:
    assert call(echo, [b"x"], [(b"content-length", length)])[0] == 413


def test_a_body_without_an_end_is_read_no_further_than_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.server.limits.FORGOTTEN", 2000)
    status, _, read = call(echo, [b"x" * 400] * 1000)
    assert (status, read) == (413, 3 + 5)


def test_a_body_that_does_not_come_is_given_up() -> None:
    status, body, _ = call(echo, [b"x"], seconds=0.05)
    assert status == 400
    assert "in time" in body["what"]


def test_who_still_waits_when_the_service_ends_is_told_to_come_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def ended(scope: Message, receive: Receive, send: Send) -> None:
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().call_soon(task.cancel)
        await asyncio.sleep(60)

    status, body, _ = call(ended, [b"x"])
    assert (status, body["code"], body["what"]) == (503, "busy", "the service is closing")
    assert caplog.records == []


def test_a_failure_of_ours_says_nothing_and_logs_its_type_alone(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(scope: Message, receive: Receive, send: Send) -> None:
        raise ZeroDivisionError("patient 17 has HIV")

    with caplog.at_level(logging.DEBUG):
        status, body, _ = call(broken, [b"x"])
    assert status == 500
    assert "patient" not in json.dumps(body) + caplog.text
    assert "ZeroDivisionError" in caplog.text
