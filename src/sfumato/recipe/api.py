"""The Python door: the same job as a recipe, spelt as a call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sfumato.core import evidence as ev
from sfumato.core.errors import BadInput, nearest
from sfumato.core.fingerprint import input_fingerprint
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random, SecretRandom
from sfumato.core.schema import Schema
from sfumato.core.verdict import Verdict
from sfumato.engine import open_engine
from sfumato.engine.contract import Engine, Order, Suppressed, Table
from sfumato.engine.frames import like, to_arrow
from sfumato.engine.sources import CsvFile, Frame, ParquetFile, Source, SqlTable, source_of
from sfumato.hierarchy import Hierarchy, from_spec
from sfumato.masking import MaskingPlan, Policy, Vault, settle
from sfumato.masking.open_ends import fitting_hierarchies
from sfumato.recipe.arguments import built, choice, names_of, quasi_names
from sfumato.recipe.attack_ask import AskedAttack, asked_attacks
from sfumato.recipe.evidence import gather
from sfumato.recipe.job import Job
from sfumato.recipe.known_columns import OTHERS
from sfumato.recipe.load import load
from sfumato.recipe.measured import Tasks, tasks_of
from sfumato.recipe.model import DEFAULT_METHOD, RiskPart
from sfumato.recipe.outcome import carry_out
from sfumato.recipe.prepared import prepared, released
from sfumato.recipe.risk import risk_of_table
from sfumato.recipe.risk_ask import RiskQuestions
from sfumato.release.pipeline import Released
from sfumato.report import save as save_report
from sfumato.table.attacks.contract import Attack
from sfumato.table.methods import METHODS
from sfumato.table.models import MODELS
from sfumato.table.perturbation import PERTURBATIONS
from sfumato.table.perturbation.contract import Perturbation
from sfumato.table.population import person_asked, person_of, repeats_among
from sfumato.table.protect import Method, PrivacyModel, rules_of
from sfumato.table.published import PublishedTable
from sfumato.table.utility import UTILITIES
from sfumato.table.utility.contract import Utility

Spec = str | Mapping[str, Any]
"""the spelling of recipes: a name, or a name with its parameters"""
Models = PrivacyModel | Spec | Sequence[PrivacyModel | Spec]
Attacks = Attack | AskedAttack | Spec | Sequence[Attack | AskedAttack | Spec]
Perturb = Perturbation | Spec | Sequence[Perturbation | Spec]


@dataclass(frozen=True)
class Release:
    """A release in memory: the data, the verdicts, what was lost, and a report on request."""

    data: Any = field(repr=False)
    verdicts: tuple[Verdict, ...]
    evidence: ev.StewardEvidence = field(repr=False)
    vault: Vault | None = field(default=None, repr=False)
    """which random code stands for which value, if some were drawn: keep it, and write it with ``write``"""
    public: ev.PublicEvidence | None = field(default=None, repr=False)
    """the evidence that may go out with the data"""
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict, repr=False)
    """how values were generalised, those included that were inferred"""

    @property
    def utility(self) -> dict[str, float | list[float]]:
        """What was lost, by measure: lower is better."""
        return {measure.name: measure.value for measure in self.evidence.utility}

    @property
    def attacks(self) -> list[ev.AttackEvidence]:
        """What adversaries learned, from the original without identifiers and from the release."""
        return self.evidence.attacks

    @property
    def suppressed(self) -> int:
        """How many records were left out."""
        return self.evidence.suppressed_records

    def report(self, path: str | Path, *, public: bool = False) -> Path:
        """Write the report, for the steward or for the public."""
        evidence = self.public if public else self.evidence
        if evidence is None:
            raise BadInput(
                "there is no evidence for the public", remedy="take the release that protect returns"
            )
        return save_report(evidence, path)


def protect(
    data: Any,
    *,
    quasi: str | Iterable[str],
    models: Models,
    sensitive: str | Iterable[str] | None = (),
    identifier: str | Iterable[str] | None = (),
    person: str | None = None,
    weight: str | None = None,
    guard: str | None = None,
    known: str | Iterable[str] | None = (),
    population: Any = None,
    population_person: str | None = None,
    perturb: Perturb = (),
    hierarchies: Mapping[str, Hierarchy | str | Mapping[str, Any]] | None = None,
    method: Method | Spec | None = None,
    utility: Utility | Spec | None = None,
    measures: Tasks = (),
    risk: Mapping[str, Any] | None = None,
    attacks: Attacks = (),
    confirmed: str | Iterable[str] | None = (),
    suppressed: str = "drop",
    order: str = "shuffled",
    engine: str = "duckdb",
    memory: str | None = None,
    title: str = "Untitled release",
    masking: MaskingPlan | None = None,
    random: Random | None = None,
    progress: Progress = SILENT,
) -> Release:
    """Protect a frame (or a CSV or Parquet file, or a source) and return a release in memory.

    Columns that are given no role are released as they are. Models, method, utility and hierarchies
    are objects or the spelling of recipes; hierarchies that a method needs and nobody gave are
    inferred.

    >>> import pandas as pd, sfumato as sf
    >>> people = pd.DataFrame({"age": [21, 22, 23, 41, 42, 43], "ill": list("ababab")})
    >>> release = sf.protect(people, quasi=["age"], sensitive="ill", models=[sf.KAnonymity(3)],
    ...                      method=sf.Mondrian())
    >>> sorted(set(release.data["age"]))
    ['[21-23]', '[41-43]']
    >>> print(release.verdicts[0])
    k-anonymity holds: required k ≥ 3, achieved k = 3
    """
    opened = open_engine(engine, memory_limit=memory)
    try:
        job = job_for(
            data,
            opened,
            quasi=quasi,
            models=models,
            sensitive=sensitive,
            identifier=identifier,
            person=person,
            weight=weight,
            guard=guard,
            known=known,
            population=population,
            population_person=population_person,
            perturb=perturb,
            hierarchies=hierarchies,
            method=method,
            utility=utility,
            measures=measures,
            risk=risk,
            attacks=attacks,
            confirmed=confirmed,
            suppressed=suppressed,
            order=order,
            memory=memory,
            title=title,
            masking=masking,
            random=random,
        )
        return release_in_memory(job, opened, data, progress)
    finally:
        opened.close()


def job_for(
    data: Any,
    opened: Engine,
    *,
    quasi: str | Iterable[str],
    models: Models,
    sensitive: str | Iterable[str] | None = (),
    identifier: str | Iterable[str] | None = (),
    person: str | None = None,
    weight: str | None = None,
    guard: str | None = None,
    known: str | Iterable[str] | None = (),
    population: Any = None,
    population_person: str | None = None,
    perturb: Perturb = (),
    hierarchies: Mapping[str, Hierarchy | str | Mapping[str, Any]] | None = None,
    method: Method | Spec | None = None,
    utility: Utility | Spec | None = None,
    measures: Tasks = (),
    risk: Mapping[str, Any] | None = None,
    attacks: Attacks = (),
    confirmed: str | Iterable[str] | None = (),
    suppressed: str = "drop",
    order: str = "shuffled",
    memory: str | None = None,
    title: str = "Untitled release",
    masking: MaskingPlan | None = None,
    random: Random | None = None,
) -> Job:
    """Turn the arguments of ``protect`` into a job."""
    source = _source(data)
    columns = opened.read(source).names if not isinstance(source, Frame) else to_arrow(data).column_names
    schema = Schema.of(
        columns,
        quasi=quasi_names(quasi),
        sensitive=names_of(sensitive),
        identifier=names_of(identifier),
        person=person,
        weight=weight,
        guard=guard,
        known=names_of(known),
        confirmed=names_of(confirmed),
    )
    schema, plan = settle(schema, masking or MaskingPlan())
    chosen: Method = built(METHODS, method or DEFAULT_METHOD, "method", "search")
    return Job(
        masking=plan,
        source=source,
        population=None if population is None else _source(population),
        population_person=person_asked(population, population_person),
        schema=schema,
        models=_checked_models(models, plan.policy),
        perturb=_steps(perturb),
        random=SecretRandom() if random is None else random,
        method=chosen,
        utility=built(UTILITIES, utility or "loss", "utility", "prepare"),
        measures=tasks_of(measures),
        risk=_questions(risk),
        attacks=tuple(asked_attacks(attacks, _held)),
        hierarchies=fitting_hierarchies(
            _hierarchies(hierarchies), plan, schema, needed=chosen.needs_hierarchies
        ),
        title=title,
        engine=opened.name,
        memory=memory,
        order=choice(Order, order, "order"),
        suppressed=choice(Suppressed, suppressed, "suppressed"),
    )


def release_in_memory(
    job: Job, engine: Engine, data: Any, progress: Progress = SILENT, *, attack_by_default: bool = True
) -> Release:
    """Carry a job out, check it, attack it and gather its evidence; nothing is written."""
    outcome = carry_out(job, engine, progress)
    progress.step("checking")
    arrow = engine.arrow(outcome.protected.table, order=job.order)
    shown = outcome.protected.published(engine.read(Frame(arrow)))
    written = ev.DataEvidence(file="in memory", sha256="", rows=arrow.num_rows, bytes=arrow.nbytes)
    rows = outcome.protected.counted.cells.total_rows + outcome.withheld + outcome.left_out
    batches = (batch.serialize().to_pybytes() for batch in engine.scan(outcome.original))
    fingerprint = input_fingerprint(batches, rows, None)
    gathered = gather(
        outcome, shown, written, fingerprint, {}, attack_by_default=attack_by_default, progress=progress
    )
    frame = like(data, arrow) if isinstance(job.source, Frame) else arrow
    vault = outcome.masked.secrets.vault if outcome.masked else None
    laid = {**outcome.protected.start.hierarchies, **outcome.protected.hierarchies}
    return Release(frame, gathered.verdicts, gathered.steward, vault or None, gathered.public, laid)


def check(
    data: Any,
    *,
    quasi: str | Iterable[str],
    models: Models,
    sensitive: str | Iterable[str] | None = (),
    person: str | None = None,
    guard: str | None = None,
    known: str | Iterable[str] | None = (),
    hierarchies: Mapping[str, Hierarchy | str | Mapping[str, Any]] | None = None,
    population: Any = None,
    population_person: str | None = None,
    original: Any = None,
    blanked: int = 0,
) -> tuple[Verdict, ...]:
    """Ask models about any table, whoever made it.

    ``population`` is a table of everybody, its quasi-identifiers written as in the table, and
    ``population_person`` its column that names them (``person`` if it has that);
    ``original`` the table before it was changed; ``hierarchies`` are those of sensitive columns, or those
    by which the quasi-identifiers were generalised. ``blanked`` says how many records were suppressed
    and stay, with ``*`` for every quasi-identifier and no sensitive value.

    >>> import pandas as pd, sfumato as sf
    >>> table = pd.DataFrame({"zip": ["476**", "476**", "479**"]})
    >>> print(sf.check(table, quasi=["zip"], models=[sf.KAnonymity(2)])[0])
    k-anonymity does not hold: required k ≥ 2, achieved k = 1; a class of 1 on zip (row 3)
    """
    with _opened(data) as table:
        schema = Schema.of(
            table.names,
            quasi=quasi_names(quasi),
            sensitive=names_of(sensitive),
            person=person,
            guard=guard,
            known=names_of(known),
        )
        if not schema.quasi:
            raise BadInput("no column is a quasi-identifier", remedy="say what an adversary may know")
        listed = _checked_models(models)
        rules_of(listed, schema)
        everybody = None
        named = person_asked(population, population_person)
        if population is not None:
            listed_people = table.engine.read(_source(population))
            named = person_of(listed_people, named, person, schema.quasi)
            again = repeats_among(listed_people, schema.quasi, named)
            everybody = PublishedTable(listed_people, tuple(quasi_names(quasi)), person=named, repeats=again)
        before = None if original is None else table.engine.read(_source(original))
        published = PublishedTable(
            table,
            tuple(quasi_names(quasi)),
            tuple(names_of(sensitive)),
            person,
            schema.known,
            guard,
            hierarchies=_hierarchies(hierarchies),
            population=everybody,
            original=before,
            input=before,
            blanked=blanked,
        )
        return tuple(model.check(published) for model in listed)


def risk(
    data: Any,
    *,
    quasi: str | Iterable[str],
    person: str | None = None,
    sensitive: str | Iterable[str] | None = (),
    identifier: str | Iterable[str] | None = (),
    population: Any = None,
    population_person: str | None = None,
    sampling_fraction: float | None = None,
    population_size: int | None = None,
    weight: str | None = None,
    household: str | None = None,
    up_to: int | None = None,
    suda: bool = False,
    threshold: float = 0.2,
    progress: Progress = SILENT,
) -> ev.RiskEvidence:
    """Measure how exposed the people of a table are to somebody who knows the quasi-identifiers.

    ``population`` is a list of people to compare with, whole or not, and ``population_person`` its column
    that names them (``person`` if it has that); ``sampling_fraction``,
    ``population_size`` or the column ``weight`` say how many people the table was drawn from, for
    estimates. ``household`` is the column that says who lives together. Combinations of ``up_to``
    quasi-identifiers are looked at (3 of up to 12, fewer of more; 0 for none), with ``suda`` also for
    special uniques. With ``sensitive`` columns it is measured how often their values can be told. Of every
    other column, unless it is an ``identifier`` and would not be released, it is counted how many people have
    few candidates when it is known, too.

    >>> import pandas as pd, sfumato as sf
    >>> table = pd.DataFrame({"age": [30, 30, 31]})
    >>> sf.risk(table, quasi=["age"]).uniques
    1
    >>> everybody = pd.DataFrame({"age": [30, 30, 31, 31]})
    >>> sf.risk(table, quasi="age", population=everybody).figure("lambda-1").value
    0.0
    """
    asked = RiskQuestions(threshold, sampling_fraction, population_size, weight, household, up_to, suda)
    with _opened(data) as table:
        names = tuple(quasi_names(quasi))
        schema = Schema.of(
            table.names,
            quasi=names,
            sensitive=names_of(sensitive),
            identifier=names_of(identifier),
            person=person,
            weight=weight,
        )
        if household is not None and household not in table.names:
            raise BadInput(
                f"there is no column '{household}' to say who lives together",
                remedy=nearest(household, table.names),
            )
        everybody = None if population is None else table.engine.read(_source(population))
        return risk_of_table(
            table,
            names,
            person=person,
            sensitive=schema.sensitive,
            population=everybody,
            others=[field for field in schema.fields if field.role in OTHERS],
            population_person=person_asked(population, population_person),
            asked=asked,
            progress=progress,
        )


def run(
    recipe: str | Path, *, out: str | Path | None = None, replace: bool = False, progress: Progress = SILENT
) -> Released[Any]:
    """Carry a recipe file out, of whatever kind of data, and return where the release lies."""
    path = Path(recipe)
    loaded = load(path)
    target = Path(out) if out is not None else path.parent / loaded.output.folder
    return released(prepared(loaded, path.parent), target, replace=replace, progress=progress)


@contextmanager
def _opened(data: Any) -> Iterator[Table]:
    """Open a table in a DuckDB of its own, for one question."""
    engine = open_engine("duckdb")
    try:
        yield engine.read(_source(data))
    finally:
        engine.close()


def _source(data: Any) -> Source:
    """Take a source as it is; else a path, else a frame."""
    if isinstance(data, CsvFile | ParquetFile | SqlTable | Frame):
        return data
    return source_of(data) if isinstance(data, str | Path) else Frame(data)


def _held(data: Any) -> Path | Source:
    """Take the folder of a release as a path, anything else as a source."""
    return Path(data) if isinstance(data, str | Path) and Path(data).is_dir() else _source(data)


def _hierarchies(
    given: Mapping[str, Hierarchy | str | Mapping[str, Any]] | None,
) -> dict[str, Hierarchy]:
    """Take hierarchies as they are, or make them from the spelling of recipes."""
    return {
        name: spec if hasattr(spec, "ladder") else from_spec(spec, Path())
        for name, spec in (given or {}).items()
    }


def _checked_models(models: Models, policy: Policy | None = None) -> tuple[PrivacyModel, ...]:
    listed = list(models) if isinstance(models, Sequence) and not isinstance(models, str) else [models]
    if not listed and policy is None:
        raise BadInput("no model was given", remedy="say what to promise, such as KAnonymity(5)")
    return tuple(built(MODELS, model, "model", "rules") for model in listed)


def _steps(perturb: Perturb) -> tuple[Perturbation, ...]:
    listed = list(perturb) if isinstance(perturb, Sequence) and not isinstance(perturb, str) else [perturb]
    return tuple(built(PERTURBATIONS, step, "perturbation", "apply") for step in listed)


def _questions(given: Mapping[str, Any] | None) -> RiskQuestions:
    """Read what is asked about risk, spelt as in recipes."""
    try:
        return RiskQuestions(**RiskPart.model_validate(dict(given or {})).model_dump())
    except ValidationError as problem:
        key = ".".join(str(part) for part in problem.errors()[0]["loc"])
        raise BadInput(
            f"'{key}' is not understood", where="risk", remedy="see the keys of 'risk' in docs/recipe.md"
        ) from None
