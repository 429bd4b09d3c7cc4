"""Adversaries run against notes in the house, before and after: for the steward alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sfumato.core import evidence as ev
from sfumato.core import evidence_text as evt
from sfumato.core.attack import AttackResult, Need
from sfumato.core.errors import BadInput, SfumatoError, SystemFault
from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.recipe.attack_ask import AskedAttack
from sfumato.recipe.attack_knowledge import REMEDIES, reason_of
from sfumato.recipe.attacked import KNOWS_A_FILE, figures_of, not_run_evidence, refuse_exceeded
from sfumato.recipe.text.evaluated import read_annotated
from sfumato.recipe.text.job import TextJob
from sfumato.recipe.text.people import identified_from, other_notes_from
from sfumato.text.attacks import DateOffset, HiddenInPlainSight, TextLinkage
from sfumato.text.attacks.clues import days_in
from sfumato.text.attacks.contract import Identified, Knowledge, ReleasedNotes
from sfumato.text.kinds import Kind
from sfumato.text.models.contract import Handled
from sfumato.text.note import Known, Note, Record
from sfumato.text.replace.settled import UnderDatedPolicy
from sfumato.text.risk import exposure
from sfumato.text.stream.layout import KNOWN, PERSON, ROW, WRITTEN, Layout

MOST_CHARACTERS = 20_000_000
"""of all notes together, up to which they are attacked: the adversary reads all of them at once"""
_AT_ONCE = 512
"""rows that are read at a time: they are held a second time while they are"""
KNOWS_COLUMNS = "what the known columns say about everybody"
BETTER = {
    Threat.IDENTITY: "lower the threshold, annotate and train, or replace more (policy: everything)",
    Threat.ATTRIBUTE: "reduce dates to the year (policy: safe-harbor)",
    Threat.MEMBERSHIP: "release less",
    Threat.INFERENCE: "release less",
}


@dataclass(frozen=True)
class Notes:
    """Notes as they were and as they are released, side by side."""

    before: tuple[str, ...] = field(repr=False)
    after: tuple[str, ...] = field(repr=False)
    persons: tuple[str, ...] = field(repr=False)
    known: dict[str, tuple[Known, ...]] = field(repr=False)
    language: str = "en"
    days: int = 365
    grouped: bool = False
    """whether the release shows which notes are one person's"""
    offsets: tuple[int | None, ...] = field(default=(), repr=False)
    """by how many days the dates of each note were moved; None where none was"""

    @property
    def original(self) -> ReleasedNotes:
        """The notes as they were."""
        return self._shown(self.before)

    @property
    def released(self) -> ReleasedNotes:
        """The notes that go out."""
        return self._shown(self.after)

    def _shown(self, texts: tuple[str, ...]) -> ReleasedNotes:
        return ReleasedNotes(texts, self.persons if self.grouped else None, self.language, self.days)

    def singled_out(self, texts: Sequence[str]) -> evt.SingledOutEvidence:
        """Say whom ages, dates and the sex single out in these texts."""
        records: dict[str, list[Note]] = {}
        for person, text in zip(self.persons, texts, strict=True):
            records.setdefault(person, []).append(Note(text))
        found = exposure((Record(tuple(one)) for one in records.values()), language=self.language)
        return evt.SingledOutEvidence(
            told=dict(found.told), silent=found.silent, unique=found.unique, few=found.few
        )

    @property
    def people(self) -> Identified:
        """What the known columns say of everybody."""
        return Identified(tuple(self.known.values()), tuple(self.known))


@dataclass(frozen=True)
class Against:
    """What can be said against notes: adversaries that were run, and whom the rest singles out."""

    attacks: tuple[ev.AttackEvidence, ...] = ()
    before: evt.SingledOutEvidence | None = None
    after: evt.SingledOutEvidence | None = None


def against_notes(job: TextJob, parts: Sequence[Path], laid: Path, progress: Progress = SILENT) -> Against:
    """Attack notes before and after, and count whom ages, dates and the sex single out in both.

    ``parts`` are the finished batches and ``laid`` the notes that they were made from. Raises
    ``PromiseNotMet`` when a bound does not hold.
    """
    progress.step("reading before and after")
    notes = side_by_side(job, parts, laid)
    attacks = tuple(attacked_text(job, notes, progress))
    if notes is None or not notes.before:
        return Against(attacks)
    return Against(attacks, notes.singled_out(notes.before), notes.singled_out(notes.after))


def attacked_text(job: TextJob, notes: Notes | None, progress: Progress = SILENT) -> list[ev.AttackEvidence]:
    """Run what the job asks for, and text linkage by the known columns; None are too many notes."""
    asked = list(job.attacks)
    named = {one.attack.name for one in asked}
    usual: list[Any] = [TextLinkage(), *([DateOffset()] if job.method.moves_dates else [])]
    unasked = [AskedAttack(one) for one in usual if job.known and one.name not in named]
    if not asked and not unasked:
        return []
    progress.step("attacking the release")
    if notes is None:
        reason = f"the notes have more than {MOST_CHARACTERS:,} characters: attack a sample of them"
        if asked:
            raise BadInput(reason, where="attacks", remedy="leave 'attacks' out")
        return [not_run_evidence(one.attack, reason) for one in unasked]
    found = []
    for number, ask in enumerate([*asked, *unasked]):
        progress.update(number / len([*asked, *unasked]), ask.attack.name)
        found.append(_both(ask, job, notes, strict=number < len(asked)))
    order = [str(threat) for threat in Threat]
    return sorted(found, key=lambda one: order.index(one.threat))


def _both(ask: AskedAttack, job: TextJob, notes: Notes, *, strict: bool) -> ev.AttackEvidence:
    """Attack the notes as they were, and as they would be published."""
    attack: Any = ask.attack
    where = f"attacks, {attack.name}"
    try:
        people = notes.people if job.known else None
        if ask.people is not None:
            people = identified_from(ask.people, ask.columns, job.schema.person, where)
        others = None
        if ask.others:
            (source,) = ask.others
            assert not isinstance(source, Path)
            others = other_notes_from(source, job.text, job.schema.person, where)
        held = Knowledge(people, others, notes.persons, notes.offsets)
        need = unmet(attack, held)
        if need is not None:
            raise BadInput(f"the attack needs {need}", remedy=REMEDIES[need])
        was = None
        if isinstance(attack, HiddenInPlainSight):
            found = attack.run(*_annotated(job))
        else:
            found = attack.run(notes.released, held)
            # Dates that nobody moved give no offset away.
            was = None if isinstance(attack, DateOffset) else attack.run(notes.original, held)
    except SystemFault:
        raise
    except SfumatoError as problem:
        if strict:
            problem.where = problem.where or where
            raise
        return not_run_evidence(attack, reason_of(problem))
    refuse_exceeded(ask, found, BETTER)
    return _evidence(ask, was, found)


def unmet(attack: Any, knowledge: Knowledge) -> Need | None:
    """Return what an attack on notes needs and is not at hand."""
    at_hand = {
        Need.PEOPLE: knowledge.people is not None,
        Need.OTHERS: knowledge.others is not None,
        Need.ORIGINAL: knowledge.offsets is not None or knowledge.left is not None,
    }
    return next((need for need, there in at_hand.items() if need in attack.needs and not there), None)


def _annotated(job: TextJob) -> tuple[ReleasedNotes, Knowledge]:
    """Release the annotated notes as the others are, and say which real names are left in them."""
    if job.annotated is None:
        raise BadInput(
            "only annotated notes tell which names were missed",
            remedy="name annotated notes of the house under 'annotated'",
        )
    handler = job.handling.open()
    texts, left = [], []
    for note in read_annotated(job.annotated):
        handled, _ = handler.handle(Record((Note(note.text, note.id),), note.id))
        texts.append(handled.released[0])
        names = [(span.start, span.end) for span in note.spans if span.kind is Kind.NAME]
        left.append(tuple(_standing(handled, names)))
    return ReleasedNotes(tuple(texts), language=job.finding.language), Knowledge(left=tuple(left))


def _standing(handled: Handled, names: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Return where names that nothing touched stand in the released text."""
    changes = handled.changes[0]
    for start, end in names:
        if not any(change.span.start < end and start < change.span.end for change in changes):
            grown = sum(
                len(change.after) - len(change.span) for change in changes if change.span.end <= start
            )
            yield start + grown, end + grown


def _evidence(ask: AskedAttack, before: AttackResult | None, after: AttackResult) -> ev.AttackEvidence:
    attack = ask.attack
    return ev.AttackEvidence(
        name=attack.name,
        title=attack.title,
        threat=str(attack.threat),
        parameters=parameters_of(attack),
        knows=KNOWS_A_FILE if ask.people is not None or ask.others else KNOWS_COLUMNS,
        before=None if before is None else figures_of(before),
        after=figures_of(after),
        bounds=dict(ask.bounds),
        held=True if ask.bounds else None,
    )


def side_by_side(job: TextJob, parts: Sequence[Path], laid: Path) -> Notes | None:
    """Bring notes before and after together; None where they are too many to be read at once."""
    layout = job.layout
    after: dict[int, str | None] = {}
    length = 0
    for part in parts:
        table = pq.read_table(part, columns=[layout.text, ROW])
        for row, text in zip(table[ROW].to_pylist(), table[layout.text].to_pylist(), strict=True):
            after[row] = text
            length += len(text or "")
        if length > MOST_CHARACTERS:
            return None
    before: list[str] = []
    released: list[str] = []
    persons: list[str] = []
    known: dict[str, dict[Known, None]] = {}
    for piece in pq.ParquetFile(laid).iter_batches(_AT_ONCE, columns=_columns(layout)):
        for row in piece.to_pylist():
            text, new = row[layout.text], after.get(row[ROW])
            if text is None or new is None:
                continue
            person = row.get(PERSON) or f"row {row[ROW]}"
            before.append(text)
            released.append(new)
            persons.append(person)
            known.setdefault(person, {}).update(_said(row, layout))
    # Arrow keeps what reading took unless it is asked: nothing below needs it.
    pa.default_memory_pool().release_unused()
    return Notes(
        tuple(before),
        tuple(released),
        tuple(persons),
        {person: tuple(said) for person, said in known.items()},
        job.finding.language,
        job.method.days,
        job.schema.person in job.schema.released,
        _offsets(job, before, released, persons),
    )


def _offsets(
    job: TextJob, before: Sequence[str], after: Sequence[str], persons: Sequence[str]
) -> tuple[int | None, ...]:
    """Ask the replacement by how many days it moves the dates of each note, where a date was moved."""
    language = job.finding.language
    replacement = job.method.replacement(language)
    if not job.method.moves_dates or not isinstance(replacement, UnderDatedPolicy):
        return (None,) * len(before)
    secrets = job.handling.secrets
    known: dict[str, int] = {}
    found: list[int | None] = []
    for old, new, person in zip(before, after, persons, strict=True):
        moved = days_in(new, language)
        if not moved or moved == days_in(old, language):
            found.append(None)
            continue
        if person not in known:
            # Without a column of persons a note stands for its own, as it does when dates are moved.
            alone = Record((Note(old),), person if job.schema.person is not None else "")
            known[person] = replacement.offset(alone, secrets)
        found.append(known[person])
    return tuple(found)


def _columns(layout: Layout) -> list[str]:
    return [layout.text, ROW, *layout.raw]


def _said(row: dict[str, Any], layout: Layout) -> dict[Known, None]:
    """Return what the columns say about a person, the day a note was written among it."""
    said = {
        Known(column.kind, value, column.label): None
        for place, column in enumerate(layout.known)
        if (value := row.get(f"{KNOWN}:{place}"))
    }
    if row.get(WRITTEN):
        said[Known(Kind.DATE, row[WRITTEN], "written")] = None
    return said
