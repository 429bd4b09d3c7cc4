"""What an adversary holds, made from files: which columns say the same, and what is missing for an attack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow.compute as pc

from sfumato.core.attack import AttackResult, Need
from sfumato.core.errors import BadInput, SfumatoError, SystemFault, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.engine.contract import Engine, Table
from sfumato.engine.sources import Source
from sfumato.recipe.attack_ask import over_columns
from sfumato.recipe.on_disk import ReleaseOnDisk
from sfumato.table.attacks.contract import Attack, Knowledge, People
from sfumato.table.population import folded, person_of
from sfumato.table.published import PublishedTable

REMEDIES = {
    Need.PEOPLE: "give a file of people whom the adversary knows ('with'), or the original",
    Need.ORIGINAL: "give the original",
    Need.SENSITIVE: "say which column is sensitive",
    Need.OTHERS: "give the other release",
    Need.MECHANISM: "it is about columns that 'perturb' has randomised in a published way",
    Need.POPULATION: "give a list of the population",
}
"""what to do where an adversary lacks something"""


@dataclass(frozen=True)
class NotRun:
    """An attack that could not be run, and why: nothing is known of its success. Prints as a sentence.

    >>> print(NotRun("membership", Threat.MEMBERSHIP, "it needs a list of the population"))
    membership was not run: it needs a list of the population
    """

    attack: str
    threat: Threat
    reason: str
    column: str | None = None

    def __str__(self) -> str:
        of = f" on '{self.column}'" if self.column else ""
        return f"{self.attack}{of} was not run: {self.reason}"


def common_columns(
    released: Sequence[str],
    of_file: Sequence[str],
    told: Mapping[str, str] | None = None,
    *,
    where: str = "the identified file",
    known: Sequence[str] = (),
) -> dict[str, str]:
    """Find which column of a file says what a column of a release says: those told, else by equal names.

    ``released`` are the columns to look for; ``known`` are all that may be told.

    >>> common_columns(["age", "birth_date"], ["Age", "BirthDate", "name"])
    {'age': 'Age', 'birth_date': 'BirthDate'}
    """
    found = dict(told or {})
    everything = [*released, *(name for name in known if name not in released)]
    for name, other in found.items():
        if name not in everything:
            raise BadInput(
                f"the release has no column '{name}' that people could be known by",
                where=where,
                remedy=nearest(name, everything),
            )
        if other not in of_file:
            raise BadInput(f"there is no column '{other}'", where=where, remedy=nearest(other, of_file))
    alike: dict[str, list[str]] = {}
    for other in of_file:
        alike.setdefault(folded(other), []).append(other)
    for name in released:
        if name in found:
            continue
        others = alike.get(folded(name), [])
        if name in others:
            found[name] = name
        elif len(others) > 1:
            listed = ", ".join(f"'{other}'" for other in others)
            raise BadInput(
                f"'{name}' of the release may be any of {listed}",
                where=where,
                remedy=f"say which with a map, such as {name}={others[0]}",
            )
        elif others:
            found[name] = others[0]
    if not found:
        raise BadInput(
            "it has no column in common with the release",
            where=where,
            remedy=f"the release has {_listed(released)}, the file {_listed(of_file)}: say which belong "
            f"together, such as {next(iter(released), 'zip')}=postcode",
        )
    return found


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    return shown or "none"


def people_of(
    table: Table,
    target: PublishedTable,
    told: Mapping[str, str] | None = None,
    *,
    person: str | None = None,
    where: str = "the identified file",
) -> People:
    """Make an identified file of a table: whom the adversary knows, by which columns."""
    hidden = {*target.sensitive, *((target.person,) if target.person else ())}
    known = [name for name in target.table.names if name not in hidden]
    columns = common_columns(target.quasi, table.names, told, where=where, known=known)
    return People(table, columns, person if person in table.names else None)


def population_of(
    table: Table,
    target: PublishedTable,
    *,
    person: str | None = None,
    asked: str | None = None,
    where: str = "the population",
) -> People:
    """Make a list of the population of a table, whose people count once each where a column names them.

    ``person`` is the person column of the data, ``asked`` that of the list, if it is said.
    """
    people = people_of(table, target, where=where)
    named = person_of(table, asked, person, tuple(people.columns.values()))
    same = named is None or person is None or folded(named) == folded(person)
    return replace(people, person=named, same_ids=same)


def widened(target: PublishedTable, people: People | None) -> PublishedTable:
    """Let columns that the adversary was said to know count among the quasi-identifiers."""
    more = tuple(name for name in people.columns if name not in target.quasi) if people else ()
    if not more:
        return target
    return replace(target, quasi=(*target.quasi, *more))


def hidden_in(target: PublishedTable, original: PublishedTable) -> tuple[str, ...]:
    """Return the quasi-identifiers in which more records lack a value than did before: some were hidden."""
    return tuple(
        name
        for name in target.quasi
        if name in target.hiding or _lacking(target.table, name) > _lacking(original.table, name)
    )


def refuse_rows_of_nobody(table: PublishedTable) -> None:
    """Refuse a table that names persons in some of its rows only: the others would count as nobody."""
    many = 0 if table.person is None else _lacking(table.table, table.person)
    if many:
        raise BadInput(
            f"{many:,} rows do not say whose they are",
            where=f"column '{table.person}'",
            remedy="give every row its person, or name no person column",
        )


def _lacking(table: Table, name: str) -> int:
    """Count the rows without a value."""
    batches = table.engine.count(table, [name])
    return sum(pc.sum(batch.column(1).filter(batch.column(0).is_null())).as_py() or 0 for batch in batches)


def other_release(data: Path | Source, engine: Engine, like: PublishedTable) -> PublishedTable:
    """Open another release: a folder with its own roles, or a table with those of the first."""
    if isinstance(data, Path):
        return ReleaseOnDisk.read(data).published(engine)
    table = engine.read(data)
    quasi = tuple(name for name in like.quasi if name in table.names)
    if not quasi:
        raise BadInput(
            "it has none of the quasi-identifiers of the release",
            where="the other release",
            remedy=f"give a table with some of: {', '.join(like.quasi)}",
        )
    return PublishedTable(table, quasi, tuple(name for name in like.sensitive if name in table.names))


def unmet(attack: Attack, target: PublishedTable, knowledge: Knowledge) -> Need | None:
    """Return what an attack needs and is not at hand."""
    at_hand = {
        Need.PEOPLE: knowledge.people is not None,
        Need.ORIGINAL: knowledge.original is not None,
        Need.SENSITIVE: bool(target.sensitive),
        Need.OTHERS: bool(knowledge.others),
        Need.MECHANISM: bool(target.mechanisms),
        Need.POPULATION: knowledge.population is not None,
    }
    return next((need for need in Need if need in attack.needs and not at_hand[need]), None)


def reason_of(problem: SfumatoError) -> str:
    """Say why an attack was not run; which attack and which column is told beside it."""
    return f"{problem.what}; {problem.remedy}" if problem.remedy else problem.what


def run_attack(
    attack: Attack,
    target: PublishedTable,
    knowledge: Knowledge,
    *,
    strict: bool,
    victims: bool = False,
    progress: Progress = SILENT,
) -> list[AttackResult | NotRun]:
    """Run an attack, once for every sensitive column if it names none.

    Where it cannot be run, a ``strict`` caller gets the error; others get the reason.
    """
    need = unmet(attack, target, knowledge)
    if need is not None:
        if strict:
            raise BadInput(f"the attack needs {need}", where=attack.name, remedy=REMEDIES[need])
        return [NotRun(attack.name, attack.threat, f"it needs {need}")]
    found: list[AttackResult | NotRun] = []
    for one in over_columns(attack, target):
        try:
            found.append(one.run(target, knowledge, victims=victims, progress=progress))
        except SystemFault:
            raise
        except SfumatoError as problem:
            if strict:
                problem.where = problem.where or attack.name
                raise
            found.append(NotRun(one.name, one.threat, reason_of(problem), getattr(one, "column", None)))
    return found
