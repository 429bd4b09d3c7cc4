"""What a Beacon must remember over a restart, and what it logs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.dna.beacon.contract import Account

VERSION = 1
Told = dict[tuple[str, tuple[str, int, str]], bool]
"""what was answered, by whose account and question"""


@dataclass(frozen=True)
class Entry:
    """One line of the log: who asked what, and whether they were answered; never what was said."""

    number: int
    asker: str
    chromosome: str
    position: int
    allele: str
    outcome: str
    """answered, again (it was asked before) or refused"""


def write_state(
    told: Told,
    accounts: Mapping[str, Account],
    asked: Mapping[str, set[tuple[str, int, str]]],
    fingerprint: Mapping[str, str | int],
) -> dict[str, Any]:
    """Lay a Beacon's memory out as JSON can hold it. Costs without end are not spent, so all are numbers."""
    return {
        "version": VERSION,
        "of": dict(fingerprint),
        "told": [[scope, *key, answer] for (scope, key), answer in told.items()],
        "accounts": {
            scope: {
                "answered": account.answered,
                "spent": {str(i): float(account.spent[i]) for i in np.flatnonzero(account.spent)},
            }
            for scope, account in accounts.items()
        },
        "asked": {asker: sorted(map(list, keys)) for asker, keys in asked.items()},
    }


def read_state(
    state: Mapping[str, Any], fingerprint: Mapping[str, str | int], people: int
) -> tuple[Told, dict[str, Account], dict[str, set[tuple[str, int, str]]]]:
    """Read a Beacon's memory, or refuse that of another Beacon: a budget that is forgotten is spent twice."""
    if state.get("version") != VERSION or state.get("of") != dict(fingerprint):
        raise BadInput(
            "the state is that of another Beacon or another policy",
            where="beacon, state",
            remedy="start with the same people, sites and policy",
        )
    try:
        told = {
            (str(scope), (str(chromosome), int(position), str(allele))): _answer(answer)
            for scope, chromosome, position, allele, answer in state["told"]
        }
        accounts = {}
        for scope, held in state["accounts"].items():
            spent = np.zeros(people)
            for person, price in held["spent"].items():
                spent[_person(person, people)] = _price(price)
            accounts[str(scope)] = Account(spent, _answered(held["answered"], told, str(scope)))
        asked = {
            str(asker): {(str(c), int(p), str(a)) for c, p, a in keys}
            for asker, keys in state["asked"].items()
        }
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        raise BadInput(
            "the state cannot be read", where="beacon, state", remedy="give what 'exported' returned"
        ) from None
    return told, accounts, asked


def _answer(given: object) -> bool:
    if not isinstance(given, bool):
        raise ValueError
    return given


def _person(given: str, people: int) -> int:
    found = int(given)
    if not 0 <= found < people:
        raise ValueError
    return found


def _price(given: object) -> float:
    """What was spent is not negative: that would be a budget larger than anybody was given."""
    found = float(given)  # type: ignore[arg-type]  # what is no number is refused
    if not 0 <= found < math.inf:
        raise ValueError
    return found


def _answered(given: object, told: Told, scope: str) -> int:
    """Answers that are remembered were paid for; one that is not remembered may have been."""
    if not isinstance(given, int) or given < sum(1 for whose, _ in told if whose == scope):
        raise ValueError
    return given
