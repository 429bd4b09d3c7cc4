"""What computers answer to: e-mail addresses, web pages, addresses of machines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv6Address

from sfumato.text.kinds import Kind
from sfumato.text.page import Page
from sfumato.text.span import LIKELY, PROBABLE, SURE, Span

_HOST = r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}"
_LOCAL = re.compile(r"[\w.+%'-]{1,64}$")
_DOMAIN = re.compile(rf"\s?{_HOST}(?:[^\W\d_]{{2,24}}|xn--[a-z0-9-]{{2,30}})(?![\w-])", re.IGNORECASE)
_URL = re.compile(r"(?:https?|ftp|sftp|file)://[^\s<>\"|]{1,2000}|www\d?\.[^\s<>\"|]{3,2000}", re.IGNORECASE)
_TOP = (
    "com|org|net|edu|gov|mil|int|info|biz|io|co|us|uk|ca|de|fr|es|it|nl|au|nz|ie|in|ch|at|be|se|no|dk|fi|pl|pt|"
    "health|hospital|clinic|care|example|test|local|app|dev|me|tv|eu|mx|br|jp|cn|ru|za"
)
_BARE = re.compile(
    rf"(?<![\w@./-])(?:[a-z0-9](?:[a-z0-9-]{{0,61}}[a-z0-9])?\.){{1,6}}(?P<top>{_TOP})(?![\w-]|\.[a-z0-9])"
    r"(?:/[^\s<>\"|]{0,2000})?",
    re.IGNORECASE,
)
_SURELY_TOP = frozenset(
    ("com", "org", "net", "edu", "gov", "mil", "info", "biz", "io", "health", "hospital", "clinic", "example")
)
_DOTTED = re.compile(r"\.[A-Za-z]{2,9}(?![\w-])")
_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})"
_IPV4 = re.compile(rf"{_OCTET}(?:\.{_OCTET}){{3}}(?![0-9]|\.[0-9])(?::[0-9]{{1,5}}|/[0-9]{{1,2}})?(?![0-9])")
_MAC = re.compile(
    r"(?<![0-9A-Za-z])(?:[0-9A-Fa-f]{2}(?P<s>[:.-])(?:[0-9A-Fa-f]{2}(?P=s)){4}[0-9A-Fa-f]{2}"
    r"|[0-9A-Fa-f]{4}(?P<t>[.:-])[0-9A-Fa-f]{4}(?P=t)[0-9A-Fa-f]{4})(?![0-9A-Za-z]|[.:-][0-9A-Fa-f])"
)
"""48 bits by twos or by fours"""
_MAC_SAID = re.compile(
    r"mac(?:\s(?:address|addr\.?|id))?\s{0,2}[:=#]?\s{0,2}"
    r"(?P<v>[0-9a-f]{2}(?:[\s:.-]?[0-9a-f]{2}){5})(?![0-9a-z])",
    re.IGNORECASE,
)
_IPV6 = re.compile(
    r"(?<![0-9A-Fa-f:.])[0-9A-Fa-f:]{3,39}(?:(?:\.[0-9]{1,3}){3})?(?P<rest>(?:%[\w.-]{1,15})?(?:/[0-9]{1,3})?)"
)
"""a run of hexadecimal digits and colons, perhaps with an IPv4 address at its end, a zone or a prefix"""
_SHORTEST = 5
"""characters of an address that begins with a digit: ``1::2`` is a ratio, ``4::`` a slip"""
_END = ".,;:!?)]}'\"\u2019\u201d>"


@dataclass(frozen=True)
class Web:
    """Proposes e-mail addresses, web addresses and domain names, IPv4, IPv6 and MAC addresses."""

    name: str = "web"

    def find(self, page: Page) -> Iterator[Span]:
        """Look where an at sign, a slash, a ``www`` or dotted numbers stand."""
        text = page.text
        yield from self._mail(page)
        if "://" in text or "www" in page.places or "www2" in page.places or "WWW" in text:
            for found in _URL.finditer(text):
                yield self._span(found.start(), _trimmed(found), Kind.URL, SURE)
        if "." in page.places:
            yield from self._domains(text)
        yield from self._machines(page)

    def _span(self, start: int, end: int, kind: Kind, certainty: float) -> Span:
        return Span(start, end, kind, "", certainty, self.name)

    def _mail(self, page: Page) -> Iterator[Span]:
        text = page.text
        for place in page.places.get("@", ()):
            at = page.tokens.starts[place]
            before = text[max(0, at - 65) : at]
            local = _LOCAL.search(before.rstrip(" ") if before.endswith(" ") else before)
            domain = _DOMAIN.match(text, at + 1)
            if local is None or domain is None:
                continue
            spaced = before.endswith(" ") or domain.group()[0].isspace()
            start = at - len(before) + local.start()
            while text[start] in ".-'%":
                start += 1
            if start < at:
                yield self._span(start, domain.end(), Kind.EMAIL, PROBABLE if spaced else SURE)

    def _domains(self, text: str) -> Iterator[Span]:
        """Propose names such as mychart.example.org; the dot inside a word is rare, so it leads."""
        done = 0
        for dot in _DOTTED.finditer(text):
            if dot.start() < done:
                continue
            start = dot.start()
            while (
                start > done
                and dot.start() - start < 250
                and (text[start - 1].isalnum() or text[start - 1] in ".-")
            ):
                start -= 1
            found = _BARE.match(text, start)
            if found is None or found.end() < dot.end():
                continue
            done = _trimmed(found)
            top = found["top"]
            sure = top.lower() in _SURELY_TOP and top.islower()
            parts = found.group().split("/")[0].split(".")[:-1]
            if sure or ((len(parts) > 1 or "/" in found.group()) and max(map(len, parts)) > 3):
                if parts[0].isdecimal():
                    continue
                yield self._span(start, done, Kind.URL, LIKELY if sure else PROBABLE)

    def _machines(self, page: Page) -> Iterator[Span]:
        text, starts = page.text, page.tokens.starts
        for place in page.numbers:
            start = starts[place]
            if start and text[start - 1] in ".:-" and start > 1 and text[start - 2].isalnum():
                continue
            found = _IPV4.match(text, start)
            if found is not None:
                yield self._span(start, found.end(), Kind.IP, _of_dotted(text, start))
        if text.count(":") > 1 or text.count("-") > 1 or text.count(".") > 1:
            for found in _MAC.finditer(text):
                if _is_mac(text, found):
                    yield self._span(*found.span(), Kind.IP, LIKELY)
        for place in page.places.get("mac", ()):
            said = _MAC_SAID.match(text, starts[place])
            if said is not None and _is_code(said["v"]):
                yield self._span(*said.span("v"), Kind.IP, LIKELY)
        if "::" in text or text.count(":") > 5:
            for found in _IPV6.finditer(text):
                yield from self._ipv6(text, found)

    def _ipv6(self, text: str, found: re.Match[str]) -> Iterator[Span]:
        """Propose the address in a run: a colon before it belongs to a label, one behind to the sentence."""
        start, end = found.start(), found.start("rest")
        if text.find(":", start, end) < 0:
            return
        if text[start] == ":" and (text[start + 1] != ":" or text.startswith(":::", start)):
            start += 1
        elif start and (text[start - 1].isalnum() or text[start - 1] in "_"):
            return
        tail = "" if text[end - 1] == ":" and text[end - 2] != ":" else found["rest"]
        end -= text[end - 1] == ":" and text[end - 2] != ":"
        after = text[end + len(tail) : end + len(tail) + 1]
        if not after.isalnum() and _is_ipv6(text[start:end]):
            yield self._span(start, end + len(tail), Kind.IP, SURE)


def _of_dotted(text: str, start: int) -> float:
    """Return how certain four dotted numbers are an address: after "version" or "section" they are not."""
    before = text[max(0, start - 12) : start].lower()
    return 0.3 if re.search(r"(?:version|ver|v|section|sect|§)\.?\s*$", before) else LIKELY


def _is_mac(text: str, found: re.Match[str]) -> bool:
    """Return whether it is the address of a device: dotted or dashed digits alone may be anything."""
    before = text[max(0, found.start() - 16) : found.start()].lower()
    return _is_code(found.group()) or ":" in found.group() or "mac" in before


def _is_code(shown: str) -> bool:
    """Return whether a letter stands among the digits."""
    return any(letter.isalpha() for letter in shown)


def _is_ipv6(shown: str) -> bool:
    """Say whether it is an address, and no time (12:30:15) or ratio."""
    if not any(letter.isalnum() for letter in shown) or (
        len(shown) < _SHORTEST and not shown.startswith("::")
    ):
        return False
    try:
        IPv6Address(shown)
    except ValueError:
        return False
    return True


def _trimmed(found: re.Match[str]) -> int:
    """Leave punctuation that ends the sentence outside."""
    end, text = found.end(), found.string
    while end > found.start() + 1 and text[end - 1] in _END:
        if text[end - 1] == ")" and "(" in text[found.start() : end]:
            break
        end -= 1
    return end
