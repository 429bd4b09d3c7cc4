"""Attacks on DNA: adversaries who hold genotypes, frequencies or a little of somebody's DNA, really run."""

from typing import Any

from sfumato.dna.attacks.beacon_attack import BeaconAttack
from sfumato.dna.attacks.case_or_control import Answer, CaseOrControl
from sfumato.dna.attacks.contract import Knowledge, Population
from sfumato.dna.attacks.genotype_phenotype import (
    GenotypePhenotype,
    KnownMutation,
    Patients,
    ReleasedDna,
    genes_read,
)
from sfumato.dna.attacks.haplotype_counts import Recovered, recovered
from sfumato.dna.attacks.homer import Homer
from sfumato.dna.attacks.kinship import Kinship
from sfumato.dna.attacks.likelihood_ratio import LikelihoodRatio
from sfumato.dna.attacks.linkage_disequilibrium import LinkageDisequilibrium, PublishedLinkage
from sfumato.dna.attacks.of_study import knowledge_of
from sfumato.dna.attacks.sequence_linkage import SequenceLinkage

_ALL: tuple[type[Any], ...] = (
    Homer,
    LikelihoodRatio,
    CaseOrControl,
    LinkageDisequilibrium,
    BeaconAttack,
    SequenceLinkage,
    GenotypePhenotype,
    Kinship,
)
ATTACKS: dict[str, type[Any]] = {attack.name: attack for attack in _ALL}
"""every attack on DNA by the name that recipes use"""

__all__ = [
    "ATTACKS",
    "Answer",
    "BeaconAttack",
    "CaseOrControl",
    "GenotypePhenotype",
    "Homer",
    "Kinship",
    "Knowledge",
    "KnownMutation",
    "LikelihoodRatio",
    "LinkageDisequilibrium",
    "Patients",
    "Population",
    "PublishedLinkage",
    "Recovered",
    "ReleasedDna",
    "SequenceLinkage",
    "genes_read",
    "knowledge_of",
    "recovered",
]
