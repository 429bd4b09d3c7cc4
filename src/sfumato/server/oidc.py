"""Bearer tokens of an identity provider (OpenID Connect Core 1.0, 2014; RFC 7519, RFC 8725).

A token is believed when its signature is the issuer's (RS256 or ES256 and nothing else: no ``none``, no
shared secrets), it names this issuer and this audience, it is not expired nor too early, and no name stands
twice in it. The issuer's public keys come from a file, or from its address, and are then kept for a while.
"""

from __future__ import annotations

import base64
import threading
import time
import urllib.parse
from collections.abc import Callable, Mapping
from typing import Any

from sfumato.core.errors import BadInput, MissingPart
from sfumato.core.files import LONGEST_KEY, read_text
from sfumato.core.json_once import loads_once
from sfumato.server.problems import NotKnown
from sfumato.server.settings import OidcSettings

ALGORITHMS = {"RS256": "RSA", "ES256": "EC"}
SMALLEST_RSA = 2048
LONGEST_TOKEN = 16_000
FETCH_AGAIN = 30.0
"""seconds that must pass before an unknown key makes us ask the issuer again"""


def fetched(address: str) -> str:
    """Get the issuer's keys from its address."""
    import httpx

    reply = httpx.get(address, timeout=10.0, follow_redirects=False)
    reply.raise_for_status()
    return reply.text


class Tokens:
    """Reads tokens of one issuer.

    ``fetch`` gets the text of a JWKS from an address; ``clock`` says how old the keys are.
    """

    def __init__(
        self,
        settings: OidcSettings,
        *,
        fetch: Callable[[str], str] = fetched,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        try:
            import jwt
        except ImportError:
            raise MissingPart(
                "bearer tokens need PyJWT", where="oidc", remedy="pip install 'sfumato[server]'"
            ) from None
        if (settings.keys_file is None) == (settings.keys_url is None):
            raise BadInput(
                "the issuer's keys come from one place", where="oidc", remedy="set keys_file or keys_url"
            )
        if settings.keys_url is not None and not _safe(settings.keys_url):
            raise BadInput("the issuer's keys must come over https", where="oidc.keys_url")
        self._jwt = jwt
        self.settings = settings
        self._fetch = fetch
        self._clock = clock
        self._keys: dict[str, Any] = {}
        self._read_at = float("-inf")
        self._lock = threading.Lock()
        if settings.keys_file is not None:
            self._read()

    def claims(self, token: str) -> Mapping[str, Any]:
        """Return what a valid token claims; every other one is refused with the same words."""
        jwt = self._jwt
        if len(token) > LONGEST_TOKEN:
            raise _no()
        try:
            _refuse_repeated_keys(token)
            header = jwt.get_unverified_header(token)
            algorithm = header.get("alg")
            if algorithm not in ALGORITHMS or "crit" in header:
                raise _no()
            key = self._key(str(header.get("kid", "")), ALGORITHMS[algorithm])
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                algorithms=[algorithm],
                audience=self.settings.audience,
                issuer=self.settings.issuer,
                leeway=self.settings.leeway_seconds,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )
        except Exception:
            # Not PyJWT's own errors alone: a header of ten thousand brackets is a RecursionError.
            raise _no() from None
        return claims

    def _key(self, name: str, family: str) -> Any:
        with self._lock:
            age = self._clock() - self._read_at
            stale = age > self.settings.keys_seconds
            missed = name not in self._keys and age > FETCH_AGAIN
            if self.settings.keys_url is not None and (stale or missed):
                if stale:
                    self._keys = {}
                self._read()
            found = self._keys.get(name)
        if found is None or found.key_type != family:
            raise _no()
        return found.key

    def _read(self) -> None:
        """Take the signing keys of a JWKS that may be used here, by their names."""
        settings = self.settings
        self._read_at = self._clock()
        try:
            if settings.keys_file is not None:
                text = read_text(settings.keys_file, most=LONGEST_KEY)
            else:
                text = self._fetch(str(settings.keys_url))
            listed = loads_once(text)["keys"]
            keys = {}
            for told in listed:
                if (
                    told.get("kty") in ALGORITHMS.values()
                    and told.get("use", "sig") == "sig"
                    and told.get("kid")
                ):
                    key = self._jwt.PyJWK(told)
                    if _strong(key):
                        keys[str(told["kid"])] = key
        except Exception:
            # What an address answers that cannot be reached is not ours to show. Keys that have not expired
            # stay: else whoever sends unknown names of keys while the issuer is away would lock all out.
            if settings.keys_file is not None:
                raise BadInput("this is not a JWKS", where="oidc.keys_file") from None
            return
        self._keys = keys


def _refuse_repeated_keys(token: str) -> None:
    """Names within header and claims are unique (RFC 7515, section 4; RFC 7519, section 4)."""
    for part in token.split(".")[:2]:
        loads_once(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def _safe(address: str) -> bool:
    parts = urllib.parse.urlsplit(address)
    return parts.scheme == "https" or (
        parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost")
    )


def _strong(key: Any) -> bool:
    if key.key_type == "RSA":
        return bool(key.key.key_size >= SMALLEST_RSA)
    return bool(key.key.curve.name == "secp256r1")


def _no() -> NotKnown:
    return NotKnown("the token is not accepted", where="Authorization", remedy="log in again")
