"""Bearer tokens: only the issuer's, only for us, only now."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from sfumato.core.errors import BadInput
from sfumato.server.oidc import FETCH_AGAIN, Tokens
from sfumato.server.problems import NotKnown
from sfumato.server.settings import OidcSettings

RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
WEAK_KEY = rsa.generate_private_key(public_exponent=65537, key_size=1024)
EC_KEY = ec.generate_private_key(ec.SECP256R1())
OTHER_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def jwk(key: Any, name: str, **more: str) -> dict[str, Any]:
    algorithm = RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else ECAlgorithm
    told: dict[str, Any] = json.loads(algorithm.to_jwk(key.public_key()))
    return told | {"kid": name} | more


KEYS = {
    "keys": [
        jwk(RSA_KEY, "r"),
        jwk(EC_KEY, "e"),
        jwk(WEAK_KEY, "weak"),
        jwk(RSA_KEY, "enc", use="enc"),
        {"kty": "oct", "kid": "shared", "k": base64.urlsafe_b64encode(b"s" * 32).decode()},
    ]
}


@pytest.fixture
def tokens(tmp_path: Path) -> Tokens:
    (tmp_path / "keys.json").write_text(json.dumps(KEYS))
    return Tokens(OidcSettings(issuer="https://id", audience="sfumato", keys_file=tmp_path / "keys.json"))


def claims(**more: Any) -> dict[str, Any]:
    base = {"iss": "https://id", "aud": "sfumato", "sub": "42", "exp": time.time() + 600}
    return {name: value for name, value in (base | more).items() if value is not None}


def signed(key: Any = RSA_KEY, name: str = "r", algorithm: str = "RS256", **more: Any) -> str:
    return jwt.encode(claims(**more), key, algorithm, headers={"kid": name})


def test_tokens_of_the_issuer_are_believed(tokens: Tokens) -> None:
    assert tokens.claims(signed())["sub"] == "42"
    assert tokens.claims(signed(EC_KEY, "e", "ES256"))["sub"] == "42"
    assert tokens.claims(signed(aud=["other", "sfumato"]))["sub"] == "42"


def forged_none() -> str:
    def part(told: dict[str, Any]) -> str:
        return base64.urlsafe_b64encode(json.dumps(told).encode()).rstrip(b"=").decode()

    return f"{part({'alg': 'none', 'kid': 'r'})}.{part(claims())}."


def signed_with_the_public_key_as_secret() -> str:
    import hashlib
    import hmac

    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    public = RSA_KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def part(told: bytes) -> bytes:
        return base64.urlsafe_b64encode(told).rstrip(b"=")

    text = (
        part(json.dumps({"alg": "HS256", "kid": "r"}).encode()) + b"." + part(json.dumps(claims()).encode())
    )
    return (text + b"." + part(hmac.new(public, text, hashlib.sha256).digest())).decode()


def twice(claim: str) -> str:
    """Claims in which one stands twice, with the same value: only the repetition is wrong."""
    told = claims()
    return json.dumps(told)[:-1] + f', "{claim}": {json.dumps(told[claim])}}}'


def signed_text(header: str, payload: str) -> str:
    """A token of the issuer with any text in it."""
    from cryptography.hazmat.primitives.asymmetric import padding
    from cryptography.hazmat.primitives.hashes import SHA256

    def part(told: bytes) -> str:
        return base64.urlsafe_b64encode(told).rstrip(b"=").decode()

    text = f"{part(header.encode())}.{part(payload.encode())}"
    return f"{text}.{part(RSA_KEY.sign(text.encode(), padding.PKCS1v15(), SHA256()))}"


def test_the_same_token_without_the_repetition_is_believed(tokens: Tokens) -> None:
    assert tokens.claims(signed_text('{"alg":"RS256","kid":"r"}', json.dumps(claims())))["sub"] == "42"


def test_issuer_keys_in_which_a_name_stands_twice_are_refused(tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text('{"keys": [], ' + json.dumps(KEYS)[1:])
    with pytest.raises(BadInput, match="this is not a JWKS"):
        Tokens(OidcSettings(issuer="https://id", audience="sfumato", keys_file=tmp_path / "keys.json"))


BAD: dict[str, Callable[[], str]] = {
    "expired": lambda: signed(exp=time.time() - 100),
    "without expiry": lambda: signed(exp=None),
    "not yet valid": lambda: signed(nbf=time.time() + 600),
    "of another issuer": lambda: signed(iss="https://evil"),
    "without issuer": lambda: signed(iss=None),
    "for somebody else": lambda: signed(aud="other"),
    "for nobody": lambda: signed(aud=None),
    "without subject": lambda: signed(sub=None),
    "signed by another key": lambda: signed(OTHER_KEY),
    "naming an unknown key": lambda: signed(name="new"),
    "naming no key": lambda: jwt.encode(claims(), RSA_KEY, "RS256"),
    "signed by a weak key": lambda: signed(WEAK_KEY, "weak"),
    "signed by a key for encryption": lambda: signed(name="enc"),
    "of another algorithm": lambda: signed(algorithm="RS512"),
    "RSA with the name of an EC key": lambda: signed(name="e"),
    "of no algorithm": forged_none,
    "of a shared secret": lambda: signed(b"s" * 32, "shared", "HS256"),
    "of the public key as a secret": signed_with_the_public_key_as_secret,
    "with a claim that stands twice": lambda: signed_text('{"alg":"RS256","kid":"r"}', twice("sub")),
    "with a header that stands twice": lambda: signed_text(
        '{"alg":"none","kid":"r","alg":"RS256"}', json.dumps(claims())
    ),
    "not a token": lambda: "a.b.c",
    "too long": lambda: signed(more="x" * 20_000),
}


@pytest.mark.parametrize("how", BAD)
def test_a_bad_token_is_refused_with_the_same_words(tokens: Tokens, how: str) -> None:
    with pytest.raises(NotKnown, match="the token is not accepted"):
        tokens.claims(BAD[how]())


def test_keys_are_fetched_kept_and_fetched_again_when_a_new_one_is_named() -> None:
    now, asked = [0.0], []
    served = {"keys": [jwk(RSA_KEY, "r")]}

    def fetch(address: str) -> str:
        asked.append(address)
        return json.dumps(served)

    settings = OidcSettings(issuer="https://id", audience="sfumato", keys_url="https://id/keys")
    tokens = Tokens(settings, fetch=fetch, clock=lambda: now[0])
    assert not asked, "nothing is fetched before a token comes"
    tokens.claims(signed())
    tokens.claims(signed())
    assert len(asked) == 1
    with pytest.raises(NotKnown):
        tokens.claims(signed(EC_KEY, "e", "ES256"))
    assert len(asked) == 1, "a flood of unknown names does not become a flood of fetches"
    now[0] += FETCH_AGAIN + 1
    served["keys"].append(jwk(EC_KEY, "e"))
    tokens.claims(signed(EC_KEY, "e", "ES256"))
    assert len(asked) == 2
    now[0] += settings.keys_seconds + 1
    served["keys"] = [jwk(EC_KEY, "e")]
    with pytest.raises(NotKnown):
        tokens.claims(signed())
    assert len(asked) == 3, "a key that the issuer withdrew is not believed for ever"


def test_an_issuer_that_is_away_locks_nobody_out_until_its_keys_expire() -> None:
    now, away = [0.0], [False]

    def fetch(address: str) -> str:
        if away[0]:
            raise OSError("no route")
        return json.dumps(KEYS)

    settings = OidcSettings(issuer="https://id", audience="sfumato", keys_url="https://id/keys")
    tokens = Tokens(settings, fetch=fetch, clock=lambda: now[0])
    tokens.claims(signed())
    away[0], now[0] = True, FETCH_AGAIN + 1
    with pytest.raises(NotKnown):
        tokens.claims(signed(name="new"))
    tokens.claims(signed())
    now[0] += settings.keys_seconds + 1
    with pytest.raises(NotKnown):
        tokens.claims(signed())


def test_keys_come_from_one_place_and_over_https(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="one place"):
        Tokens(OidcSettings(issuer="i", audience="a"))
    with pytest.raises(BadInput, match="https"):
        Tokens(OidcSettings(issuer="i", audience="a", keys_url="http://id.example.org/keys"))
    with pytest.raises(BadInput, match="https"):
        Tokens(OidcSettings(issuer="i", audience="a", keys_url="http://127.0.0.1.evil.example/keys"))
    (tmp_path / "keys.json").write_text("[]")
    with pytest.raises(BadInput, match="not a JWKS"):
        Tokens(OidcSettings(issuer="i", audience="a", keys_file=tmp_path / "keys.json"))
