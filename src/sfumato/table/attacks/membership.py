"""Membership told from a list of the population: who of those who look alike is in the release.

M. E. Nergiz, M. Atzori & C. Clifton, "Hiding the presence of individuals from shared databases" (2007).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.attack import MOST_VICTIMS, AttackResult, Need, Scored, Victim
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.inference.inside_outside import ids_inside
from sfumato.table.attacks.matching.candidates import Candidates, candidates
from sfumato.table.attacks.matching.combinations import expanded
from sfumato.table.attacks.matching.truth import places, texts_of
from sfumato.table.published import PublishedTable

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Membership:
    """Say of everybody in a list of the population how likely they are in the release.

    With f_c people of class c in the release and F_c of the population who may be of it, each of them once
    where a column of the list names its people:

        Pr[somebody of c is in the release] = f_c / F_c,

    and where labels overlap, or somebody has several rows in the list, so that people may be of several
    classes, the sum of these, at most 1 (the greatest of them where people have several rows in the release,
    too). The best guess is *in* above 1/2. ``certain`` counts those who are certainly in (f_c = F_c for one
    of their classes), ``highest`` is the greatest probability of being in; the details say who is certainly
    not in, because no class may be theirs. ``baseline`` is the best guess from the overall rate n/N alone.

    After δ-presence no probability of somebody with one row lies outside of its bounds. It knows
    quasi-identifiers only; a release of noisy or synthetic records is for ``membership-by-distance``.

    >>> Membership().needs == frozenset({Need.POPULATION})
    True
    """

    name: ClassVar[str] = "membership"
    title: ClassVar[str] = "presence told from a list of the population"
    threat: ClassVar[Threat] = Threat.MEMBERSHIP
    needs: ClassVar[frozenset[Need]] = frozenset({Need.POPULATION})

    def run(
        self,
        target: PublishedTable,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Compare every class with those of the population who may be of it."""
        population = self._population(target, knowledge)
        progress.step("comparing the release with the population")
        found = candidates(target, population, knowledge.hierarchies, missing="value")
        released, reached = found.class_persons, found.reached
        ids = ids_inside(target, knowledge.original)
        together = int(released.sum()) > _number_released(target, found)
        listed = _presence(found, population, ids, together=together)
        people, chance, sure, truth = listed.people, listed.chance, listed.sure, listed.inside
        everybody, inside = int(people.sum()), _number_released(target, found)
        nobody = int(released[reached == 0].sum())
        if not everybody:
            raise BadInput(
                "no row of the list names a person", where=self.name, remedy="check its person column"
            )
        if not reached.any():
            raise BadInput(
                "no record of the release may be of anybody in the list",
                where=self.name,
                remedy="code both alike, or give the list of the people whom the release is about",
            )
        if inside > everybody:
            raise BadInput(
                f"the list has {everybody:,} people and the release {inside:,}: it is not the population",
                where=self.name,
                remedy="give a list of everybody whom the release may be about",
            )
        claims = np.where(chance > 0.5, 1.0, np.where(chance == 0.5, 0.5, 0.0))
        if truth is None:
            right = float((people * np.maximum(chance, 1 - chance)).sum())
            share = inside / everybody
        else:
            right = float((claims * truth + (1 - claims) * (people - truth)).sum())
            share = int(truth.sum()) / everybody
        return AttackResult(
            self.name,
            self.threat,
            attempts=everybody,
            success=right / everybody,
            baseline=max(share, 1 - share),
            guessing=max(share, 1 - share),
            certain=int(people[sure].sum()),
            highest=float(chance[people > 0].max()),
            scored=Scored.EXPECTED if truth is None else Scored.MEASURED,
            details={
                "overall_rate": share,
                "certainly_not_in": int(people[chance == 0].sum()),
                "least_probability": float(chance[people > 0].min()),
                "greatest_probability": float(chance[people > 0].max()),
                "released_people_who_match_nobody": nobody,
            },
            note=_note(found, nobody, int((released > reached).sum())),
            victims=_victims(found, population) if victims else (),
        )

    def _population(self, target: PublishedTable, knowledge: Knowledge) -> People:
        """Return the list, with the columns that are quasi-identifiers of the release."""
        population = knowledge.population
        if population is None:
            raise BadInput("no list of the population is given", where=self.name, remedy="give 'population'")
        common = {name: own for name, own in population.columns.items() if name in target.quasi}
        if not common:
            raise BadInput(
                "the list of the population has none of the quasi-identifiers",
                where=self.name,
                remedy="map its columns to those of the release",
            )
        return replace(population, columns=common)


@dataclass(frozen=True)
class _Listed:
    """Groups of people of the list who fare alike, or single people where a column names them."""

    people: Ints
    chance: Floats
    sure: NDArray[np.bool_]
    inside: Floats | None
    """how many of each group are truly in; None where ids do not say so"""


def _chances(found: Candidates) -> tuple[Floats, NDArray[np.bool_]]:
    """Return for every class the chance to be in the release, and whether it is sure."""
    released, reached = found.class_persons, found.reached
    share = np.divide(released, reached, out=np.zeros(len(reached)), where=reached > 0)
    return share, (released == reached) & (reached > 0)


def _of_combinations(found: Candidates) -> tuple[Floats, NDArray[np.bool_]]:
    """Return for every combination the chance to be in, and whether it is sure."""
    share, full = _chances(found)
    if found.only is not None:
        some = found.only >= 0
        at = np.maximum(found.only, 0)
        return np.where(some, np.minimum(share[at], 1.0), 0.0), some & full[at]
    starts, classes = found.listed
    owner = np.repeat(np.arange(len(found)), np.diff(starts))
    chance = np.bincount(owner, share[classes], len(found))
    sure = np.bincount(owner, full[classes].astype(np.float64), len(found)) > 0
    return np.minimum(chance, 1.0), sure


def _presence(found: Candidates, population: People, ids: pa.Array | None, *, together: bool) -> _Listed:
    """Return how likely everybody is in; ``ids`` are those of the people who truly are, where known.

    ``together`` says that the release, too, has several rows of one person: whoever is in is then in with
    all of them, so that the likeliest class counts. Else it has one, of any class, and chances add up.
    """
    chance, sure = _of_combinations(found)
    if population.person is None:
        return _Listed(found.persons, chance, sure, None)
    names = [population.columns[name] for name in found.columns]
    batches = list(population.table.engine.count(population.table, [population.person, *names]))
    rows = pa.Table.from_batches(batches)
    rows = rows.filter(rows.column(0).is_valid())
    whose = texts_of(rows.column(0))
    people, who = np.unique(whose.to_numpy(zero_copy_only=False).astype(str), return_inverse=True)
    combination = places(rows.columns[1 : len(names) + 1], found.known.columns[: len(names)])
    chances, certain = np.zeros(len(people)), np.zeros(len(people), np.bool_)
    chances[who], certain[who] = chance[combination], sure[combination]
    several = np.flatnonzero((np.bincount(who, minlength=len(people)) > 1)[who])
    if together:
        np.maximum.at(chances, who, chance[combination])
        np.logical_or.at(certain, who, sure[combination])
    elif len(several):
        _of_several(found, who[several], combination[several], chances, certain)
    inside = None
    if ids is not None:
        inside = np.isin(people, ids.to_numpy(zero_copy_only=False).astype(str)).astype(np.float64)
        if not inside.any() and not population.same_ids:
            inside = None
        elif len(people) and not inside.any():
            raise BadInput(
                "nobody of the release is found in the list of the population by their person column",
                where=Membership.name,
                remedy="name person columns with the same ids, or none",
            )
    return _Listed(np.ones(len(people), np.int64), chances, certain, inside)


def _of_several(
    found: Candidates, who: Ints, combination: Ints, chances: Floats, certain: NDArray[np.bool_]
) -> None:
    """Put in the chances of people with several combinations: over all their classes, each once."""
    share, full = _chances(found)
    wanted, place = np.unique(combination, return_inverse=True)
    pair, reached = expanded(*found.classes_of(wanted), place)
    chances[who], certain[who] = 0.0, False
    owner, classes = np.unique(np.stack([who[pair], reached]), axis=1)
    np.add.at(chances, owner, share[classes])
    np.minimum(chances, 1.0, out=chances)
    np.logical_or.at(certain, owner, full[classes])


def _number_released(target: PublishedTable, found: Candidates) -> int:
    """Count the people of the release; without ids, those of the classes."""
    ids = ids_inside(target, None)
    return int(found.class_persons.sum()) if ids is None else len(ids)


def _note(found: Candidates, nobody: int, short: int) -> str:
    said = list(found.notes)
    if nobody:
        said.append(f"{nobody:,} released people match nobody of the list")
    if short:
        said.append(f"{short:,} classes hold more people than the list: it does not hold everybody")
    if found.only is None:
        said.append("labels overlap: probabilities of several classes are added up")
    return "; ".join(said)


def _victims(found: Candidates, population: People) -> tuple[Victim, ...]:
    """List rows of people who are more likely in than not, the surest first."""
    chance, sure = _of_combinations(found)
    chosen = np.flatnonzero((chance > 0.5) | sure)
    chosen = chosen[np.argsort(-chance[chosen], kind="stable")]
    names = [population.columns[name] for name in found.columns]
    listed: list[Victim] = []
    for alike in np.split(chosen, np.flatnonzero(np.diff(chance[chosen])) + 1):
        left = MOST_VICTIMS - len(listed)
        if not len(alike) or not left:
            break
        wanted = found.known.select(list(range(len(names)))).take(pa.array(alike)).rename_columns(names)
        rows = population.table.engine.first_rows(population.table, names, wanted, left)
        listed += [Victim(row, float(chance[alike[0]])) for row in rows]
    return tuple(listed)
