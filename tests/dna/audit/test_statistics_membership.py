"""Bounds on membership under attack: members in the panel, larger panels, linkage between the arms."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.core.errors import PromiseNotMet
from sfumato.dna.methods.frequencies import Frequencies
from sfumato.dna.methods.safe_snps import SafeSnps
from sfumato.dna.models.membership import MembershipBound
from tests.dna.statistics.populations import Population, attacked, study


def drawn(seed: int, sites: int, *counts: int) -> list[np.ndarray]:
    chance = np.random.default_rng(seed)
    population = Population.made(sites, chance)
    return [population.people(count, chance) for count in counts]


def with_members(pool: np.ndarray, panel: np.ndarray, share: float, seed: int = 0) -> np.ndarray:
    """Put members in the place of a share of a panel."""
    taken = np.random.default_rng(seed).permutation(panel.shape[1])[: int(share * panel.shape[1])]
    mixed = panel.copy()
    mixed[:, taken] = pool[:, np.arange(len(taken)) % pool.shape[1]]
    return mixed


@pytest.mark.parametrize("share", [0.2, 0.45])
def test_members_in_the_panel_do_not_make_a_bound_look_kept(share: float) -> None:
    """The panel's members cannot be told from members, and would halve what an attack reaches."""
    pool, panel, fresh = drawn(5, 60, 300, 1600, 4000)
    here = study(pool, with_members(pool, panel, share))
    published = Frequencies().publish(here)
    truly = attacked(pool, panel, fresh)[0]
    verdict = MembershipBound(auc=round(truly - 0.02, 3)).check(published, here)
    assert not verdict.holds
    assert f"{int(share * 1600):,} people of the reference have exactly the genotypes of a member" in (
        verdict.note
    )


def test_members_in_the_panel_do_not_enlarge_what_is_safe() -> None:
    """None of the 25 sites or so tells much of a person; it is all sites together that tell members."""
    broken = 0
    for seed in range(12):
        pool, panel, fresh = drawn(seed, 150, 120, 1200, 4000)
        # Another population than the panel's, so that only what is measured holds the bound.
        pool = np.where(np.random.default_rng(seed).random(pool.shape) < 0.06, 2, pool).astype(np.int8)
        mixed = with_members(pool, panel, 0.45, seed)
        try:
            kept = SafeSnps(auc=0.62, seed=seed).publish(study(pool, mixed)).kept
        except PromiseNotMet:
            continue
        broken += attacked(pool[kept], panel[kept], fresh[kept])[0] > 0.62
    assert broken <= 2
