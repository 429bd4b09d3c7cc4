"""A stored answer, a fresh one and a refusal look alike in time."""

from __future__ import annotations

import time
from typing import Any

import pytest

from sfumato.query.database import Database
from sfumato.server.settings import Settings
from tests.server.conftest import COUNT, Make, Service


def seconds(service: Service, sql: str, epsilon: str, status: int) -> float:
    begun = time.perf_counter()
    reply = service.ask("ana", sql, epsilon)
    took = time.perf_counter() - begun
    assert reply.status_code == status
    return took


def test_hit_miss_and_refusal_are_in_the_same_class_of_time_and_apart_without_the_raster(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    tick, longer = 0.6, 0.25
    reading = Database.read

    def slowly(*given: Any) -> Any:
        time.sleep(longer)
        return reading(*given)

    monkeypatch.setattr(Database, "read", slowly)
    fastest = {}
    for raster in (0.0, tick):
        service = make(Settings(tick_ms=1000 * raster), limit="1.3")
        service.ask("ana", COUNT, "0.1")
        times: dict[str, list[float]] = {"hit": [], "miss": [], "refused": [], "bad": []}
        for number in range(2):
            sql = f"{COUNT} WHERE age > {number}"
            times["miss"].append(seconds(service, sql, "0.1", 200))
            times["hit"].append(seconds(service, sql, "0.1", 200))
            times["refused"].append(seconds(service, sql, "5", 402))
            times["bad"].append(seconds(service, "SELECT", "0.1", 400))
        # The machine may be busy with other things: what can be seen at all is seen in the fastest.
        fastest[raster] = {name: min(those) for name, those in times.items()}
    bare, held = fastest[0.0], fastest[tick]
    assert bare["miss"] > bare["hit"] + longer / 2, "without the raster a fresh answer takes longer"
    assert all(seconds >= tick for seconds in held.values())
    assert max(held.values()) - min(held.values()) < tick / 2
