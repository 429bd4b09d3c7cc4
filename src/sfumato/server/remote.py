"""The books of a service elsewhere: what ``Books`` does here, done over HTTP with the owner's key."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeVar
from urllib.parse import quote

from pydantic import BaseModel

from sfumato.query.metadata import Metadata
from sfumato.server.client import Client
from sfumato.server.wire import (
    AddAnalyst,
    AlertOut,
    AnalystOut,
    AuditOut,
    BreachOut,
    BudgetOut,
    HeadOut,
    KeyOut,
    SetBudget,
)

Model = TypeVar("Model", bound=BaseModel)


class RemoteBooks:
    """Books behind an address; who acts is who the key belongs to, whatever ``by`` says."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def analysts(self) -> list[AnalystOut]:
        """Return everybody."""
        return _all(AnalystOut, self.client.request("GET", "/v1/analysts"))

    def add(self, body: AddAnalyst, *, by: str = "") -> KeyOut:
        """Add somebody."""
        told = self.client.request("POST", "/v1/analysts", body.model_dump(exclude_none=True))
        return KeyOut.model_validate(told)

    def rotate(self, name: str, *, expires: str | None = None, by: str = "") -> KeyOut:
        """Replace a key."""
        body = None if expires is None else {"expires": expires}
        return KeyOut.model_validate(self.client.request("POST", _about(name, "rotate"), body))

    def suspend(self, name: str, *, by: str = "") -> AnalystOut:
        """Stop somebody."""
        return AnalystOut.model_validate(self.client.request("POST", _about(name, "suspend")))

    def resume(self, name: str, *, by: str = "") -> AnalystOut:
        """Let somebody go on."""
        return AnalystOut.model_validate(self.client.request("POST", _about(name, "resume")))

    def all_budgets(self, data_set: str | None = None) -> list[BudgetOut]:
        """Return every budget."""
        return _all(BudgetOut, self.client.request("GET", "/v1/all-budgets", **_given(data_set=data_set)))

    def set_budget(self, body: SetBudget, *, by: str = "") -> BudgetOut:
        """Set what somebody may spend."""
        told = self.client.request("PUT", "/v1/all-budgets", body.model_dump(exclude_none=True))
        return BudgetOut.model_validate(told)

    def alerts(self, public: Mapping[str, Metadata]) -> list[AlertOut]:
        """Return what the owner should look at."""
        return _all(AlertOut, self.client.request("GET", "/v1/alerts"))

    def breach(
        self, analyst: str | None, data_set: str | None, since: datetime | None, until: datetime | None
    ) -> BreachOut:
        """Return what was answered to whom."""
        query = _given(analyst=analyst, data_set=data_set, since=_iso(since), until=_iso(until))
        return BreachOut.model_validate(self.client.request("GET", "/v1/breach", **query))

    def head(self) -> HeadOut:
        """Return the end of the log."""
        return HeadOut.model_validate(self.client.request("GET", "/v1/log/head"))

    def verify(self, head: str | None) -> AuditOut:
        """Recompute the chain and every budget, over there."""
        return AuditOut.model_validate(self.client.request("GET", "/v1/verify", **_given(head=head)))


def _about(name: str, what: str) -> str:
    return f"/v1/analysts/{quote(name, safe='')}/{what}"


def _all(model: type[Model], told: Any) -> list[Model]:
    return [model.model_validate(one) for one in told]


def _given(**query: str | None) -> dict[str, str]:
    return {name: value for name, value in query.items() if value is not None}


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
