"""The Python door to statistics of sites: the same job as a recipe, spelt as a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pydantic import ValidationError

from sfumato.core import evidence as ev
from sfumato.core.errors import BadInput
from sfumato.core.evidence_dna import DnaEvidence, StewardDnaEvidence
from sfumato.core.fingerprint import input_fingerprint
from sfumato.core.named import measures_named
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random, SecretRandom
from sfumato.core.verdict import Verdict
from sfumato.dna.contract import Statistics, StatisticsMethod, StatisticsModel
from sfumato.dna.models.private import DifferentialPrivacy
from sfumato.dna.models.statistics import STATISTICS_MODELS
from sfumato.dna.source import GenotypeSource
from sfumato.dna.utility.statistics import STATISTICS_MEASURES
from sfumato.dna.writing.statistics import statistics_table
from sfumato.dp.exact import Number
from sfumato.engine.sources import FILES, Frame, Source, SqlTable, source_of
from sfumato.recipe.arguments import built
from sfumato.recipe.dna.statistics_attack_ask import asked_statistics_attacks
from sfumato.recipe.dna.statistics_evidence import gather_statistics
from sfumato.recipe.dna.statistics_job import Genotypes, StatisticsJob
from sfumato.recipe.dna.statistics_methods import method_of, usual_method
from sfumato.recipe.dna.statistics_outcome import carry_out_statistics
from sfumato.recipe.dna.statistics_reading import input_bytes
from sfumato.recipe.model import DnaPart
from sfumato.report import save as save_report

Spelt = str | Mapping[str, Any]


@dataclass(frozen=True)
class StatisticsRelease:
    """Statistics in memory: figures, verdicts, and a report on request."""

    statistics: Statistics = field(repr=False)
    verdicts: tuple[Verdict, ...]
    evidence: StewardDnaEvidence = field(repr=False)
    public: DnaEvidence = field(repr=False)
    """the evidence that may go out with the figures"""

    @property
    def data(self) -> pa.Table:
        """The figures as a table: chrom, pos, id, ref, alt, and a column for each figure."""
        return statistics_table(self.statistics)

    @property
    def utility(self) -> dict[str, float | list[float]]:
        """What was lost, by measure: for the steward."""
        return {measure.name: measure.value for measure in self.evidence.utility}

    def report(self, path: str | Path, *, public: bool = False) -> Path:
        """Write the report, for the steward or for the public."""
        return save_report(self.public if public else self.evidence, path)


def protect_statistics(
    data: str | Path | GenotypeSource,
    *,
    models: StatisticsModel | Spelt | Sequence[StatisticsModel | Spelt] = (),
    epsilon: Number | None = None,
    delta: Number = 0,
    method: StatisticsMethod | Spelt | None = None,
    reference: str | Path | GenotypeSource | None = None,
    people: Any = None,
    sample: str | None = None,
    person: str | None = None,
    phenotype: str | None = None,
    cases: Sequence[str] | None = None,
    persons: NDArray[np.int64] | None = None,
    ill: NDArray[np.bool_] | None = None,
    multiallelic: str | None = None,
    measures: Any = (),
    attacks: Any = (),
    title: str = "Untitled release",
    random: Random | None = None,
    progress: Progress = SILENT,
) -> StatisticsRelease:
    """Make statistics of sites that keep promises, from a VCF, BCF or PLINK file or genotypes in memory.

    Promise something with ``models`` (``membership-bound``, ``differential-privacy``), or pay with
    ``epsilon``. ``reference`` are people of the same population who are not in the data, at the same sites.
    ``people`` is a table about the samples of a file: ``person`` its column that names the person,
    ``phenotype`` the one that tells cases (written as in ``cases``) from controls. Of genotypes in memory,
    ``persons`` says whose each sample is and ``ill`` who is a case.

    >>> from sfumato.dna.simulate import independent
    >>> release = protect_statistics(independent(people=400, sites=5), epsilon=10)
    >>> release.data.column_names[5:], str(release.verdicts[0])[:29]
    (['frequency', 'called'], 'differential-privacy holds: r')
    """
    listed = list(models) if isinstance(models, list | tuple) else [models]
    promised = [built(STATISTICS_MODELS, model, "model", "check") for model in listed]
    if epsilon is not None:
        promised.append(DifferentialPrivacy(epsilon, delta))
    elif delta:
        raise BadInput("delta is given without epsilon", remedy="give both")
    told = {
        "sample": sample,
        "person": person,
        "phenotype": phenotype,
        "cases": None if cases is None else list(cases),
        "multiallelic": multiallelic,
    }
    job = StatisticsJob(
        data=_genotypes(data),
        models=tuple(promised),
        method=_method(method, promised),
        options=_options({key: value for key, value in told.items() if value is not None}),
        people=None if people is None else _source(people),
        reference=None if reference is None else _genotypes(reference),
        persons=persons,
        cases=ill,
        measures=measures_named(STATISTICS_MEASURES, measures, "of"),
        attacks=asked_statistics_attacks(attacks),
        title=title,
        random=SecretRandom() if random is None else random,
    )
    outcome = carry_out_statistics(job, progress)
    sites = len(outcome.published.kept)
    gathered = gather_statistics(
        outcome,
        ev.DataEvidence(file="in memory", sha256="", rows=sites, bytes=0),
        "",
        input_fingerprint(input_bytes(job), outcome.read.samples, None),
        progress=progress,
    )
    return StatisticsRelease(
        outcome.published.statistics, gathered.verdicts, gathered.steward, gathered.public
    )


def _options(told: Mapping[str, Any]) -> DnaPart:
    try:
        return DnaPart.model_validate(told)
    except ValidationError as problem:
        key = ".".join(str(step) for step in problem.errors()[0]["loc"])
        raise BadInput(f"'{key}' is not understood", remedy="see the keys of 'dna' in docs/dna.md") from None


def _method(given: StatisticsMethod | Spelt | None, models: Sequence[Any]) -> StatisticsMethod:
    if given is None:
        return method_of(usual_method(model.name for model in models))
    if isinstance(given, str | Mapping):
        return method_of(given)
    if isinstance(given, type) or not hasattr(given, "publish"):
        raise BadInput(
            f"the method is a {type(given).__name__}", where="method", remedy="give an object, or a name"
        )
    return given


def _genotypes(data: str | Path | GenotypeSource) -> Genotypes:
    return Path(data) if isinstance(data, str | Path) else data


def _source(data: Any) -> Source:
    if isinstance(data, (SqlTable, Frame, *FILES)):
        found: Source = data
        return found
    return source_of(data) if isinstance(data, str | Path) else Frame(data)
