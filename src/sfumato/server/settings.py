"""What the owner of a service may set. Every setting has a default; none of them changes a guarantee."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sfumato.core.errors import BadInput

LONGEST_BODY = 100_000


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class OidcSettings(_Part):
    """Whose bearer tokens are believed, and which of their claims say who somebody is.

    The keys of the issuer come from ``keys_file`` (a JWKS) or are fetched from ``keys_url`` and kept for
    ``keys_seconds``. ``roles`` translates the values of ``role_claim``; without one the accounts of the
    ledger decide, by the token's subject.
    """

    issuer: str
    audience: str
    keys_file: Path | None = None
    keys_url: str | None = None
    keys_seconds: Annotated[float, Field(gt=0)] = 3600.0
    name_claim: str = "sub"
    role_claim: str | None = None
    roles: dict[str, Literal["owner", "analyst", "auditor"]] = Field(default_factory=dict)
    group_claim: str | None = None
    leeway_seconds: Annotated[float, Field(ge=0, le=300)] = 30.0


class Settings(_Part):
    """Of the service.

    >>> Settings().tick_ms
    20.0
    """

    tick_ms: Annotated[float, Field(ge=0, le=60_000)] = 20.0
    """replies leave at whole ticks after arrival; 0 sends at once and lets time tell of data"""
    pace: Annotated[float, Field(gt=0, le=1000)] | None = None
    """how many times slower this machine is than the one that costs are written for; None: it is measured"""
    least_epsilon: Annotated[Decimal, Field(gt=0, le=1)] = Decimal("0.001")
    """questions, quotes and trials for less are refused; ρ likewise below ε²/2"""
    questions_per_day: Annotated[int, Field(ge=1)] = 10_000
    """of one analyst, in days of UTC: questions, quotes and trials"""
    workers: Annotated[int, Field(ge=1, le=64)] = 2
    """questions that run at a time"""
    most_waiting: Annotated[int, Field(ge=1)] = 1000
    """questions that wait or run; one more is told to come again"""
    most_waiting_of_one: Annotated[int, Field(ge=1)] = 16
    """the same for one analyst"""
    batch: Annotated[int, Field(ge=1, le=1000)] = 64
    """spends in one transaction of the ledger"""
    key_seconds: Annotated[float, Field(ge=0, le=60)] = 1.0
    """how long a key that was checked is believed; suspending also stops questions at the ledger, at once"""
    body_seconds: Annotated[float, Field(gt=0)] = 10.0
    """a body that takes longer to arrive is given up"""
    oidc: OidcSettings | None = None


def read_settings(path: Path) -> Settings:
    """Read settings from a YAML file; paths in it are relative to it."""
    from sfumato.core.plain_yaml import load_yaml

    try:
        settings = Settings.model_validate(load_yaml(path) or {})
    except ValidationError as problem:
        first = problem.errors()[0]
        key = ".".join(map(str, first["loc"])) or "the whole file"
        raise BadInput(f"{key}: {first['msg']}", where=str(path), remedy="see docs/serve.md") from None
    if settings.oidc is None or settings.oidc.keys_file is None:
        return settings
    keys = path.parent / settings.oidc.keys_file
    return settings.model_copy(update={"oidc": settings.oidc.model_copy(update={"keys_file": keys})})
