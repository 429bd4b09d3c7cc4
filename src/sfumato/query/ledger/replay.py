"""The log played again from its beginning: what every table of the ledger must hold, and what does not fit.

Nothing is believed. Each entry is hashed anew and must follow the one before it; its body must be written in
the canonical way; every charge must have been within the limits of its time. What comes out is the content of
all the other tables, which ``tables_fit`` compares row by row.

Charges and answers are nearly all there is in a long log, so they are read without building objects for each.
All charges of one analyst at one price differ in the text of their question alone: what stands before and
after it is understood once (``_Form``). That is exact, not a guess. In JSON an unescaped quotation mark ends
a text, so ``"question":"`` and ``","rho":`` cannot stand inside one, and the text between them is itself read
and written again to see that it is canonical.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from json.decoder import scanstring  # type: ignore[attr-defined]  # in every CPython, but not in its stubs
from json.encoder import encode_basestring
from typing import Any

from sfumato.core.errors import SfumatoError
from sfumato.dp.exact import DIGITS
from sfumato.query.ledger.chain import ARRIVED, BEGINNING, CLOCK, Head, Kind, canonical, entry_hash
from sfumato.query.ledger.charging import Key, fingerprint_of, scopes_of
from sfumato.query.ledger.contract import Composition, Scope
from sfumato.query.ledger.money import price_read, price_written, written
from sfumato.query.ledger.refusals import DAY, Reason

MOST_PROBLEMS = 100
"""an audit stops telling after so many; one is enough not to trust a ledger"""

Place = tuple[str, str]
"""data set, window"""
Entry = tuple[int, int, str, str, str, str]
"""sequence, time, kind, body, previous, hash: a row of the log"""

_QUESTION = '"question":"'
_AFTER = '","rho":'
_ARRIVED = f'","{ARRIVED}":'
_NAMES = {
    "analyst",
    "data_set",
    "delta",
    "epsilon",
    "group",
    "question",
    "rho",
    "rho_delta",
    "version",
    "window",
}
"""what every charge tells, besides when its question came and that the clock went back"""
_ANSWER, _SPEND = '{"hash":"', '","spend":'
_HASH_BEGINS = len(_ANSWER)
_HASH_ENDS = _HASH_BEGINS + 64
_SPEND_BEGINS = _HASH_ENDS + len(_SPEND)
_SHA256 = hashlib.sha256
_UNIT: int = 10**DIGITS
_NOT_UNDERSTOOD = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    SfumatoError,
)


@dataclass(frozen=True)
class Problem:
    """Something that does not fit: an entry of the log (None: the ledger as a whole) and what is wrong."""

    entry: int | None
    what: str

    def __str__(self) -> str:
        return self.what if self.entry is None else f"entry {self.entry}: {self.what}"


@dataclass
class Running:
    """A budget and what was spent of it, in whole units of 10⁻¹⁸."""

    composition: str
    limit: int
    delta: int
    texts: tuple[str, str]
    """limit and delta as the log has them"""
    spent: int = 0
    spent_delta: int = 0


@dataclass(frozen=True)
class _Form:
    """What charges have in common that differ in their question alone."""

    analyst: str
    data_set: str
    place: Place
    before: str
    after: str
    """around the question, in the text whose hash is the fingerprint"""
    parts: tuple[tuple[Running, int, int], ...]
    """what each budget pays"""


@dataclass(frozen=True)
class Opened:
    """A window as the log tells it."""

    number: int
    complete: bool
    salt: str
    people: str
    """the salted digest of its people"""


@dataclass
class Replay:
    """What the log tells, played from the beginning."""

    problems: list[Problem] = field(default_factory=list)
    head: Head = field(default_factory=lambda: Head(0, BEGINNING))
    budgets: dict[Key, Running] = field(default_factory=dict)
    accounts: dict[str, dict[str, Any]] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    """of data sets, in the order in which they were first stopped or opened"""
    stopped: set[str] = field(default_factory=set)
    windows: dict[Place, Opened] = field(default_factory=dict)
    refusals: dict[tuple[int, str, str, str], int] = field(default_factory=dict)
    """day, analyst, data set, reason → the last count that was told"""
    spends: list[tuple[int, str, str, str, int]] = field(default_factory=list)
    """rows of the table of spends, in their order; whoever compares them may take them away"""
    charged: set[int] = field(default_factory=set)
    answers: dict[int, str] = field(default_factory=dict)
    """spend → hash of its answer"""
    _paid_from: dict[str, set[str]] = field(default_factory=dict)
    """data set → windows with a charge"""
    _forms: dict[tuple[str, str], _Form] = field(default_factory=dict)
    """by what stands before and after the question; emptied whenever anything but a charge or answer comes"""
    _analysts: set[str] = field(default_factory=set)
    """how charges begin whose question came at a known time, up to the name of the analyst"""
    _time: int = 0

    def found(self, entry: int | None, what: str) -> None:
        """Remember a problem."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(entry, what))

    def play(self, entries: Iterable[Entry]) -> None:
        """Play the next entries."""
        sha256, quoted, plain = hashlib.sha256, encode_basestring, _PLAIN
        sequence, value, last = self.head.sequence, self.head.hash, self._time
        for number, time, kind, body, previous, told in entries:
            # As ``chain.entry_hash`` writes it. Kinds and hashes are plain words, quoted they are themselves:
            # ``value`` is here the hash that was computed, or else nothing equals it.
            if (
                number == sequence + 1
                and previous == value
                and type(time) is int
                and time >= last
                and kind in plain
                and type(body) is str
                and told
                == sha256(f'[{number},{time},"{kind}",{quoted(body)},"{previous}"]'.encode()).hexdigest()
            ):
                sequence, value, last = number, told, time
            else:
                value = self._odd(Head(sequence, value), last, (number, time, kind, body, previous, told))
                sequence = number
                if not value:
                    continue
                last = max(last, time)
            try:
                if kind == "charge":
                    self._charge(number, time, body)
                elif kind == "answer":
                    self._answer(number, body)
                else:
                    self._other(number, time, Kind(kind), _read(body))
            except _Uncanonical:
                self.found(number, "it is not written in the canonical way")
            except _NOT_UNDERSTOOD:
                self.found(number, "it cannot be understood")
        self.head, self._time = Head(sequence, value), last

    def _odd(self, before: Head, last: int, entry: Entry) -> str:
        """Tell what is wrong with an entry; return its hash, '' where there is none."""
        number, time, kind, body, previous, told = entry
        # SQLite keeps anything in any column.
        if type(time) is not int or any(type(text) is not str for text in (kind, body, previous, told)):
            self.found(number, "it cannot be understood")
            return ""
        if number != before.sequence + 1:
            self.found(number, f"the entries {before.sequence + 1} to {number - 1} are missing")
        elif previous != before.hash:
            self.found(number, "it does not follow the entry before it")
        if entry_hash(number, time, kind, body, previous) != told:
            self.found(number, "it was changed after it was written")
        if time < last:
            self.found(number, "it is older than the entry before it")
        # What is no plain word must not be taken for one when the next entry is hashed.
        return told if told.isalnum() else "?"

    def _charge(self, number: int, time: int, body: str) -> None:
        before, _, rest = self._without_arrival(body).partition(_QUESTION)
        question, _, after = rest.rpartition(_AFTER)
        form = self._forms.get((before, after))
        if form is None:
            form = self._form(number, before, after)
        # Most questions hold quotation marks, each escaped as it must be, and nothing else that is escaped.
        rest = question.replace('\\"', "")
        if "\\" in rest or '"' in rest or not rest.isprintable():
            _refuse_uncanonical(question)
        fingerprint = _SHA256(f"{form.before}{question}{form.after}".encode()).hexdigest()
        self.spends.append((number, fingerprint, form.analyst, form.data_set, time))
        self.charged.add(number)
        for budget, money, delta in form.parts:
            budget.spent += money
            budget.spent_delta += delta
            if budget.spent > budget.limit or budget.spent_delta > budget.delta:
                (key,) = (key for key, one in self.budgets.items() if one is budget)
                self.found(number, f"the budget of its {key[2]} was overspent")

    def _without_arrival(self, body: str) -> str:
        """Take out when a question came: it differs from charge to charge, and nothing else follows from it.

        In order of the names it stands right after the analyst, and there alone it is looked for. What is
        left is read without it, so that there cannot be a second one.
        """
        before, found, after = body.partition(_ARRIVED)
        if not found:
            return body
        digits, comma, rest = after.partition(",")
        if not comma or not digits.isdecimal() or str(int(digits)) != digits:
            raise _Uncanonical
        if before not in self._analysts:
            if _read(f'{before}"}}').keys() != {"analyst"}:
                raise _Uncanonical
            self._analysts.add(before)
        return f'{before}",{rest}'

    def _form(self, number: int, before: str, after: str) -> _Form:
        """Understand a charge whose question was cut out; what is in order is remembered."""
        body = _read(f"{before}{_QUESTION}{_AFTER}{after}")
        if body.keys() - {CLOCK} != _NAMES:
            raise ValueError("no charge")
        place = (body["data_set"], body["window"])
        same = {name: value for name, value in body.items() if name not in ("group", CLOCK)}
        assert fingerprint_of(body) == hashlib.sha256(canonical(same).encode()).hexdigest()
        hashed = canonical(same).partition(_QUESTION)
        price = price_read(body)
        if {**body, **price_written(price)} != body:
            raise _Uncanonical
        paid_from = self._paid_from.setdefault(place[0], set())
        fresh = place[1] not in paid_from
        paid_from.add(place[1])
        fine = self._in_order(number, body, paid_from)
        parts = []
        for key in scopes_of(body["analyst"], body["group"], *place):
            budget = self.budgets.get(key)
            if budget is None:
                self.found(number, f"a charge without a budget of its {key[2]}")
                fine = False
                continue
            basic = budget.composition == Composition.BASIC
            money, delta = (price.epsilon, price.delta) if basic else (price.rho, price.rho_delta)
            if money is None:
                raise ValueError("this money is not taken here")
            parts.append((budget, _units(money), _units(delta)))
        form = _Form(body["analyst"], place[0], place, f"{hashed[0]}{_QUESTION}", hashed[2], tuple(parts))
        if fresh:
            # The first charge to a window may make charges to the others of its data set wrong.
            self._forms.clear()
        if fine:
            self._forms[before, after] = form
        return form

    def _in_order(self, number: int, body: dict[str, Any], paid_from: set[str]) -> bool:
        """Look at all that does not depend on money."""
        before = len(self.problems)
        data_set = body["data_set"]
        if len(paid_from) > 1 and not all(self._complete((data_set, window)) for window in paid_from):
            self.found(number, "it may concern people of another window")
        account = self.accounts.get(body["analyst"])
        if data_set in self.stopped or (account is not None and account["suspended"]):
            self.found(number, "a charge while the analyst or the data set was suspended")
        if account is not None and account["group"] != body["group"]:
            self.found(number, "a charge past the group of the analyst")
        return len(self.problems) == before < MOST_PROBLEMS

    def _complete(self, place: Place) -> bool:
        return place in self.windows and self.windows[place].complete

    def _answer(self, number: int, text: str) -> None:
        value, digits = text[_HASH_BEGINS:_HASH_ENDS], text[_SPEND_BEGINS:-1]
        spend = int(digits) if digits.isdecimal() else -1
        # Written again it must be the same. A value with a quotation mark is never the hash of an answer.
        if f"{_ANSWER}{value}{_SPEND}{spend}}}" != text:
            body = _read(text)
            spend, value = body["spend"], body["hash"]
            if type(spend) is not int or type(value) is not str:
                raise ValueError("no answer")
        if spend not in self.charged:
            self.found(number, "an answer without a charge before it")
        if spend in self.answers:
            self.found(number, "a second answer to the same spend")
        self.answers[spend] = value

    def _other(self, number: int, time: int, kind: Kind, body: dict[str, Any]) -> None:
        self._forms.clear()
        if kind is Kind.BUDGET:
            self._budget(number, body)
        elif kind is Kind.ACCOUNT:
            self.accounts[body["name"]] = body
        elif kind is Kind.DATA_SET:
            self._number(body["data_set"])
            (self.stopped.add if body["suspended"] else self.stopped.discard)(body["data_set"])
        elif kind is Kind.WINDOW:
            self._window(number, body)
        elif kind is Kind.REFUSAL:
            key = (time // DAY, body["analyst"], body["data_set"], str(Reason(body["reason"])))
            if body["count"] != 2 * self.refusals.get(key, 0) and (
                key in self.refusals or body["count"] != 1
            ):
                self.found(number, "it tells another count of refusals than comes next")
            self.refusals[key] = body["count"]
        else:
            raise ValueError("neither charges nor answers come here")

    def _budget(self, number: int, body: dict[str, Any]) -> None:
        key = (body["data_set"], body["window"], str(Scope(body["scope"])), body["name"])
        texts = (body["limit"], body["delta"])
        limit, delta = (_units(Decimal(text)) for text in texts)
        if tuple(written(Decimal(text)) for text in texts) != texts:
            raise _Uncanonical
        composition = str(Composition(body["composition"]))
        budget = self.budgets.setdefault(key, Running(composition, limit, delta, texts))
        if budget.composition != composition and (budget.spent or budget.spent_delta):
            self.found(number, "how a budget adds up was changed after something was spent")
        budget.composition, budget.limit, budget.delta, budget.texts = composition, limit, delta, texts

    def _number(self, data_set: str) -> int:
        return self.numbers.setdefault(data_set, len(self.numbers) + 1)

    def _window(self, number: int, body: dict[str, Any]) -> None:
        place = (body["data_set"], body["window"])
        self._number(place[0])
        earlier = self.windows.get(place)
        if earlier is None:
            complete = place[1] not in self._paid_from.get(place[0], ())
            earlier = Opened(len(self.windows) + 1, complete, "", "")
        if body["complete"] is not earlier.complete:
            self.found(number, "it says something else of the window than the charges do")
        told = (body.get("salt", ""), body.get("people", ""))
        self.windows[place] = Opened(earlier.number, earlier.complete, *told)


_PLAIN = frozenset(str(kind) for kind in Kind)
"""kinds are plain words: quoted they are themselves between quotation marks"""


class _Uncanonical(Exception):
    """A body that is not written in the one way."""


def _read(text: str) -> dict[str, Any]:
    body = json.loads(text)
    if canonical(body) != text:
        raise _Uncanonical
    if type(body) is not dict:
        raise ValueError("no body")
    return body


def _refuse_uncanonical(inside: str) -> None:
    """Refuse what stands between two quotation marks and is not one canonical text."""
    decoded, end = scanstring(f'{inside}"', 0)
    if end != len(inside) + 1 or encode_basestring(decoded) != f'"{inside}"':
        raise _Uncanonical


def _units(money: Decimal) -> int:
    """Return money in units of 10⁻¹⁸, exactly."""
    numerator, denominator = money.as_integer_ratio()
    if numerator < 0 or numerator * _UNIT % denominator:
        raise ValueError("money has 18 places and is not negative")
    return numerator * _UNIT // denominator


def in_money(units: int) -> str:
    """Write units as the ledger writes money.

    >>> in_money(300_000_000_000_000_000), in_money(5 * 10**18), in_money(0)
    ('0.3', '5', '0')
    """
    whole, part = divmod(units, _UNIT)
    return f"{whole}.{part:0{DIGITS}d}".rstrip("0").rstrip(".")
