"""What must not become an item: names, numbers, addresses and tokens in searches and web addresses.

Patterns find what has a form: e-mail addresses, social security and telephone numbers, dates, long numbers,
handles, tokens; and names that are announced (*dr smith*, *my name is mary jones*). They do not find a name
that stands for itself: whoever searches for *mary jones* leaves both words behind. Rare words are protected
by what is promised of the sets, not here.
"""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import unquote

_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "e-mail addresses",
        re.compile(r"[^\s@,;:]{1,64}(?:@|\s+at\s+(?=\S+\s+dot\s+\w))[^\s@]+(?:\.|\s+dot\s+)\w{2,}"),
    ),
    (
        "tokens",
        re.compile(
            r"(?<![^\W_])(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
            r"|(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{12,}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}"
            r"|[a-z0-9]{24,})(?![^\W_])"
        ),
    ),
    ("network addresses", re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])")),
    ("social security numbers", re.compile(r"(?<!\d)\d{3}[- ]\d{2}[- ]\d{4}(?!\d)")),
    ("dates", re.compile(r"(?<!\d)(?:\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{4}-\d{2}-\d{2})(?!\d)")),
    (
        "telephone, card and other long numbers",
        re.compile(
            r"(?<![\w.])(?=(?:[ +()./-]{0,3}\d){7})\+?\(?\d{1,4}\)?(?:[ ./-]?\(?\d{1,4}\)?){1,8}(?!\w)"
            r"|\d{6,}"
        ),
    ),
    ("handles", re.compile(r"(?<!\w)[@~][\w.-]+")),
    (
        "announced names",
        re.compile(
            r"\b(?:my name is|name is|named|called|(?:mr|mrs|ms|miss|dr|prof|professor|judge|rev)\b\.?)"
            r"\s+[^\W\d_]+(?:[ -][^\W\d_]+)?"
        ),
    ),
)
_OWNER = re.compile(r"/(?:users?|profiles?|people|members?|accounts?|u|homes?|authors?)/[^/]+")


def scrub(text: str) -> tuple[str, Counter[str]]:
    """Return a text in small letters without what may name somebody, and how much of each kind it held.

    >>> scrub("Call 555-867-5309 or mary.jones@example.org")
    ('call   or  ', Counter({'e-mail addresses': 1, 'telephone, card and other long numbers': 1}))
    """
    found: Counter[str] = Counter()
    text = text.casefold()
    for kind, pattern in _KINDS:
        text, times = pattern.subn(" ", text)
        if times:
            found[kind] += times
    return text, found


def scrub_address(address: str) -> tuple[str, str, Counter[str]]:
    """Return the host and the path of a web address, scrubbed, and what was removed.

    Everything behind ``?``, ``#`` and ``;`` is removed (sessions, forms), and so are the user before ``@``
    and the part of a path that names whose page it is.

    >>> scrub_address("http://www.clinic.org/users/mjones/asthma?session=8f3a")
    ('clinic.org', ' /asthma', Counter({'query parts of addresses': 1, 'owners of pages': 1}))
    """
    found: Counter[str] = Counter()
    rest = re.sub(r"^[a-z][a-z0-9+.-]*://", "", address.strip().casefold())
    rest, *behind = re.split(r"[?#;]", rest, maxsplit=1)
    if behind:
        found["query parts of addresses"] += 1
    host, slash, path = rest.partition("/")
    user, at, host = host.rpartition("@")
    if at and user:
        found["users of addresses"] += 1
    host = re.sub(r":\d*$", "", host).removeprefix("www.")
    path, owners = _OWNER.subn(" ", unquote(slash + path))
    if owners:
        found["owners of pages"] += owners
    path, inside = scrub(path)
    clean, of_host = scrub(host)
    return ("" if of_host else clean), path, found + inside + of_host
