"""The attacks story: promise after promise about the same hospital, and the attack that gets past each.

P. Samarati and L. Sweeney 1998 (linkage, k-anonymity); A. Machanavajjhala et al. 2006 (homogeneity and
background knowledge, l-diversity); N. Li et al. 2007 (skewness and similarity, t-closeness); J. Li et al.
2008 ((ε,m)-anonymity); G. Loukides and J. Shao 2011 (range diversity).

Nothing is told that was not run: releases are made as ``protect`` makes them, and attacked as ``attack``
does. How it is told is in the files beside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from sfumato.core.attack import AttackResult
from sfumato.core.errors import PromiseNotMet
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Verdict
from sfumato.engine import open_engine
from sfumato.recipe.api import Release, job_for, release_in_memory
from sfumato.recipe.attack import attack
from sfumato.recipe.story.town import NAMED, PERSON, QUASI, SENSITIVE, Town, town
from sfumato.table.attacks import BackgroundKnowledge, Homogeneity, Linkage, Similarity, Skewness
from sfumato.table.attacks.contract import Attack
from sfumato.table.methods import Mondrian
from sfumato.table.models import (
    DistinctLDiversity,
    EpsilonMAnonymity,
    KAnonymity,
    RangeDiversity,
    TCloseness,
)
from sfumato.table.models.t_closeness import Distance
from sfumato.table.protect import PrivacyModel

PATIENTS = 50_000
SEED = 7
K = 10
CLOSE = 2
"""charges within so many thousands of each other are a narrow claim"""

VOTERS, EVERYBODY = "linkage, voter list", "linkage, all known"
LINKAGE = Linkage()
ATTACKS: Mapping[str, Attack] = {
    EVERYBODY: LINKAGE,
    "homogeneity": Homogeneity(column="illness"),
    "background knowledge": BackgroundKnowledge(column="illness"),
    "no facts": BackgroundKnowledge(mine=False, column="illness"),
    "skewness, illness": Skewness(column="illness"),
    "skewness, charges": Skewness(column="charges"),
    "similarity": Similarity(column="charges"),
    "close similarity": Similarity(width=CLOSE, column="charges"),
}
"""what an adversary does who knows the quasi-identifiers, by the name that it has in the story"""
ALL = (VOTERS, *ATTACKS)
CHARGES = ("skewness, charges", "similarity", "close similarity")


@dataclass(frozen=True)
class Edition:
    """One way to release the same table: what it promises, what is lost, what adversaries learn."""

    name: str
    promised: str
    """what is promised about the charges, or about all, in a few words"""
    models: tuple[PrivacyModel, ...]
    verdicts: tuple[Verdict, ...]
    classes: int
    loss: float
    results: Mapping[str, AttackResult] = field(repr=False)

    def __getitem__(self, attack: str) -> AttackResult:
        """Return what an attack found."""
        return self.results[attack]


@dataclass(frozen=True)
class Story:
    """All of it: the editions in the order of the story, and others that answer one question more."""

    patients: int
    seed: int
    town: Town = field(repr=False)
    names_removed: Edition
    years: Edition
    """as it is released, before anything is promised: years of birth in place of dates; linkage alone"""
    k_anonymous: Edition
    diverse: Edition
    close: Edition
    """t-closeness with equal distances"""
    ordered: Edition
    ranged: Edition
    tight: Edition
    """other promises about the charges: equal distances again, with a smaller t"""
    loose: Edition
    """the ordered distance with a larger t"""
    numeric: Edition
    """the numeric distance"""
    near: Edition
    """(ε,m)-anonymity"""

    @property
    def editions(self) -> tuple[Edition, ...]:
        """The editions in their order."""
        return (
            self.names_removed,
            self.k_anonymous,
            self.diverse,
            self.close,
            self.ordered,
            self.ranged,
        )

    @property
    def about_charges(self) -> tuple[Edition, ...]:
        """All promises about the charges; an edition whose promise cannot be kept has no results."""
        return (
            self.diverse,
            self.near,
            self.close,
            self.tight,
            self.loose,
            self.ordered,
            self.numeric,
            self.ranged,
        )


def tell(patients: int = PATIENTS, seed: int = SEED, *, progress: Progress = SILENT) -> Story:
    """Make the hospital up, make every release, run every attack."""
    progress.step("making a hospital up")
    place = town(patients, seed)
    k = KAnonymity(K)
    diverse = (k, DistinctLDiversity(2, column="illness"))
    close = (k, TCloseness(0.3, column="illness"))
    wide = place.narrow + 1

    def made(name: str, promised: str, *models: PrivacyModel) -> Edition:
        return edition_of(place, name, promised, models, ALL, progress)

    def aside(promised: str, *models: PrivacyModel) -> Edition:
        return edition_of(place, "", promised, models, CHARGES, progress)

    def t_close(t: float, distance: Distance) -> TCloseness:
        return TCloseness(t, distance, column="charges")

    return Story(
        patients,
        seed,
        place,
        names_removed=_bare(place, "names removed", NAMED, ALL, progress),
        years=_bare(place, "years of birth", QUASI, (VOTERS, EVERYBODY), progress),
        k_anonymous=made("k-anonymity", f"k = {K}", k),
        diverse=made(
            "l-diversity", "distinct l-diversity, l = 2", *diverse, DistinctLDiversity(2, column="charges")
        ),
        close=made("t-closeness, equal", "t-closeness, equal, t = 0.5", *close, t_close(0.5, "equal")),
        ordered=made(
            "t-closeness, ordered", "t-closeness, ordered, t = 0.03", *close, t_close(0.03, "ordered")
        ),
        ranged=made(
            "range diversity",
            f"range diversity, at least {wide}",
            *close,
            RangeDiversity(wide, column="charges"),
        ),
        tight=aside("t-closeness, equal, t = 0.4", *close, t_close(0.4, "equal")),
        loose=aside("t-closeness, ordered, t = 0.1", *close, t_close(0.1, "ordered")),
        numeric=aside("t-closeness, numeric, t = 0.02", *close, t_close(0.02, "numeric")),
        near=aside(
            f"(ε,m)-anonymity, ε = {CLOSE}, m = 2", *diverse, EpsilonMAnonymity(CLOSE, 2, column="charges")
        ),
    )


def _bare(
    place: Town, name: str, quasi: Sequence[str], attacks: Sequence[str], progress: Progress
) -> Edition:
    """Show what the hospital has, without names and numbers, and attack it."""
    progress.step(f"attacking: {name}")
    shown = place.patients.select([PERSON, *quasi, *SENSITIVE])
    results = _attacked(shown, place, attacks, quasi)
    return Edition(name, "nothing", (), (), _classes(shown, quasi), 0.0, results)


def edition_of(
    place: Town,
    name: str,
    promised: str,
    models: Sequence[PrivacyModel],
    attacks: Sequence[str],
    progress: Progress = SILENT,
) -> Edition:
    """Protect the patients and attack what comes out; an edition that cannot be made has no results."""
    progress.step(f"protecting and attacking: {promised}")
    try:
        release = _protected(place.patients.select([PERSON, *QUASI, *SENSITIVE]), models)
    except PromiseNotMet:
        # Not even all patients together keep it, which is a finding too.
        return Edition(name, promised, tuple(models), (), 0, 1.0, {})
    loss = release.utility["gcp"]
    assert isinstance(loss, float)
    results = _attacked(release, place, attacks, QUASI)
    classes = _classes(release.data, QUASI)
    return Edition(name, promised, tuple(models), release.verdicts, classes, loss, results)


def _protected(table: pa.Table, models: Sequence[PrivacyModel]) -> Release:
    """Make a release as ``protect`` does, only that it is attacked here and not there.

    The person stays beside it, for the house alone; rows stay in their order so that a story can be told
    again, and no attack looks at it.
    """
    engine = open_engine("duckdb")
    try:
        job = job_for(
            table,
            engine,
            quasi=QUASI,
            sensitive=SENSITIVE,
            confirmed=[PERSON],
            models=list(models),
            method=Mondrian(choose="least loss"),
            order="kept",
        )
        return release_in_memory(job, engine, table, attack_by_default=False)
    finally:
        engine.close()


def _attacked(
    target: Any, place: Town, attacks: Sequence[str], quasi: Sequence[str]
) -> dict[str, AttackResult]:
    """Attack with the voter list, or as somebody who knows the quasi-identifiers of everybody.

    The original, and the person beside every voter, say who was right.
    """

    def run(one: Attack, **held: pa.Table) -> AttackResult:
        return attack(target, one, person=PERSON, quasi=quasi, sensitive=SENSITIVE, **held)[0]

    return {
        name: run(LINKAGE, with_=place.voters)
        if name == VOTERS
        else run(ATTACKS[name], original=place.patients)
        for name in attacks
    }


def _classes(table: pa.Table, quasi: Sequence[str]) -> int:
    return int(table.group_by(list(quasi)).aggregate([]).num_rows)
