"""The Python door of attacks on sets: run adversaries against a release, a file or a frame of sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.codes.attacks import ATTACKS
from sfumato.codes.attacks.contract import Identified, Knowledge, Target
from sfumato.codes.disassociated import Disassociated
from sfumato.codes.published import PublishedSets
from sfumato.codes.reading import ReadCodes, read_codes
from sfumato.codes.sets import CodeSets
from sfumato.codes.utility.truthful import truthful
from sfumato.core.attack import AttackResult
from sfumato.core.errors import BadInput, SfumatoError, SystemFault, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Field, Role, Schema
from sfumato.core.verdict import Threat
from sfumato.engine import open_engine
from sfumato.recipe.attack import AttackReport
from sfumato.recipe.attack_ask import AskedAttack, asked_attacks
from sfumato.recipe.attack_knowledge import REMEDIES, NotRun, reason_of
from sfumato.recipe.attack_target import described, held_by, source_from
from sfumato.recipe.codes.api import CodesRelease, marked_sets, published_from
from sfumato.recipe.codes.attack_ask import checked_set_attacks
from sfumato.recipe.codes.attacked import identified, unmet
from sfumato.recipe.codes.layout import layout_of
from sfumato.recipe.codes.on_disk import CodesOnDisk
from sfumato.recipe.codes.verify_original import told_fields, told_of_codes, told_resource

_ROLES = (Role.PERSON, Role.VISIT, Role.CODES)


@dataclass(frozen=True)
class _Columns:
    """How files about the same people are read: as the recipe of the release tells, or as a caller says."""

    fields: tuple[tuple[str, Role], ...]
    layout: str | None = None
    separator: str | None = None
    system: str | None = None

    def read(self, data: Any, where: str) -> ReadCodes:
        """Read the codes of people; a file may lack the columns of persons and visits."""
        if isinstance(data, ReadCodes):
            return data
        engine = open_engine("duckdb")
        try:
            table = engine.read(source_from(data))
            for name in (name for name, role in self.fields if role is Role.CODES):
                if name not in table.names:
                    raise BadInput(
                        f"there is no column '{name}' that holds codes",
                        where=where,
                        remedy=f"{nearest(name, table.names)}; say which with 'columns' (--map)",
                    )
            known = tuple(Field(name, role) for name, role in self.fields if name in table.names)
            layout = layout_of(table, Schema(known), self.layout, self.separator)
            return read_codes(table, layout, system=self.system)
        finally:
            engine.close()


def attack_codes(
    target: Any,
    attacks: Any = None,
    *,
    original: Any = None,
    with_: Any = None,
    code: str | None = None,
    person: str | None = None,
    visit: str | None = None,
    columns: Mapping[str, str] | None = None,
    layout: str | None = None,
    separator: str | None = None,
    system: str | None = None,
    sensitive: Iterable[str] = (),
    items: Mapping[str, Sequence[str]] | None = None,
    victims: bool = False,
    progress: Progress = SILENT,
) -> AttackReport:
    """Run adversaries who know codes against a release of sets, and say what they learn.

    ``target`` is the folder of a release, a ``CodesRelease``, or published sets (a list of records, a frame
    or a file with a column ``codes``; ``items`` says what labels stand for). ``original`` and the identified
    file ``with_`` are lists of sets, or frames and files in which ``code``, ``person`` and ``visit`` name the
    columns; for the folder of a release they are those of its recipe, and ``columns`` leads from them to
    those of the files where names differ. Without ``attacks`` all are run that what is given allows.

    >>> import sfumato as sf
    >>> shown = [[["401.0", "401.1"], "295"], [["401.0", "401.1"], "295"], ["250"]]
    >>> known = [["401.0", "295"], ["401.1", "295"], ["250"]]
    >>> print(sf.attack_codes(shown, "known-codes", original=known))
    identity: which record is a person's
      attack       column  people  success  without   guess  sure of
      known-codes               3   66.7 %   33.3 %  33.3 %        1
    which record is whose is not known: a person's own is taken to be one of those that agree
    """
    chosen = None
    if attacks is not None:
        chosen = checked_set_attacks(asked_attacks(attacks, held_by, registry=ATTACKS))
        _refuse_bounds(chosen)
    progress.step("reading")
    shown, told = _target(target, items, set(sensitive))
    named = _columns(told, code, person, visit, columns or {}, layout, separator, system)
    before = None if original is None else _read(original, named, described(original, "the original"))
    people = None if with_ is None else _read(with_, named, described(with_, "the identified file"))
    knowledge = _knowledge(target, shown, before, people)
    return _attacked(shown, knowledge, chosen, victims, progress)


def _target(
    target: Any, items: Mapping[str, Sequence[str]] | None, sensitive: set[str]
) -> tuple[Target, CodesOnDisk | None]:
    if isinstance(target, CodesRelease):
        return target.published, None
    if isinstance(target, str | Path) and Path(target).is_dir():
        release = CodesOnDisk.read(target)
        if release.schema.quasi:
            # Adversaries who know codes alone would find fewer people than those who know both.
            raise BadInput(
                "quasi-identifiers stand beside these codes, and no attack uses both so far",
                where=str(target),
                remedy="use 'sfumato verify', or 'sfumato risk' on its file",
            )
        return release.published(), release
    shown = published_from(target, items)
    if sensitive and isinstance(shown, PublishedSets):
        shown = marked_sets(shown, sensitive)
    return shown, None


def _columns(
    release: CodesOnDisk | None,
    code: str | None,
    person: str | None,
    visit: str | None,
    renamed: Mapping[str, str],
    layout: str | None,
    separator: str | None,
    system: str | None,
) -> _Columns | None:
    """Take the columns that a caller names, else those of the recipe that made the release."""
    if code is not None:
        given = ((code, Role.CODES), (person, Role.PERSON), (visit, Role.VISIT))
        return _Columns(tuple((n, role) for n, role in given if n), layout, separator, system)
    if release is None:
        return None
    evidence = release.evidence
    listed = [(str(f["name"]), str(f["role"])) for f in told_fields(evidence)]
    unknown = [name for name in renamed if name not in {told for told, _ in listed}]
    if unknown:
        raise BadInput(
            f"the recipe of the release names no column '{unknown[0]}'",
            remedy=nearest(unknown[0], [told for told, _ in listed]),
        )
    fields = [(renamed.get(name, name), Role(role)) for name, role in listed if role in _ROLES]
    for role, other in ((Role.PERSON, person), (Role.VISIT, visit)):
        if other is not None:
            fields = [(name, kind) for name, kind in fields if kind is not role] + [(other, role)]
    resource, of_codes = told_resource(evidence), told_of_codes(evidence)
    return _Columns(
        tuple(fields),
        layout or resource.get("layout"),
        separator or of_codes.get("separator"),
        system or of_codes.get("system"),
    )


def _read(data: Any, columns: _Columns | None, where: str) -> ReadCodes | CodeSets:
    if isinstance(data, CodeSets):
        return data
    if isinstance(data, list | tuple) and all(
        isinstance(one, list | tuple | set | frozenset) for one in data
    ):
        return CodeSets.of(data)
    if columns is None:
        raise BadInput("nobody said which column holds the codes", where=where, remedy="name it with 'code'")
    return columns.read(data, where)


def _knowledge(
    target: Any, shown: Target, before: ReadCodes | CodeSets | None, people: ReadCodes | CodeSets | None
) -> Knowledge:
    """Say what is known; a release that is still in memory is in the order of its original."""
    sets = before.sets if isinstance(before, ReadCodes) else before
    aligned = (
        isinstance(target, CodesRelease)
        and isinstance(shown, PublishedSets)
        and sets is not None
        and len(sets) == len(shown)
        and truthful(sets, shown).holds
    )
    file = None
    if isinstance(people, ReadCodes):
        file = identified(people, before if aligned and isinstance(before, ReadCodes) else None)
    elif people is not None:
        file = Identified(people)
    visits = before.visits if isinstance(before, ReadCodes) else None
    return Knowledge(sets, aligned, visits, file)


def _attacked(
    shown: Target,
    knowledge: Knowledge,
    chosen: Sequence[AskedAttack] | None,
    victims: bool,
    progress: Progress,
) -> AttackReport:
    results: list[AttackResult] = []
    not_run: list[NotRun] = []
    asked: list[Any] = [one.attack for one in chosen] if chosen is not None else _fitting(shown)
    for attack in asked:
        progress.step(f"attacking: {attack.title}")
        try:
            need = unmet(attack, knowledge)
            if need is not None:
                raise BadInput(f"it needs {need}", remedy=REMEDIES[need])
            results.append(attack.run(shown, knowledge, victims=victims, progress=progress))
        except SystemFault:
            raise
        except SfumatoError as problem:
            if chosen is not None:
                problem.where = problem.where or attack.name
                raise
            not_run.append(NotRun(attack.name, attack.threat, reason_of(problem)))
    if not results:
        reasons = "; ".join(dict.fromkeys(one.reason for one in not_run))
        raise BadInput(
            f"no attack could be run: {reasons}", remedy="give the original, or an identified file"
        )
    order = list(Threat)
    results.sort(key=lambda result: order.index(result.threat))
    notes = []
    if knowledge.original is not None and not knowledge.aligned:
        notes.append(
            "which record is whose is not known: a person's own is taken to be one of those that agree"
        )
    titles = {attack.name: attack.title for attack in asked}
    return AttackReport(tuple(results), tuple(not_run), tuple(notes), titles)


def _fitting(shown: Target) -> list[Any]:
    """Make every attack on this form of release."""
    chunks = isinstance(shown, Disassociated)
    return [kind() for name, kind in ATTACKS.items() if (name == "cover") <= chunks]


def _refuse_bounds(asked: Sequence[AskedAttack]) -> None:
    """A bound is part of a promise about a release that is made; here nobody would look at it."""
    for number, one in enumerate(asked):
        if one.bounds or one.people is not None:
            what = f"'{next(iter(one.bounds))}' is a bound" if one.bounds else "'with' names a file"
            raise BadInput(
                f"{what}, which only a recipe can set",
                where=f"attacks[{number}], {one.attack.name}",
                remedy="compare the result with it, or write --at-most beside 'sfumato attack'"
                if one.bounds
                else "give the file as 'with_' (--with)",
            )
