"""Attacks that somebody asks for: which adversary, what it holds, and how often it may be right at most.

The bounds are asked of every result of an attack, one for each sensitive column: ``at-most`` of the share of
people about whom the adversary is right, ``advantage-at-most`` of what is due to the people's own data
(success − baseline), ``sure-at-most`` of the share of people about whom the adversary is sure.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from sfumato.core.attack import AttackResult, Need
from sfumato.core.errors import BadInput, nearest
from sfumato.core.named import build
from sfumato.engine.sources import Source
from sfumato.table.attacks import ATTACKS
from sfumato.table.attacks.contract import Attack, used_by
from sfumato.table.attacks.similarity import Similarity
from sfumato.table.published import PublishedTable

BOUNDS = ("at-most", "advantage-at-most", "sure-at-most")
"""keys of a bound, beside the parameters of an attack"""
HELD = ("with", "map", "others")
"""keys of what the adversary holds: an identified file, which of its columns says what, other releases"""


@dataclass(frozen=True)
class AskedAttack:
    """An attack to run, what the adversary holds, and the bounds that must not be exceeded."""

    attack: Attack
    bounds: Mapping[str, float] = field(default_factory=dict)
    people: Source | None = None
    """an identified file; without one the adversary knows the quasi-identifiers of everybody"""
    columns: Mapping[str, str] = field(default_factory=dict)
    """from a column of the release to the column of the file that says the same"""
    others: tuple[Path | Source, ...] = ()
    """other releases about some of the same people: folders, or tables"""

    def public(self) -> dict[str, dict[str, Any]]:
        """Say which attack was bounded, and how: no file, and no parameter that may hold a value."""
        column = getattr(self.attack, "column", None)
        return {self.attack.name: {**({"column": column} if column else {}), **self.bounds}}


@dataclass(frozen=True)
class Exceeded:
    """A bound that a result does not keep."""

    key: str
    """which of the bounds"""
    found: Fraction
    """the share, with those who count as found because nobody compared them"""
    bound: float
    unproven: int = 0
    """people who count as found because nobody compared them"""


def asked_attacks(
    given: Any,
    source_of: Callable[[Any], Path | Source],
    where: str = "attacks",
    registry: Mapping[str, type[Any]] = ATTACKS,
) -> list[AskedAttack]:
    """Read attacks from the spelling of recipes, or take them as they are.

    ``source_of`` opens what an adversary holds: a table, or the folder of a release. ``registry`` are the
    attacks on the kind of data.

    >>> from sfumato.engine.sources import Frame
    >>> asked_attacks({"homogenity": {}}, Frame)
    Traceback (most recent call last):
    sfumato.core.errors.BadInput: attacks[0]: there is no attack 'homogenity'; did you mean 'homogeneity'?
    """
    listed = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    return [_asked(one, source_of, f"{where}[{number}]", registry) for number, one in enumerate(listed)]


def _asked(
    given: Any, source_of: Callable[[Any], Path | Source], where: str, registry: Mapping[str, type[Any]]
) -> AskedAttack:
    if isinstance(given, AskedAttack):
        return given
    if not isinstance(given, str | Mapping):
        if isinstance(given, type) or not hasattr(given, "run") or not hasattr(given, "threat"):
            raise BadInput(
                f"an attack is a {type(given).__name__}",
                where=where,
                remedy=f"give an object, or a name: {', '.join(registry)}",
            )
        return AskedAttack(given)
    if isinstance(given, str):
        return AskedAttack(build(registry, given, "attack", where))
    if len(given) != 1:
        raise BadInput(
            "an attack is one name with its parameters",
            where=where,
            remedy="put each into an item of its own",
        )
    ((name, parameters),) = given.items()
    if parameters is not None and not isinstance(parameters, Mapping):
        raise BadInput(
            f"the parameters of {name} have no names", where=where, remedy=f"write '{name}: {{at-most: 0.1}}'"
        )
    told = {str(key).replace("_", "-"): value for key, value in (parameters or {}).items()}
    own = {key: value for key, value in told.items() if key not in (*BOUNDS, *HELD)}
    _suggest_bounds(name, own, where, registry)
    attack = build(registry, {name: own}, "attack", where)
    bounds = {key: _bound(told[key], key, where) for key in BOUNDS if key in told}
    people = told.get("with")
    if registry is ATTACKS:
        for key, need in (("with", Need.PEOPLE), ("others", Need.OTHERS)):
            if told.get(key) is not None:
                refuse_unused([attack], need, f"'{key}'", where)
    return AskedAttack(
        attack,
        bounds,
        None if people is None else _source(source_of(people), where),
        _map(told.get("map"), people, where),
        tuple(source_of(other) for other in _listed(told.get("others"))),
    )


def refuse_unused(attacks: Sequence[Attack], need: Need, given: str, where: str = "") -> None:
    """Refuse what none of the attacks looks at: their answer would seem to be about it."""
    if attacks and all(need not in used_by(attack) for attack in attacks):
        names = ", ".join(attack.name for attack in attacks)
        verb = "does" if len(attacks) == 1 else "do"
        raise BadInput(
            f"{names} {verb} not look at {need}, which {given} gives",
            where=where,
            remedy=f"leave {given} out, or name an attack that does",
        )


def _suggest_bounds(name: Any, own: Mapping[str, Any], where: str, registry: Mapping[str, type[Any]]) -> None:
    """Point to a bound where one was probably meant: attacks know only parameters of their own."""
    for key in own:
        close = difflib.get_close_matches(key, (*BOUNDS, *HELD), 1, 0.8)
        kind = registry.get(name)
        if close and kind and key.replace("-", "_") not in {one.name for one in dataclasses.fields(kind)}:
            raise BadInput(
                f"'{key}' is not a key of {name}", where=where, remedy=f"did you mean '{close[0]}'?"
            )


def _source(found: Path | Source, where: str) -> Source:
    if isinstance(found, Path):
        raise BadInput("this is a folder", where=f"{where}, {found}", remedy="give an identified file")
    return found


def _listed(given: Any) -> list[Any]:
    if given is None:
        return []
    return list(given) if isinstance(given, list | tuple) else [given]


def _bound(given: Any, key: str, where: str) -> float:
    number = isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given)
    if not number or not 0 <= given <= 1:
        raise BadInput(f"'{key}' must be a share between 0 and 1", where=where, remedy="write 0.1 for 10 %")
    share: float = given
    return share


def _map(given: Any, people: Any, where: str) -> dict[str, str]:
    if given is None:
        return {}
    if people is None:
        raise BadInput("'map' speaks of a file that is not there", where=where, remedy="add 'with: FILE'")
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given.values()):
        raise BadInput(
            "'map' must lead from columns of the release to columns of the file",
            where=where,
            remedy="write 'map: {zip: postcode}'",
        )
    return {str(name): of_file for name, of_file in given.items()}


def over_columns(attack: Attack, target: PublishedTable) -> list[Attack]:
    """Return an attack once for every column that it may be about, when it leaves open which one.

    These are the sensitive columns; for an attack on a mechanism, the columns that were randomised.
    """
    made: Any = attack
    names = {one.name for one in dataclasses.fields(made)}
    randomised = dict.fromkeys(mechanism.column for mechanism in target.mechanisms)
    columns = tuple(randomised) if Need.MECHANISM in attack.needs else target.sensitive
    if "column" not in names or made.column is not None or not columns:
        return [attack]
    return [dataclasses.replace(made, column=column) for column in columns]


def attacked_along_a_hierarchy(asked: Sequence[AskedAttack], sensitive: Sequence[str]) -> set[str]:
    """Return the sensitive columns whose hierarchy an attack that was asked for goes by."""
    found: set[str] = set()
    for one in asked:
        if isinstance(one.attack, Similarity):
            found |= {*sensitive} if one.attack.column is None else {one.attack.column}
    return found


def check_columns_of(asked: Sequence[AskedAttack], sensitive: Sequence[str], columns: Sequence[str]) -> None:
    """Refuse attacks on columns that are not there, before anything is read."""
    for number, one in enumerate(asked):
        column = getattr(one.attack, "column", None)
        # Any column may have been randomised.
        allowed = columns if Need.MECHANISM in one.attack.needs else sensitive
        if column is not None and column not in allowed:
            what = f"'{column}' is not sensitive" if column in columns else f"there is no column '{column}'"
            raise BadInput(
                what, where=f"attacks[{number}], {one.attack.name}", remedy=nearest(column, allowed)
            )
        for name in one.columns:
            if name not in columns:
                raise BadInput(
                    f"'map' speaks of a column '{name}' that the data do not have",
                    where=f"attacks[{number}], {one.attack.name}",
                    remedy=nearest(name, columns),
                )


def share_exactly(share: float, people: int) -> Fraction:
    """Return the count of people behind a share where there is one, else the decimal that it is written as.

    A count divided by a count rounds to one float: where it is that float, the counts are known again.

    >>> share_exactly(0.1, 30), share_exactly(1 / 3, 30), share_exactly(0.1, 15)
    (Fraction(1, 10), Fraction(1, 3), Fraction(1, 10))
    """
    counted = round(share * people)
    return Fraction(counted, people) if people and counted / people == share else Fraction(str(share))


def exceeded(bounds: Mapping[str, float], result: AttackResult) -> list[Exceeded]:
    """Return the bounds that a result does not keep; exactly at the bound it does.

    >>> from sfumato.core.verdict import Threat
    >>> found = AttackResult("linkage", Threat.IDENTITY, 20, success=0.2, baseline=0.15, guessing=0.05)
    >>> exceeded({"at-most": 0.2, "advantage-at-most": 0.05}, found)
    []
    >>> [one.key for one in exceeded({"at-most": 0.1}, found)]
    ['at-most']

    A bound is about everybody. Whom the adversary never compared, by a limit of its own, and about whom it
    only makes claims that no truth can settle, counts as found.

    >>> half = dataclasses.replace(found, not_compared=10)
    >>> [(one.key, str(one.found), one.unproven) for one in exceeded({"at-most": 0.2}, half)]
    [('at-most', '7/10', 10)]
    """
    people, everybody = result.attempts, result.attempts + result.left_out
    success, baseline = share_exactly(result.success, people), share_exactly(result.baseline, people)
    if result.unproven:
        success = min((success * people + result.unproven) / everybody, Fraction(1))
    certain = result.certain if result.certain_at_most is None else result.certain_at_most
    sure = Fraction(certain + result.unproven, everybody) if everybody else Fraction(0)
    figures = {
        "at-most": success,
        "advantage-at-most": success - baseline,
        "sure-at-most": min(sure, Fraction(1)),
    }
    # A number such as 0.1 means the decimal that it was written as.
    return [
        Exceeded(key, figures[key], bound, result.unproven)
        for key, bound in bounds.items()
        if figures[key] > Fraction(str(bound))
    ]
