"""Who is let in: keys, tokens, and what happens when they change."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from sfumato.query.ledger.accounts import Accounts, Role
from sfumato.server.auth import Doorkeeper
from sfumato.server.problems import NotKnown, Suspended
from sfumato.server.settings import OidcSettings, Settings
from tests.server.conftest import Make, Service

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


BAD_HEADERS = [
    None,
    "",
    "Bearer",
    "Bearer sfu_",
    "Bearer sfu_0000000000000000_" + "0" * 64,
    "Bearer a.b.c",
    "Basic {key}",
    "{key}",
    "Bearer {key}x",
    "Bearer é",
]


def test_what_is_not_a_key_is_refused_with_the_same_words(service: Service) -> None:
    for header in BAD_HEADERS:
        sent = (header or "").format(key=service.keys["ana"]).encode()
        reply = service.http.get("/v1/data-sets", headers={} if header is None else {"Authorization": sent})
        assert reply.status_code == 401, header
        assert reply.headers["www-authenticate"] == "Bearer"
        assert reply.json()["what"] == "the key is not known here"


def test_a_suspended_analyst_is_stopped_and_can_be_resumed(service: Service) -> None:
    assert service.ask("ana").is_success
    assert service.call("owner", "POST", "/v1/analysts/ana/suspend").json()["suspended"] is True
    reply = service.ask("ana")
    assert (reply.status_code, reply.json()["code"]) == (403, "suspended")
    service.call("owner", "POST", "/v1/analysts/ana/resume")
    assert service.ask("ana").is_success


def test_suspending_past_the_service_stops_questions_at_once_although_the_key_is_remembered(
    make: Make,
) -> None:
    service = make(Settings(tick_ms=0, key_seconds=60))
    assert service.ask("ana").is_success
    Accounts(service.ledger).suspend("ana")
    assert service.ask("ana", epsilon="0.2").status_code == 403
    assert service.ask("ana").status_code == 403, "stored answers too"


def test_a_rotated_key_is_worth_nothing(service: Service) -> None:
    assert service.ask("ana").is_success
    fresh = service.call("owner", "POST", "/v1/analysts/ana/rotate").json()["key"]
    assert service.ask("ana").status_code == 401
    assert service.ask(fresh).is_success


def test_a_new_analyst_gets_a_key_that_works_and_no_budget(service: Service) -> None:
    made = service.call("owner", "POST", "/v1/analysts", {"name": "cy", "group": "g"})
    assert made.status_code == 201
    key = made.json()["key"]
    assert service.call(key, "GET", "/v1/data-sets").is_success
    reply = service.ask(key)
    assert (reply.status_code, reply.json()["code"]) == (402, "budget-gone")
    listed = service.call("owner", "GET", "/v1/analysts").json()
    assert {
        "name": "cy",
        "role": "analyst",
        "group": "g",
        "suspended": False,
        "subject": None,
        "expires": None,
    } in listed
    assert key not in json.dumps(listed)


def test_keys_are_in_no_log_entry(service: Service) -> None:
    key = service.call("owner", "POST", "/v1/analysts", {"name": "cy"}).json()["key"]
    pages = service.call("auditor", "GET", "/v1/log", limit=1000).text
    assert key not in pages
    assert key.rsplit("_", 1)[1] not in pages


def test_a_key_that_was_checked_is_believed_for_a_moment_only(service: Service) -> None:
    now = [0.0]
    accounts = Accounts(service.ledger)
    keeper = Doorkeeper(Trusting(accounts), seconds=1.0, clock=lambda: now[0])
    header = f"Bearer {service.keys['ana']}"
    assert keeper.remembered(header) is None
    assert keeper.recognise(header).role is Role.ANALYST
    assert keeper.remembered(header) is not None
    now[0] = 1.01
    assert keeper.remembered(header) is None
    keeper.recognise(header)
    accounts.suspend("ana")
    with pytest.raises(Suspended):
        keeper.recognise(header)
    keeper.forget()
    assert keeper.remembered(header) is None
    with pytest.raises(NotKnown):
        keeper.recognise(None)


class Trusting:
    """Accounts alone, without an identity provider."""

    def __init__(self, accounts: Accounts) -> None:
        self.by_key = accounts.by_key
        self.by_subject = accounts.by_subject

    def welcome(self, subject: str, name: str, group: str, role: Role) -> Any:
        raise AssertionError("there is no identity provider")


def token(subject: str = "42", **claims: Any) -> str:
    told = {"iss": "https://id", "aud": "sfumato", "sub": subject, "exp": time.time() + 600} | claims
    return jwt.encode(told, KEY, "RS256", headers={"kid": "k"})


@pytest.fixture
def provider(tmp_path: Path) -> OidcSettings:
    told = json.loads(RSAAlgorithm.to_jwk(KEY.public_key())) | {"kid": "k"}
    (tmp_path / "keys.json").write_text(json.dumps({"keys": [told]}))
    return OidcSettings(issuer="https://id", audience="sfumato", keys_file=tmp_path / "keys.json")


def test_a_token_of_a_known_subject_is_the_account_of_that_subject(
    make: Make, provider: OidcSettings
) -> None:
    service = make(Settings(tick_ms=0, oidc=provider))
    assert service.call(token(), "GET", "/v1/data-sets").status_code == 401
    service.call("owner", "POST", "/v1/analysts", {"name": "tom", "subject": "42", "role": "auditor"})
    assert service.call(token(), "GET", "/v1/log").is_success
    assert service.ask(token()).status_code == 403
    assert service.call(token(exp=time.time() - 60), "GET", "/v1/log").status_code == 401
    service.call("owner", "POST", "/v1/analysts/tom/suspend")
    assert service.call(token(), "GET", "/v1/log").status_code == 403


def test_claims_give_name_role_and_group_where_the_settings_say_so(
    make: Make, provider: OidcSettings
) -> None:
    mapped = provider.model_copy(
        update={
            "name_claim": "preferred_username",
            "role_claim": "roles",
            "roles": {"dp-analyst": "analyst", "dp-audit": "auditor"},
            "group_claim": "department",
        }
    )
    service = make(Settings(tick_ms=0, key_seconds=0, oidc=mapped))
    tom = token(preferred_username="tom", roles=["x", "dp-analyst"], department="stats")
    assert service.call(tom, "GET", "/v1/budgets").is_success
    listed = {one["name"]: one for one in service.call("owner", "GET", "/v1/analysts").json()}
    assert (listed["tom"]["role"], listed["tom"]["group"], listed["tom"]["subject"]) == (
        "analyst",
        "stats",
        "42",
    )
    demoted = token(preferred_username="tom", roles=["dp-audit"])
    assert service.call(demoted, "GET", "/v1/budgets").status_code == 403
    assert service.call(demoted, "GET", "/v1/log").is_success
    for roles in ([], ["x"], ["dp-analyst", "dp-audit"], "owner", None, [7]):
        odd = token(preferred_username="tom", roles=roles)
        assert service.call(odd, "GET", "/v1/data-sets").status_code == 403, roles


def test_a_token_cannot_take_over_the_account_of_a_name(make: Make, provider: OidcSettings) -> None:
    mapped = provider.model_copy(
        update={"name_claim": "nick", "role_claim": "role", "roles": {"a": "analyst"}}
    )
    service = make(Settings(tick_ms=0, oidc=mapped))
    service.ask("ana")
    thief = token("666", nick="ana", role="a")
    assert service.call(thief, "GET", "/v1/answers").status_code == 401
    assert service.call(token("7", nick="", role="a"), "GET", "/v1/answers").status_code == 401
    assert service.call(token("7", nick=5, role="a"), "GET", "/v1/answers").status_code == 401


def test_without_an_identity_provider_no_token_is_believed(service: Service) -> None:
    assert service.call(token(), "GET", "/v1/data-sets").status_code == 401
    assert replace(service).keys
