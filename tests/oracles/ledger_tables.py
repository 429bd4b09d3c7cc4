"""What every table of a ledger must hold, worked out from its log anew for each table.

It shares nothing with the ledger but the words of the log. Money is a Fraction, each total is summed over all
charges, numbers are counted, bodies are read as JSON.
"""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from typing import Any

Log = list[tuple[int, int, str, str, str, str]]
"""sequence, time, kind, body, previous, hash"""
DAY = 24 * 60 * 60 * 1_000_000


def chained(log: Log) -> bool:
    """Every entry has its number and the hash of all that stands before it."""
    before = "0" * 64
    for place, (sequence, time, kind, body, previous, value) in enumerate(log, 1):
        whole = json.dumps([place, time, kind, body, before], separators=(",", ":"), ensure_ascii=False)
        if (sequence, previous, value) != (place, before, hashlib.sha256(whole.encode()).hexdigest()):
            return False
        before = value
    return True


def told(log: Log, *kinds: str) -> list[tuple[int, int, str, dict[str, Any]]]:
    """The entries of some kinds: number, time, kind, what they tell."""
    return [(entry[0], entry[1], entry[2], json.loads(entry[3])) for entry in log if entry[2] in kinds]


def spends(log: Log) -> set[tuple[Any, ...]]:
    found = set()
    for number, time, _, body in told(log, "charge"):
        asked = {name: value for name, value in body.items() if name not in ("group", "clock", "arrived")}
        text = json.dumps(asked, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        print_of = hashlib.sha256(text.encode()).hexdigest()
        found.add((number, print_of, body["analyst"], body["data_set"], time))
    return found


def answer_hashes(log: Log) -> set[tuple[int, str]]:
    return {(body["spend"], body["hash"]) for _, _, _, body in told(log, "answer")}


def budgets(log: Log) -> set[tuple[Any, ...]]:
    """Data set, window, scope, name, composition, limit, δ, spent, spent δ; money as Fractions."""
    newest = {}
    for _, _, _, body in told(log, "budget"):
        newest[body["data_set"], body["window"], body["scope"], body["name"]] = body
    found = set()
    for key, body in newest.items():
        money, delta = Fraction(0), Fraction(0)
        for _, _, _, charge in told(log, "charge"):
            name = {"data set": charge["data_set"], "group": charge["group"], "analyst": charge["analyst"]}
            if (charge["data_set"], charge["window"]) == key[:2] and name[key[2]] == key[3]:
                basic = body["composition"] == "basic"
                money += Fraction(charge["epsilon" if basic else "rho"])
                delta += Fraction(charge["delta" if basic else "rho_delta"])
        found.add((*key, body["composition"], Fraction(body["limit"]), Fraction(body["delta"]), money, delta))
    return found


def accounts(log: Log) -> set[tuple[Any, ...]]:
    """Name, role, group, identifier of the key, hash of the hash of the key, subject, suspended, expires."""
    newest = {body["name"]: body for _, _, _, body in told(log, "account")}
    parts = ("name", "role", "group", "key_id", "key", "subject", "suspended")
    return {(*(body[part] for part in parts), body.get("expires")) for body in newest.values()}


def data_sets(log: Log) -> set[tuple[int, str, bool]]:
    names: list[str] = []
    suspended: dict[str, bool] = {}
    for _, _, kind, body in told(log, "data set", "window"):
        if body["data_set"] not in names:
            names.append(body["data_set"])
        if kind == "data set":
            suspended[body["data_set"]] = body["suspended"]
    return {(place, name, suspended.get(name, False)) for place, name in enumerate(names, 1)}


def windows(log: Log) -> set[tuple[int, int, str, bool]]:
    numbers = {name: number for number, name, _ in data_sets(log)}
    places: list[tuple[str, str]] = []
    found = set()
    for number, _, _, body in told(log, "window"):
        place = (body["data_set"], body["window"])
        if place not in places:
            places.append(place)
            earlier = [(c["data_set"], c["window"]) for n, _, _, c in told(log, "charge") if n < number]
            found.add((len(places), numbers[place[0]], place[1], place not in earlier))
    return found


def people_fit(log: Log, people: list[tuple[int, int, int]]) -> bool:
    """The people (data set, person, window) are those that the newest entry of each window vouches for."""
    left = set(people)
    numbers = {name: number for number, name, _ in data_sets(log)}
    of_window = {(place, name): number for number, place, name, _ in windows(log)}
    newest = {(numbers[b["data_set"]], b["window"]): b for _, _, _, b in told(log, "window")}
    for key, body in newest.items():
        mine = sorted(
            person for place, person, window in people if (place, window) == (key[0], of_window[key])
        )
        whole = bytes.fromhex(body["salt"]) + b"".join(
            each.to_bytes(8, "little", signed=True) for each in mine
        )
        if hashlib.sha256(whole).hexdigest() != body["people"]:
            return False
        left -= {(key[0], person, of_window[key]) for person in mine}
    return not left


def refusals(log: Log) -> set[tuple[Any, ...]]:
    counts: dict[tuple[Any, ...], int] = {}
    for _, time, _, body in told(log, "refusal"):
        key = (time // DAY, body["analyst"], body["data_set"], body["reason"])
        counts[key] = max(counts.get(key, 0), body["count"])
    return {(*key, count) for key, count in counts.items()}


def fits(log: Log, tables: dict[str, list[tuple[Any, ...]]]) -> bool:
    """Whether a ledger (its tables, by name, as they were read) is what its log tells."""

    def money(row: tuple[Any, ...]) -> tuple[Any, ...]:
        return (*row[:5], *(Fraction(text) for text in row[5:]))

    def vouched(row: tuple[Any, ...]) -> tuple[Any, ...]:
        name, role, team, key_id, key_hash, subject, suspended, expires = row
        key = None if key_hash is None else hashlib.sha256(key_hash.encode()).hexdigest()
        return name, role, team, key_id, key, subject, bool(suspended), expires

    def hashed(row: tuple[Any, ...]) -> tuple[Any, ...]:
        return row[0], hashlib.sha256(row[1].encode()).hexdigest()

    def same(name: str, wanted: set[Any], read: Any = tuple) -> bool:
        rows = [read(row) for row in tables[name]]
        return len(rows) == len(wanted) and set(rows) == wanted

    return (
        chained(log)
        and same("ledger_spends", spends(log))
        and same("ledger_answers", answer_hashes(log), hashed)
        and same("ledger_budgets", budgets(log), money)
        and same("ledger_analysts", accounts(log), vouched)
        and same("ledger_data_sets", data_sets(log))
        and same("ledger_windows", windows(log))
        and same("ledger_refusals", refusals(log))
        and people_fit(log, [(row[0], row[1], row[2]) for row in tables["ledger_people"]])
        and not tables["ledger_turn"]
    )
