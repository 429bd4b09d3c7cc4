"""The service under attack, from outside: it ends with the budget, and the owner is told."""

from __future__ import annotations

import pytest

from sfumato.core.errors import BadInput
from sfumato.query.attacks import Differencing, Exhaustion
from sfumato.query.attacks.contract import Person
from sfumato.query.attacks.targets import Clients
from sfumato.server.client import Client
from tests.server.conftest import Make


def test_a_client_that_goes_on_asking_gets_what_is_paid_and_no_more(make: Make) -> None:
    service = make(limit="0.3")
    with Client(str(service.http.base_url), service.keys["ana"], sleep=lambda _: None) as client:
        target = Clients({"ana": client})
        found = Exhaustion("people", "0.3", "age", analyst="ana", insist=3).run(target)
        assert found.details["pattern"] == "TTTFFF"
        with pytest.raises(BadInput, match="no client of"):
            target.ask("eve", "SELECT COUNT(*) FROM people", epsilon="0.1")
    assert str(service.spent("ana")) == "0.3"


def test_the_owner_is_told_of_a_tracker(make: Make) -> None:
    """Ages up to 100 and at most 1,000 people: one age and one sex are 5 people expected, at most."""
    service = make()
    with Client(str(service.http.base_url), service.keys["ana"], sleep=lambda _: None) as client:
        attack = Differencing("people", "age >= 30", analyst="ana")
        attack.run(Clients({"ana": client}), [Person({"age": 34, "sex": "f"}, True)])
    alerts = service.call("owner", "GET", "/v1/alerts").json()
    assert [(one["pattern"], one["severity"], one["analyst"]) for one in alerts] == [
        ("differencing pairs", "warning", "ana")
    ]
    assert len(alerts[0]["spends"]) == 2
    assert "34" not in alerts[0]["message"]
