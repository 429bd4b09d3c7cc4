"""A job over statistics of sites: everything that is needed to release them, as objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.core.named import build, measures_named, spell
from sfumato.core.randomness import Random, SecretRandom
from sfumato.dna.contract import StatisticsMethod, StatisticsModel
from sfumato.dna.models.membership import MembershipBound
from sfumato.dna.models.statistics import STATISTICS_MODELS
from sfumato.dna.source import GenotypeSource
from sfumato.dna.utility.statistics import STATISTICS_MEASURES, StatisticsMeasure
from sfumato.engine.sources import Source
from sfumato.recipe.attack_ask import AskedAttack
from sfumato.recipe.dna.keys import refuse_other_keys
from sfumato.recipe.dna.statistics_attack_ask import asked_statistics_attacks
from sfumato.recipe.dna.statistics_methods import (
    is_noisy,
    method_of,
    method_told,
    needs_cases,
    refuse_not_kept,
    uses_cases,
    usual_method,
)
from sfumato.recipe.dna.statistics_price import check_prices
from sfumato.recipe.job import source_in_recipe
from sfumato.recipe.model import DnaPart, PopulationPart, Recipe

FORMATS = ("csv", "csv.gz", "parquet")
KEPT = "kept by the steward"
ORDER = "that of the genome"
_OF_ROWS = ("align", "gap_level", "tree")

Genotypes = Path | GenotypeSource
"""a VCF, BCF or PLINK file, or genotypes in memory"""


@dataclass(frozen=True)
class StatisticsJob:
    """Genotypes of people whose statistics are to be released."""

    kind: ClassVar[str] = "dna"
    form: ClassVar[str] = "statistics"
    data: Genotypes = field(repr=False)
    models: tuple[StatisticsModel, ...]
    method: StatisticsMethod
    options: DnaPart = field(default_factory=DnaPart)
    people: Source | None = None
    """a table about the samples of a file: whose they are, who is a case"""
    reference: Genotypes | None = field(default=None, repr=False)
    """people of the same population who are not in the data, at the same sites"""
    persons: NDArray[np.int64] | None = field(default=None, repr=False)
    """of genotypes in memory: whose each sample is"""
    cases: NDArray[np.bool_] | None = field(default=None, repr=False)
    """of genotypes in memory: who is ill"""
    measures: tuple[StatisticsMeasure, ...] = ()
    attacks: tuple[AskedAttack, ...] = ()
    title: str = "Untitled release"
    format: str = "csv"
    random: Random = field(default_factory=SecretRandom)
    """where noise comes from"""

    def __post_init__(self) -> None:
        if not self.models:
            raise BadInput(
                "nothing would be promised", where="models", remedy="promise membership-bound or epsilon"
            )
        if self.format not in FORMATS:
            raise BadInput(
                f"statistics are not written as {self.format}",
                where="output",
                remedy=nearest(self.format, FORMATS),
            )
        refuse_not_kept(self.method, self.models)
        check_prices(self.method, self.models)
        self._check_options()
        self._check_reference()

    @property
    def noisy(self) -> bool:
        """Whether the claim rests on secret noise."""
        return is_noisy(self.method)

    @property
    def counts_persons(self) -> bool:
        """Whether something names the person of each sample."""
        return self.persons is not None or self.options.person is not None

    @property
    def uses_cases(self) -> bool:
        """Whether the method looks at who is a case."""
        return uses_cases(self.method)

    @property
    def needs_cases(self) -> bool:
        """Whether the method cannot do without."""
        return needs_cases(self.method)

    def _check_options(self) -> None:
        said, options = self.options.model_fields_set, self.options
        for key in _OF_ROWS:
            if key in said:
                told = key.replace("_", "-")
                raise BadInput(f"'{told}' is for rows", where="dna", remedy="leave it out")
        if options.read == "bases":
            raise BadInput("statistics are counted over genotypes", where="dna", remedy="leave 'read' out")
        for key in ("person", "phenotype", "sample"):
            if key in said and self.people is None:
                raise BadInput(
                    f"'{key}' names a column of a file about the people, and none is given",
                    where="dna",
                    remedy="add 'people: FILE'",
                )
        if self.people is not None and options.person is None and options.phenotype is None:
            raise BadInput(
                "of the file about the people no column is used",
                where="dna",
                remedy="name its column 'person' or 'phenotype', or leave 'people' out",
            )
        if "cases" in said and options.phenotype is None:
            raise BadInput(
                "'cases' are values of a column that is not named", where="dna", remedy="add 'phenotype: …'"
            )
        if (options.phenotype is not None or self.cases is not None) and not self.uses_cases:
            raise BadInput(
                f"{self.method.name} does not tell cases from controls as it is asked for",
                where="dna",
                remedy="leave 'phenotype' out, or take a method of cases and controls",
            )

    def _check_reference(self) -> None:
        bounded = [model.name for model in self.models if isinstance(model, MembershipBound)]
        bounded += [f"the attack {one.attack.name}" for one in self.attacks]
        if self.reference is None and bounded:
            raise BadInput(
                f"{bounded[0]} is measured on people outside the data, and none are given",
                where="dna",
                remedy="add 'reference: FILE', people of the same population at the same sites",
            )
        if self.noisy and any(one.bounds for one in self.attacks):
            raise BadInput(
                "a bound that is measured on the people would hold a noisy release back, which tells of them",
                where="attacks",
                remedy="leave the bound out: differential-privacy bounds every attack",
            )

    def public_recipe(self) -> dict[str, object]:
        """Describe the job for everybody: no path, no name of a file, nothing taken from the data."""
        options = self.options
        told: dict[str, Any] = {
            "multiallelic": options.multiallelic if "multiallelic" in options.model_fields_set else None,
            "person": KEPT if self.counts_persons else None,
            "phenotype": KEPT if options.phenotype is not None or self.cases is not None else None,
            "reference": KEPT if self.reference is not None else None,
        }
        bounded = [one.public() for one in self.attacks if one.bounds]
        return {
            "sfumato": 1,
            "title": self.title,
            "resources": [
                {
                    "name": "data",
                    "kind": "dna",
                    "dna": {key: value for key, value in told.items() if value is not None},
                }
            ],
            "models": [spell(model) for model in self.models],
            "method": method_told(self.method),
            **({"attacks": bounded} if bounded else {}),
            "output": {"format": self.format},
        }


def statistics_job_of(recipe: Recipe, folder: Path) -> StatisticsJob:
    """Turn a recipe into a job; paths are taken from the recipe's folder."""
    refuse_other_keys(recipe)
    _refuse_keys_of_rows(recipe)
    resource = recipe.resource
    options = resource.dna or DnaPart()
    if resource.path is None:
        raise BadInput(f"the resource '{resource.name}' needs 'path'", remedy="say where the genotypes lie")
    people = None
    if options.people is not None:
        people = source_in_recipe(PopulationPart(path=options.people), folder, "the file of people", {})
    models = tuple(
        build(STATISTICS_MODELS, spec, "model", f"models[{number}]")
        for number, spec in enumerate(recipe.models)
    )
    method: Mapping[str, Any] | str = recipe.method
    if "method" not in recipe.model_fields_set:
        method = usual_method(model.name for model in models)
    return StatisticsJob(
        data=folder / resource.path,
        models=models,
        method=method_of(method),
        options=options,
        people=people,
        reference=None if options.reference is None else folder / options.reference,
        measures=measures_named(STATISTICS_MEASURES, recipe.measures, "of"),
        attacks=asked_statistics_attacks(recipe.attacks),
        title=recipe.title,
        format=recipe.output.format or FORMATS[0],
    )


def _refuse_keys_of_rows(recipe: Recipe) -> None:
    if recipe.population is not None:
        raise BadInput(
            "'population' is for rows",
            where="population",
            remedy="people to compare with are given under 'dna', as 'reference'",
        )
    if recipe.resource.table_schema.fields:
        raise BadInput("a file of genotypes has no columns", where="fields", remedy="leave 'schema' out")
    if "order" in recipe.output.model_fields_set:
        raise BadInput("sites come in the order of the genome", where="output", remedy="leave 'order' out")
