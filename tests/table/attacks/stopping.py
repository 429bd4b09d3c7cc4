"""A small clinic, open and protected, and what is claimed of every model: which attack it stops, and how far.

Everybody in the clinic is alone with age and town. By bands of age and towns they are three and three, and
those three have much the same: one illness, or illnesses of one organ, and nearly the same pay.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd
import pyarrow as pa

import sfumato as sf
from sfumato.core.attack import AttackResult
from sfumato.core.randomness import SeededRandom
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.published import PublishedTable
from tests.table.attacks.tables import in_memory

ORGANS = {
    "stomach": ("ulcer", "gastritis", "stomach cancer"),
    "lung": ("flu", "bronchitis", "pneumonia"),
}
ILLNESSES = sf.Tree({"ill": {organ: list(names) for organ, names in ORGANS.items()}})
HIERARCHIES: dict[str, Any] = {
    "age": sf.Intervals((5, 10, 20)),
    "band": sf.Intervals((10, 20)),
    "town": sf.Tree({"land": {"north": ["a", "b"], "south": ["c", "d"]}}),
}
_CELLS = 32


def clinic() -> pd.DataFrame:
    """Make three people for each of eight bands of age in four towns."""
    rows = []
    for i in range(3 * _CELLS):
        cell = i // 3
        band, town = 20 + 5 * (cell % 8), "abcd"[cell // 8]
        organ = ("stomach", "lung")[(cell % 8 + cell // 8) % 2]
        ill = ORGANS[organ][cell % 3 if cell % 4 == 0 else i % 3]
        pay = 20 + 10 * (cell * 5 % _CELLS) + i % 3
        rows.append((i, band + i % 3, band, town, ill, pay, organ if i % 2 else None))
    return pd.DataFrame(rows, columns=["id", "age", "band", "town", "ill", "pay", "guard"])


def neighbours() -> pd.DataFrame:
    """Make the population: the clinic, and two others for each of its patients."""
    data = clinic()
    others = [data.assign(age=data["age"] + more, band=data["band"]) for more in (1, 2)]
    return pd.concat([data, *others], ignore_index=True)[["age", "band", "town"]]


@dataclass(frozen=True)
class Situation:
    """What an adversary finds."""

    target: PublishedTable
    knowledge: Knowledge = field(default_factory=Knowledge)


Figure = Callable[[AttackResult, Situation], float]
"""what is bounded"""


def highest(result: AttackResult, _: Situation) -> float:
    """Return the greatest confidence about anybody."""
    return result.highest


def success(result: AttackResult, _: Situation) -> float:
    """Return the share of people about whom the adversary is right."""
    return result.success


def sure(result: AttackResult, _: Situation) -> float:
    """Return the share of people of whom the adversary is certain."""
    return result.certain / result.attempts


def by_candidates(result: AttackResult, _: Situation) -> float:
    """Return the greatest chance of a pick among all records that fit somebody."""
    return max(1 / victim.candidates for victim in result.victims)


def of_detail(name: str) -> Figure:
    """Return a figure of the attack alone; yes is 1 and no is 0."""

    def figure(result: AttackResult, _: Situation) -> float:
        told = result.details[name]
        return float({"yes": 1, "no": 0}.get(told, told) if isinstance(told, str) else told)

    return figure


@dataclass(frozen=True)
class Claim:
    """What an attack learns after a model is at most a limit: ``equation`` says which, and why."""

    model: Any
    attack: Any
    figure: Figure
    limit: float
    equation: str
    before: Callable[[], Situation]
    after: Callable[[Any], Situation]
    victims: bool = False

    def learned(self, situation: Situation) -> float:
        """Run the attack and return the figure."""
        result = self.attack.run(situation.target, situation.knowledge, victims=self.victims)
        return self.figure(result, situation)

    def __str__(self) -> str:
        return f"{self.model} stops {self.attack.name}: {self.equation}"


def opened(quasi: tuple[str, ...], sensitive: tuple[str, ...] = (), **more: Any) -> Situation:
    """Release the clinic with names removed, and nothing else done."""
    target = _published(clinic(), quasi, sensitive)
    population = PublishedTable(_table(neighbours()), quasi)
    return Situation(replace(target, guard="guard", population=population), _knowledge(quasi, **more))


def protected(
    model: Any, quasi: tuple[str, ...], sensitive: tuple[str, ...] = (), *, listed: bool = False, **how: Any
) -> Situation:
    """Release the clinic under a promise, made by a method, and give the adversary what is public."""
    guard: dict[str, Any] = {"guard": "guard"} if model.name == "personalised-privacy" else {}
    kinds = {"ill": ILLNESSES} if guard or getattr(model, "distance", "") == "hierarchical" else {}
    data = clinic()[[*quasi, *sensitive, *guard.values()]]
    release = sf.protect(
        data,
        quasi=list(quasi),
        sensitive=list(sensitive),
        models=[model],
        hierarchies={**{name: HIERARCHIES[name] for name in quasi}, **kinds},
        order="kept",
        **guard,
        **{"method": sf.OptimalLattice(), **how},
    )
    assert release.verdicts[0].model == model.name
    assert release.verdicts[0].holds
    target = _published(release.data, quasi, sensitive)
    if release.suppressed or len(release.data) != len(data):
        raise AssertionError("a row of the release is no longer the row of the same person")
    return Situation(target, _knowledge(quasi, listed=listed, hierarchies=release.hierarchies))


def identified(model: Any, method: Any) -> Situation:
    """Release age, town and illness, and keep the ids beside, so that it is known who was found rightly."""
    quasi = ("age", "town")
    release = sf.protect(
        clinic()[[*quasi, "ill"]],
        quasi=list(quasi),
        sensitive="ill",
        models=[model],
        hierarchies={name: HIERARCHIES[name] for name in quasi},
        method=method,
        order="kept",
    )
    assert len(release.data) == len(clinic())
    target = PublishedTable(
        _table(release.data.assign(id=clinic()["id"])), quasi, ("ill",), person="id", hiding=quasi
    )
    original = PublishedTable(_table(clinic()[["id", *quasi]]), quasi, person="id")
    return Situation(target, Knowledge(original=original, hierarchies=release.hierarchies))


def _published(data: pd.DataFrame, quasi: tuple[str, ...], sensitive: tuple[str, ...]) -> PublishedTable:
    hierarchies = {"ill": ILLNESSES} if "ill" in sensitive else {}
    return PublishedTable(
        _table(data), quasi, sensitive, hierarchies=hierarchies, original=_table(clinic()[list(quasi)])
    )


def _knowledge(quasi: tuple[str, ...], *, listed: bool = False, hierarchies: Any = None) -> Knowledge:
    """Return an adversary who knows the quasi-identifiers of everybody.

    Everybody in the data, or with ``listed`` everybody in the population, without knowing who is in the data.
    """
    public = {name: HIERARCHIES[name] for name in quasi} if hierarchies is None else hierarchies
    if listed:
        people = People(_table(neighbours()[list(quasi)]), {name: name for name in quasi})
        return Knowledge(people=people, population=people, hierarchies=public)
    original = PublishedTable(_table(clinic()[list(quasi)]), quasi)
    return Knowledge(original=original, hierarchies=public)


def _table(data: pd.DataFrame) -> Any:
    return in_memory(pa.Table.from_pandas(data, preserve_index=False))


@functools.cache
def randomised(keep: float | None = None, **calibrated: float) -> Situation:
    """Release illnesses that were randomised, keeping a share or as much as a promise allows."""
    values = tuple(name for names in ORGANS.values() for name in names)
    how: dict[str, Any] = calibrated if keep is None else {"keep": keep}
    records = pa.Table.from_pandas(clinic()[["ill"]], preserve_index=False)
    step = sf.RetentionReplacement("ill", values, **how).apply(records, SeededRandom(5))
    return Situation(PublishedTable(in_memory(step.records), (), ("ill",), mechanisms=step.mechanisms))


def street() -> pd.DataFrame:
    """Make a crowd in which everybody is alone: one person of each age in each of 75 houses."""
    return pd.DataFrame({"age": [i % 40 + 20 for i in range(3000)], "house": [i // 40 for i in range(3000)]})


def on_the_street(method: sf.SafePub | None = None) -> Situation:
    """Release the street as it is, or a sample of it; the population are 150 houses."""
    hierarchies: dict[str, Any] = {"age": sf.Intervals((10, 20)), "house": sf.Intervals((25, 75))}
    quasi = ("age", "house")
    released, mechanisms = street(), tuple[Any, ...]()
    if method is not None:
        release = sf.protect(
            street(),
            quasi=list(quasi),
            models=[sf.DifferentialPrivacy(method.epsilon, method.delta)],
            method=method,
            hierarchies=hierarchies,
            random=SeededRandom(3),
        )
        assert release.verdicts[0].holds
        released, mechanisms = release.data, (method.mechanism,)
    everybody = pd.concat([street(), street().assign(house=street()["house"] + 75)])
    people = People(_table(everybody), {name: name for name in quasi})
    original = PublishedTable(_table(street()), quasi)
    target = PublishedTable(_table(released), quasi, mechanisms=mechanisms)
    return Situation(target, Knowledge(original=original, population=people, hierarchies=hierarchies))
