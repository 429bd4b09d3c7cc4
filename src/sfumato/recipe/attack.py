"""The Python door of attacks: run adversaries against a release, a file or a frame, whoever made it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from sfumato.core.attack import AttackResult, Need, Scored, in_per_cent
from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress, Within
from sfumato.core.verdict import Threat
from sfumato.engine import open_engine
from sfumato.engine.contract import Engine, Table
from sfumato.hierarchy import Hierarchy
from sfumato.recipe.attack_ask import AskedAttack, asked_attacks, refuse_unused
from sfumato.recipe.attack_knowledge import (
    NotRun,
    hidden_in,
    other_release,
    people_of,
    population_of,
    refuse_rows_of_nobody,
    run_attack,
    widened,
)
from sfumato.recipe.attack_target import (
    Target,
    another,
    described,
    held_by,
    hierarchies_from,
    names_of,
    source_from,
    target_of,
)
from sfumato.recipe.attacked import BY_DEFAULT
from sfumato.table.attacks import ATTACKS
from sfumato.table.attacks.contract import Attack, Knowledge, People, used_by
from sfumato.table.population import person_asked, repeated_rows, repeats_among, repeats_in_words
from sfumato.table.published import PublishedTable

LEARNED = {
    Threat.IDENTITY: "which record is a person's",
    Threat.ATTRIBUTE: "a sensitive value of a person",
    Threat.MEMBERSHIP: "that a person is in the data at all",
    Threat.INFERENCE: "something likely about a person, from patterns of the whole",
}
"""what is learned, by kind of disclosure"""


@dataclass(frozen=True)
class AttackReport:
    """What adversaries learned, kind by kind. Prints as a table; a sequence of results.

    ``not_run`` are the attacks that could not be run: of their success nothing is known.
    """

    results: tuple[AttackResult, ...]
    not_run: tuple[NotRun, ...] = ()
    notes: tuple[str, ...] = ()
    """what a reader must know besides: by which columns people were known, which labels nobody can read"""
    titles: Mapping[str, str] = field(default_factory=dict, repr=False)
    """what the adversary does, by the name of the attack"""

    def __iter__(self) -> Iterator[AttackResult]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, attack: str | int) -> AttackResult:
        """Return a result by its place, or the first of an attack by its name."""
        if isinstance(attack, int):
            return self.results[attack]
        found = next((result for result in self.results if result.attack == attack), None)
        if found is None:
            raise KeyError(attack)
        return found

    def of(self, threat: Threat) -> tuple[AttackResult, ...]:
        """Return the results about one kind of disclosure."""
        return tuple(result for result in self.results if result.threat is threat)

    def _about(self, result: AttackResult) -> str:
        """Name what a note is about: with its column where those of other columns are told otherwise."""
        alike = {other.note for other in self.results if other.attack == result.attack}
        return f"{result.attack} on '{result.column}'" if result.column and len(alike) > 1 else result.attack

    def __str__(self) -> str:
        limited = has_limits(self.results)
        more = (COMPARED,) if limited else ()
        heads = ("attack", "column", "people", "success", "without", "guess", "sure of", *more)
        rows = [cells_of(result, compared=limited) for result in self.results]
        width = [max(len(row[i]) for row in (heads, *rows)) for i in range(len(heads))]

        def line(row: Sequence[str]) -> str:
            cells = (
                text.ljust(w) if i < 2 else text.rjust(w)
                for i, (text, w) in enumerate(zip(row, width, strict=True))
            )
            return "  " + "  ".join(cells).rstrip()

        lines = []
        for threat in Threat:
            some = self.of(threat)
            if some:
                lines += [f"{threat}: {LEARNED[threat]}", line(heads)]
                lines += [line(cells_of(result, compared=limited)) for result in some]
        return "\n".join([*lines, *self.said])

    @property
    def said(self) -> list[str]:
        """What a reader must know besides the figures, one sentence each, without its full stop."""
        noted = [f"{self._about(result)}: {result.note}" for result in self.results if result.note]
        left = dict.fromkeys((one.attack, one.reason) for one in self.not_run)
        for attack, reason in left:
            columns = [one.column for one in self.not_run if (one.attack, one.reason) == (attack, reason)]
            of = ", ".join(f"'{column}'" for column in columns if column)
            noted.append(f"{attack}{f' on {of}' if of else ''} was not run: {reason}")
        return list(dict.fromkeys([*noted, *self.notes]))


COMPARED = "compared"
"""head of the share of people whom an adversary with limits compared at all"""


def has_limits(results: Iterable[AttackResult]) -> bool:
    """Whether an adversary among them has limits that may keep people from being compared."""
    return any(result.compared is not None for result in results)


def cells_of(result: AttackResult, *, compared: bool = False) -> tuple[str, ...]:
    """Write a result as the cells of a table: attack, column, people, success, without, guess, sure of.

    With ``compared`` also the share of people who were compared at all.
    """
    claimed = " (claims)" if result.scored is Scored.CLAIMED else ""
    return (
        result.attack,
        result.column or "",
        f"{result.attempts:,}",
        f"{in_per_cent(result.success)}{claimed}",
        in_per_cent(result.baseline),
        in_per_cent(result.guessing),
        f"{result.certain:,}",
        *([in_per_cent(1.0 if result.compared is None else result.compared)] if compared else []),
    )


def attack(
    target: Any,
    attacks: Any = None,
    *,
    with_: Any = None,
    quasi: str | Iterable[str] | None = None,
    sensitive: str | Iterable[str] | None = None,
    person: str | None = None,
    hierarchies: Mapping[str, Hierarchy | str | Mapping[str, Any]] | str | Path | None = None,
    original: Any = None,
    others: Any = (),
    population: Any = None,
    population_person: str | None = None,
    columns: Mapping[str, str] | None = None,
    victims: bool = False,
    progress: Progress = SILENT,
) -> AttackReport:
    """Run adversaries against a release and say what they learn.

    ``target`` is the folder of a release, a ``Release``, a frame, or a CSV or Parquet file; the last two
    need ``quasi``. ``attacks`` are objects or the spelling of recipes; without them, all are run that
    what is given allows. ``with_`` is an identified file, ``columns`` leads from columns of the release
    to those of that file where names differ; without a file the adversary holds the quasi-identifiers of
    everybody in the ``original``. ``population`` is a list of everybody and ``population_person`` its column
    that names them (``person`` if it has that). ``hierarchies`` (or a recipe that has them) say what
    labels mean.

    >>> import pandas as pd, sfumato as sf
    >>> shown = pd.DataFrame({"zip": ["476**"] * 3 + ["479**"] * 3, "ill": ["flu"] * 3 + list("abc")})
    >>> print(sf.attack(shown, "homogeneity", quasi="zip", sensitive="ill"))
    attribute: a sensitive value of a person
      attack       column  people  success  without   guess  sure of
      homogeneity  ill          6   50.0 %   50.0 %  50.0 %        3
    rows were taken as people: no column names the person
    """
    chosen = None if attacks is None else asked_attacks(attacks, held_by)
    _refuse_bounds(chosen or ())
    _refuse_ignored(chosen or (), with_, columns, others, population)
    engine = open_engine("duckdb")
    try:
        progress.step("reading")
        figures = [one.attack for one in chosen or () if isinstance(one.attack, OfFigures)]
        aggregated = bool(figures) and len(figures) == len(chosen or ()) and figures[0].layout == "marginals"
        found = target_of(target, engine, names_of(quasi), names_of(sensitive), person, aggregated=aggregated)
        laid = {**found.hierarchies, **hierarchies_from(hierarchies)}
        about = figures[0].about(found.published) if aggregated else None
        knowledge = _knowledge(found, engine, laid, with_, columns, original, others, person)
        if population is not None or population_person is not None:
            everybody = _everybody(found, engine, population, population_person, person, about or ())
            knowledge = dataclasses.replace(knowledge, population=everybody)
        _refuse_nobody(found.published, knowledge, person)
        refuse_rows_of_nobody(found.published)
        if knowledge.original is not None:
            refuse_rows_of_nobody(knowledge.original)
            hiding = hidden_in(found.published, knowledge.original)
            found = dataclasses.replace(found, published=dataclasses.replace(found.published, hiding=hiding))
        return _attacked(found, knowledge, chosen, columns or {}, victims, progress)
    finally:
        engine.close()


def _refuse_nobody(target: PublishedTable, knowledge: Knowledge, person: str | None) -> None:
    """Refuse a target without records, and a person column that no table has."""
    if not target.table.engine.rows(target.table):
        raise BadInput("there are no records to attack", remedy="give a table with at least one row")
    holders = (knowledge.original, knowledge.people, knowledge.population)
    tables = [target.table, *(held.table for held in holders if held)]
    names = dict.fromkeys(name for table in tables for name in table.names)
    if person is not None and person not in names:
        raise BadInput(
            f"there is no column '{person}' to say who is who",
            remedy=nearest(str(person), names),
        )


@runtime_checkable
class OfFigures(Protocol):
    """An attack on a table of published figures, which is not about single people."""

    @property
    def layout(self) -> str:
        """What is published: records, or figures about them."""

    def about(self, target: PublishedTable) -> tuple[str, ...] | None:
        """Return the columns that figures are about."""


def _refuse_bounds(asked: Sequence[AskedAttack]) -> None:
    """A bound is part of a promise about a release that is made; here nobody would look at it."""
    for number, one in enumerate(asked):
        if one.bounds:
            raise BadInput(
                f"'{next(iter(one.bounds))}' is a bound, which only a recipe can set",
                where=f"attacks[{number}], {one.attack.name}",
                remedy="compare the result with it, or write --at-most beside 'sfumato attack'",
            )


def _refuse_ignored(
    asked: Sequence[AskedAttack], with_: Any, columns: Any, others: Any, population: Any
) -> None:
    """Refuse a file that none of the named attacks looks at: the answer would be about other people."""
    named = [one.attack for one in asked]
    given: tuple[tuple[bool, Need, str], ...] = (
        (with_ is not None or bool(columns), Need.PEOPLE, "'with_'" if with_ is not None else "'columns'"),
        (not isinstance(others, list | tuple) or bool(others), Need.OTHERS, "'others'"),
        (population is not None, Need.POPULATION, "'population'"),
    )
    for is_given, need, words in given:
        if is_given:
            refuse_unused(named, need, words)


def _knowledge(
    found: Target,
    engine: Engine,
    laid: Mapping[str, Hierarchy],
    with_: Any,
    columns: Mapping[str, str] | None,
    original: Any,
    others: Any,
    person: str | None,
) -> Knowledge:
    """Read what the adversary holds, and what tells who was right."""
    target = found.published
    before = None if original is None else _original(engine.read(source_from(original)), target, person)
    people = None
    if with_ is not None:
        where = described(with_, "the identified file")
        people = people_of(engine.read(source_from(with_)), target, columns, person=person, where=where)
    elif before is not None and target.quasi:
        people = People(before.table, {name: name for name in target.quasi}, before.person)
    elif columns:
        raise BadInput("'columns' speaks of a file that is not there", remedy="give it as 'with_'")
    listed = list(others) if isinstance(others, list | tuple) else [others]
    more = tuple(another(other, engine, target) for other in listed)
    return Knowledge(people, laid, before, more, truthful=found.truthful)


def _everybody(
    found: Target,
    engine: Engine,
    population: Any,
    asked: str | None,
    person: str | None,
    about: Sequence[str],
) -> People | None:
    """Read the list of the population.

    ``about`` are the columns that a table of published figures speaks of and does not have.
    """
    if person_asked(population, asked) is None and population is None:
        return None
    target = found.published
    listed_as = dataclasses.replace(target, quasi=tuple(about)) if about else target
    where = described(population, "the population")
    return population_of(
        engine.read(source_from(population)), listed_as, person=person, asked=asked, where=where
    )


def _original(table: Table, target: PublishedTable, person: str | None) -> PublishedTable:
    """Read the table that the release was made from: it has the same columns, as they were."""
    for name in (*target.quasi, *target.sensitive):
        if name not in table.names:
            raise BadInput(
                f"the original has no column '{name}', which the release has",
                remedy="give the file that the release was made from, with the same names",
            )
    if person is not None and person not in table.names:
        raise BadInput(f"the original has no column '{person}'", remedy="check the name of the person column")
    return PublishedTable(
        table, target.quasi, target.sensitive, person, target.known, hierarchies=target.hierarchies
    )


def _attacked(
    found: Target,
    knowledge: Knowledge,
    chosen: Sequence[AskedAttack] | None,
    columns: Mapping[str, str],
    victims: bool,
    progress: Progress,
) -> AttackReport:
    results: list[AttackResult] = []
    not_run: list[NotRun] = []
    titles: dict[str, str] = {}
    strict = chosen is not None
    asked = list(chosen) if chosen is not None else _all_attacks(not_run)
    for one in asked:
        progress.step(f"attacking: {one.attack.title}")
        titles[one.attack.name] = one.attack.title
        held = knowledge
        engine = found.published.table.engine
        if one.people is not None:
            told = {**columns, **one.columns}
            people = people_of(engine.read(one.people), found.published, told)
            held = dataclasses.replace(held, people=people)
        if one.others:
            more = tuple(other_release(other, engine, found.published) for other in one.others)
            held = dataclasses.replace(held, others=more)
        target = widened(found.published, held.people)
        for result in run_attack(
            one.attack, target, held, strict=strict, victims=victims, progress=Within(progress)
        ):
            if isinstance(result, NotRun):
                not_run.append(result)
            else:
                results.append(result)
    if not results:
        reasons = "; ".join(_why(not_run)) or "there is none to run"
        raise BadInput(
            f"no attack could be run: {reasons}",
            remedy="give the columns that people are known by, a sensitive column, or an identified file",
        )
    order = list(Threat)
    results.sort(key=lambda result: (order.index(result.threat), result.attack != BY_DEFAULT[0]))
    return AttackReport(
        tuple(results), tuple(not_run), tuple(_notes(found, knowledge, asked, not_run)), titles
    )


def _why(not_run: Sequence[NotRun]) -> Iterator[str]:
    """Say each reason once, with the attacks that were not run for it."""
    for reason in dict.fromkeys(one.reason for one in not_run):
        which = dict.fromkeys(one.attack for one in not_run if one.reason == reason)
        yield f"{reason} ({', '.join(which)})"


def _all_attacks(not_run: list[NotRun]) -> list[AskedAttack]:
    """Make every attack that can be made without being told more."""
    asked = []
    for name, kind in ATTACKS.items():
        open_ = [
            one.name
            for one in dataclasses.fields(kind)
            if one.init and one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING
        ]
        if open_:
            not_run.append(NotRun(name, kind.threat, f"it needs to be told: {', '.join(open_)}"))
        elif not kind.needs:
            not_run.append(NotRun(name, kind.threat, "it is about another kind of table; name it to run it"))
        else:
            made: Attack = kind()
            asked.append(AskedAttack(made))
    return asked


def _notes(
    found: Target, knowledge: Knowledge, asked: Sequence[AskedAttack], not_run: Sequence[NotRun]
) -> Iterator[str]:
    """Say what the figures rest on."""
    used = [one for one in asked if Need.PEOPLE in used_by(one.attack)]
    people, target = knowledge.people, found.published
    if people is not None and used:
        of_original = knowledge.original is not None and people.table is knowledge.original.table
        told = ", ".join(
            name if name == other else f"{name} = {other}" for name, other in people.columns.items()
        )
        whom = "everybody in the original" if of_original else "the people of the identified file"
        yield f"the adversary knows {whom} by: {told}"
        again = 0 if of_original or people.person else repeated_rows(people.table)
        if again:
            repeat = "1 row of the identified file repeats" if again == 1 else f"{again:,} rows of it repeat"
            yield (f"{repeat} another in every column: people who are listed twice are easier to find")
        left = {one.attack for one in not_run}
        ran = [one.attack for one in asked if one.attack.name not in left]
        others = [attack.name for attack in ran if Need.PEOPLE not in used_by(attack)]
        if others and not of_original:
            yield f"not about the people of the file, but about everybody: {', '.join(others)}"
        shared = [
            name
            for name in target.table.names
            if name not in (*target.quasi, *target.sensitive, *people.columns, target.person)
            and name in people.table.names
        ]
        if shared and not of_original:
            yield (
                f"the file has more columns in common that are no quasi-identifiers ({', '.join(shared)}): "
                "map them to let the adversary use them"
            )
    everybody = knowledge.population
    if everybody is not None and any(Need.POPULATION in one.attack.needs for one in asked):
        again = repeats_among(everybody.table, tuple(everybody.columns.values()), everybody.person)
        if again:
            more = "if the same people are listed several times, it is easier to tell who is in"
            yield f"{repeats_in_words(again)}: {more}"
    if found.plain and target.person is None:
        yield "rows were taken as people: no column names the person"
    yield from found.notes
