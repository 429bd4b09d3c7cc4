"""Compare methods and parameters: what each risks, what each loses, and which are not beaten."""

from __future__ import annotations

import csv
import io
import os
import platform
import secrets
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sfumato.__about__ import __version__
from sfumato.core import evidence as ev
from sfumato.core.errors import BadInput, SystemFault, nearest
from sfumato.core.leftovers import LEFTOVERS, Leftover, put_in_place
from sfumato.core.progress import SILENT, Progress
from sfumato.core.system import could_not
from sfumato.core.whole_file import write_whole
from sfumato.engine import open_engine
from sfumato.engine.frames import to_arrow
from sfumato.engine.sources import Frame
from sfumato.recipe.api import job_for
from sfumato.recipe.compare_ask import Point, ask, front
from sfumato.recipe.compare_cache import Cache
from sfumato.recipe.compare_run import run_all
from sfumato.recipe.compare_sweep import Configuration, Named, sweep
from sfumato.recipe.compare_worker import Outcome
from sfumato.recipe.job import Job, job_of
from sfumato.recipe.load import load
from sfumato.report.compare import not_beaten, render
from sfumato.table.protect import Method

DEFAULT_RISKS = ("highest", "average")
DEFAULT_UTILITY = "gcp"
HTML, CSV, JSON = "compare.html", "compare.csv", "compare.json"
RISKS: dict[str, tuple[str, Callable[[ev.RiskEvidence], float]]] = {
    "highest": ("highest risk", lambda risk: risk.highest_risk),
    "average": ("average risk", lambda risk: risk.average_risk),
    "at-risk": ("records at risk", lambda risk: risk.records_at_risk),
    "unique": ("one of a kind", lambda risk: risk.unique_share),
}
"""risks of being found: prosecutor risk, and shares of records"""
ATTRIBUTE = "attribute"
TITLES = {
    **{name: title for name, (title, _) in RISKS.items()},
    ATTRIBUTE: "highest share of a sensitive value",
}
"""every risk that a map can show"""


@dataclass(frozen=True)
class Comparison:
    """What a comparison found; print it for the table."""

    evidence: ev.ComparisonEvidence

    @property
    def front(self) -> list[ev.ComparedEvidence]:
        """The configurations that nothing beats, for the first risk, by increasing risk."""
        risk = next(iter(self.evidence.risks))
        found = [one for one in self.evidence.configurations if risk in one.front]
        return sorted(found, key=lambda one: (one.risk[risk], one.loss[self.evidence.utility]))

    @property
    def answer(self) -> ev.AnswerEvidence | None:
        """What was asked by bounds, and the answer."""
        return self.evidence.answer

    @property
    def best(self) -> ev.ComparedEvidence | None:
        """The configuration that answers the question, if one does."""
        answer = self.evidence.answer
        return None if answer is None or answer.best is None else self.evidence.configurations[answer.best]

    def rows(self) -> list[dict[str, Any]]:
        """Return one flat row for each configuration: for a frame of your own."""
        found = []
        losses = dict.fromkeys(key for one in self.evidence.configurations for key in one.loss)
        for one in self.evidence.configurations:
            row: dict[str, Any] = {"configuration": one.name, "method": one.method, **one.parameters}
            row |= {f"risk {name}": one.risk.get(name) for name in TITLES}
            row |= {name: one.loss.get(name) for name in losses}
            row |= {"suppressed": None if one.failed else one.suppressed_records, "seconds": one.seconds}
            row |= {"front": ", ".join(one.front), "failed": one.failed}
            found.append(row)
        return found

    def csv(self) -> str:
        """Return the rows as CSV."""
        rows = self.rows()
        names = list(dict.fromkeys(key for row in rows for key in row))
        text = io.StringIO()
        writer = csv.DictWriter(text, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def report(self, path: str | Path) -> Path:
        """Write the maps and the table as one HTML document."""
        try:
            write_whole(Path(path), render(self.evidence))
        except OSError as problem:
            raise could_not(problem, "the report cannot be written there", where=str(path)) from None
        return Path(path)

    def write(self, folder: str | Path, *, replace: bool = False) -> Path:
        """Write maps, table and evidence into a folder that only its owner can read, all or nothing."""
        target = Path(folder)
        refuse_existing_comparison(target, replace=replace)
        stage = target.parent / f".sfumato-{secrets.token_hex(6)}"
        try:
            with LEFTOVERS.entered(Leftover(os.path.abspath(stage))):
                stage.mkdir(0o700, parents=True)
                (stage / HTML).write_text(render(self.evidence), encoding="utf-8", newline="\n")
                (stage / CSV).write_text(self.csv(), encoding="utf-8")
                (stage / JSON).write_text(self.evidence.model_dump_json(indent=2), encoding="utf-8")
                put_in_place(stage, target)
        except OSError as problem:
            raise could_not(
                problem,
                "the folder cannot be written",
                where=str(target),
                remedy="choose another with --out",
            ) from None
        finally:
            shutil.rmtree(stage, ignore_errors=True)
        return target

    def __str__(self) -> str:
        risks, utility = list(self.evidence.risks), self.evidence.utility
        lines = []
        for one in self.evidence.configurations:
            figures = [f"{name} {one.risk[name]:.4g}" for name in risks if name in one.risk]
            figures += [f"{utility} {one.loss[utility]:.4g}"] if utility in one.loss else []
            star = "*" if not_beaten(self.evidence, one) else " "
            lines.append(f"{star} {one.name}: {one.failed or ', '.join(figures)}")
        return "\n".join(lines)


def refuse_existing_comparison(target: Path, *, replace: bool) -> None:
    """Refuse a folder that is there, unless it holds a comparison that is to be replaced."""
    if not os.path.lexists(target):
        return
    if target.is_dir() and not target.is_symlink():
        foreign = [path for path in target.iterdir() if path.name not in (HTML, CSV, JSON)]
        if not foreign and replace:
            return
        if foreign:
            raise BadInput(
                "the folder holds what is no comparison",
                where=str(target),
                remedy="choose another with --out",
            )
    raise BadInput(
        "it is there already", where=str(target), remedy="choose another place with --out, or give --replace"
    )


def compare(
    data: Any,
    *,
    methods: Sequence[Method | Named] = (),
    vary: Mapping[str, Sequence[Any]] | None = None,
    risk: str | Sequence[str] = DEFAULT_RISKS,
    utility: str = DEFAULT_UTILITY,
    risk_at_most: float | None = None,
    loss_at_most: float | None = None,
    workers: int | None = None,
    cache: bool = True,
    progress: Progress = SILENT,
    **described: Any,
) -> Comparison:
    """Try methods × parameters and put each on a map of risk against loss.

    ``data`` is the path of a recipe (``.yaml``), or what ``protect`` takes, with its arguments. With
    ``risk_at_most`` or ``loss_at_most`` or both, the best configuration is named, or the nearest one.

    >>> import pandas as pd
    >>> people = pd.DataFrame({"age": [21, 22, 23, 41, 42, 43], "ill": list("ababab")})
    >>> found = compare(people, quasi=["age"], sensitive="ill", models={"k-anonymity": {"k": 2}},
    ...                 methods=["mondrian"], vary={"k": [3, 6]}, workers=1, cache=False)
    >>> [(one.name, round(one.risk["highest"], 2)) for one in found.front]
    [('mondrian, k 6', 0.17), ('mondrian, k 3', 0.33)]
    """
    risks = _checked_risks([risk] if isinstance(risk, str) else list(risk))
    ask([], risk_at_most=risk_at_most, loss_at_most=loss_at_most)
    if workers is not None and workers < 1:
        raise BadInput("workers must be at least 1", remedy="leave it out to use every core")
    job, in_recipe = _job(data, described)
    if ATTRIBUTE in risks and not job.schema.sensitive:
        raise BadInput("no column is sensitive", where=f"risk '{ATTRIBUTE}'", remedy="choose another risk")
    swept = sweep(job, methods or in_recipe[0], vary or in_recipe[1])
    outcomes = _outcomes(swept, workers, Cache.of_the_house() if cache else Cache(None), progress)
    progress.step("drawing the map")
    return Comparison(_evidence(job.title, swept, outcomes, risks, utility, risk_at_most, loss_at_most))


def _job(
    data: Any, described: Mapping[str, Any]
) -> tuple[Job, tuple[Sequence[Named], Mapping[str, Sequence[Any]]]]:
    """Read a recipe, or take the arguments of ``protect``. A path that nothing is said about is a recipe."""
    if isinstance(data, str | Path) and (not described or Path(data).suffix.lower() in (".yaml", ".yml")):
        if described:
            raise BadInput(
                f"a recipe says '{next(iter(described))}' itself", remedy="change the recipe, or give a frame"
            )
        recipe = load(Path(data))
        return job_of(recipe, Path(data).parent), (recipe.compare.methods, recipe.compare.models)
    engine = open_engine(described.get("engine", "duckdb"))
    try:
        arguments = {key: value for key, value in described.items() if key != "engine"}
        source = data if isinstance(data, str | Path | Frame) else to_arrow(data)
        try:
            return job_for(source, engine, **arguments), ((), {})
        except TypeError as problem:
            raise BadInput(
                f"these are not the arguments of 'protect' ({str(problem).partition(') ')[2] or problem})",
                remedy="give quasi and models at least",
            ) from None
    finally:
        engine.close()


def _checked_risks(names: list[str]) -> list[str]:
    for name in names:
        if name not in TITLES:
            raise BadInput(f"there is no risk '{name}'", remedy=nearest(name, TITLES))
    if not names:
        raise BadInput("no risk was named", remedy=nearest("", TITLES))
    return list(dict.fromkeys(names))


def _outcomes(
    swept: Sequence[Configuration], workers: int | None, cache: Cache, progress: Progress
) -> list[Outcome]:
    progress.step(f"comparing {len(swept)} configurations")
    names = [cache.name(one.job) for one in swept]
    found = [cache.find(name) for name in names]
    open_ = [position for position, outcome in enumerate(found) if outcome is None]
    known = len(swept) - len(open_)
    progress.update(known / len(swept), f"{known} known from before" if known else "")
    for done, (place, outcome) in enumerate(run_all([swept[i].job for i in open_], workers), known + 1):
        position = open_[place]
        found[position] = outcome
        cache.keep(names[position], outcome)
        progress.update(done / len(swept), swept[position].name)
    outcomes = [outcome for outcome in found if outcome is not None]
    faults = [outcome.failed for outcome in outcomes if outcome.fault]
    if faults and all(outcome.evidence is None for outcome in outcomes):
        # A map of nothing would read as if no method could keep the promise.
        raise SystemFault(faults[0])
    return outcomes


def _evidence(
    title: str,
    swept: Sequence[Configuration],
    outcomes: Sequence[Outcome],
    risks: Sequence[str],
    utility: str,
    risk_at_most: float | None,
    loss_at_most: float | None,
) -> ev.ComparisonEvidence:
    titles = {
        measure.name: measure.title
        for outcome in outcomes
        if outcome.evidence is not None
        for measure in outcome.evidence.utility
        if not isinstance(measure.value, list)
    }
    released = [outcome.evidence for outcome in outcomes if outcome.evidence is not None]
    if utility not in titles and released:
        raise BadInput(f"there is no measure of loss '{utility}'", remedy=nearest(utility, titles))
    compared = [_compared(one, outcome) for one, outcome in zip(swept, outcomes, strict=True)]
    fronts: dict[int, list[str]] = {}
    for risk in risks:
        for point in front(points_of(compared, risk, utility)):
            fronts.setdefault(point.position, []).append(risk)
    compared = [
        one.model_copy(update={"front": fronts.get(position, [])}) for position, one in enumerate(compared)
    ]
    answer = ask(
        points_of(compared, risks[0], utility),
        risk_at_most=risk_at_most,
        loss_at_most=loss_at_most,
        risk=TITLES[risks[0]],
        loss=utility,
    )
    before = released[0].risk_before if released else None
    return ev.ComparisonEvidence(
        title=title,
        created=datetime.now(UTC).strftime("%Y-%m-%d"),
        software={"sfumato": __version__, "python": platform.python_version()},
        records=released[0].risk_before.records if released else 0,
        risks={name: TITLES[name] for name in risks},
        utility=utility,
        utility_title=titles.get(utility, utility),
        risk_at_most=risk_at_most,
        loss_at_most=loss_at_most,
        before={name: measured(before) for name, (_, measured) in RISKS.items()} if before else {},
        configurations=compared,
        answer=answer,
    )


def _compared(configuration: Configuration, outcome: Outcome) -> ev.ComparedEvidence:
    shared: dict[str, Any] = {
        "name": configuration.name,
        "method": configuration.job.method.name,
        "parameters": configuration.parameters,
        "models": configuration.models,
    }
    found = outcome.evidence
    if found is None:
        return ev.ComparedEvidence(**shared, failed=outcome.failed)
    risks = {name: measured(found.risk_after) for name, (_, measured) in RISKS.items()}
    if outcome.attribute_risk is not None:
        risks[ATTRIBUTE] = outcome.attribute_risk
    return ev.ComparedEvidence(
        **shared,
        risk=risks,
        loss={one.name: one.value for one in found.utility if not isinstance(one.value, list)},
        suppressed_records=found.suppressed_records,
        seconds=round(sum(found.seconds.values()), 3),
    )


def points_of(compared: Sequence[ev.ComparedEvidence], risk: str, utility: str) -> list[Point]:
    """Return the configurations that have a place on a map."""
    return [
        Point(position, one.name, one.risk[risk], one.loss[utility])
        for position, one in enumerate(compared)
        if risk in one.risk and utility in one.loss
    ]
