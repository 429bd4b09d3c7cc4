"""The Python door of attacks on notes: run adversaries against a release of notes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sfumato.core.attack import AttackResult
from sfumato.core.errors import BadInput, SfumatoError, SystemFault
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Role
from sfumato.core.verdict import Threat
from sfumato.recipe.attack import AttackReport
from sfumato.recipe.attack_ask import asked_attacks
from sfumato.recipe.attack_knowledge import REMEDIES, NotRun, reason_of
from sfumato.recipe.attack_target import described, held_by, source_from
from sfumato.recipe.text.attack_ask import checked_text_attacks
from sfumato.recipe.text.attacked import unmet
from sfumato.recipe.text.on_disk import TextOnDisk, released_pieces
from sfumato.recipe.text.people import identified_from, other_notes_from
from sfumato.text.attacks import ATTACKS
from sfumato.text.attacks.contract import Identified, Knowledge, OtherNotes, ReleasedNotes

_NOT_ON_DISK = "a release does not say who is who: claims are counted, and nobody can tell which are right"


def attack_text(
    target: Any,
    attacks: Any = None,
    *,
    with_: Any = None,
    others: Any = None,
    person: str | None = None,
    persons: Any = None,
    columns: Mapping[str, str] | None = None,
    text: str = "text",
    language: str = "en",
    victims: bool = False,
    progress: Progress = SILENT,
) -> AttackReport:
    """Run adversaries against released notes, and say what they learn.

    ``target`` is the folder of a release of notes, or a list of texts. ``with_`` is a file or frame of people
    whom the adversary knows; what its columns are is guessed from their names, and ``columns`` says it where
    they do not tell (``{"born": "DATE/birth"}``). ``others`` are texts from elsewhere with a column like that
    of the notes (``text``) and one that says whom they are about (``person``). Where the house knows whose
    the notes of a list are it gives ``persons``, one for each, and ``person`` names the column of the file
    with the same words: then claims are compared with the truth.

    >>> import pandas as pd
    >>> people = pd.DataFrame({"id": ["1", "2"], "name": ["Ada Lovelace", "Ida Rhodes"]})
    >>> notes = ["Ms Lovelace is well.", "**NAME[AAA] is well."]
    >>> report = attack_text(notes, with_=people, person="id", persons=["1", "2"])
    >>> report["text-linkage"].success
    0.75
    """
    chosen = None
    if attacks is not None:
        chosen = checked_text_attacks(asked_attacks(attacks, held_by, registry=ATTACKS))
        if any(one.bounds or one.people or one.others for one in chosen):
            raise BadInput(
                "bounds and files of an attack are for recipes",
                where="attacks",
                remedy="give files as 'with_' and 'others', and compare the result yourself",
            )
    progress.step("reading")
    shown, column = _target(target, text, language)
    people = _people(with_, columns or {}, person)
    elsewhere = _others(others, column, person)
    truth = None if persons is None else tuple(None if who is None else str(who) for who in persons)
    knowledge = Knowledge(people, elsewhere, truth)
    asked = [kind() for kind in ATTACKS.values()] if chosen is None else [one.attack for one in chosen]
    results: list[AttackResult] = []
    not_run: list[NotRun] = []
    for attack in asked:
        made: Any = attack
        progress.step(f"attacking: {made.title}")
        try:
            need = unmet(made, knowledge)
            if need is not None:
                raise BadInput(f"it needs {need}", remedy=REMEDIES[need])
            results.append(made.run(shown, knowledge, victims=victims, progress=progress))
        except SystemFault:
            raise
        except SfumatoError as problem:
            if chosen is not None:
                problem.where = problem.where or made.name
                raise
            not_run.append(NotRun(made.name, made.threat, reason_of(problem)))
    if not results:
        reasons = "; ".join(dict.fromkeys(one.reason for one in not_run))
        raise BadInput(
            f"no attack could be run: {reasons}", remedy="give a file of people whom the adversary knows"
        )
    order = list(Threat)
    results.sort(key=lambda result: order.index(result.threat))
    return AttackReport(
        tuple(results),
        tuple(not_run),
        (_NOT_ON_DISK,) if truth is None else (),
        {one.name: one.title for one in ATTACKS.values()},
    )


def _target(target: Any, text: str, language: str) -> tuple[ReleasedNotes, str]:
    """Read what is attacked, and say which column its notes stand in."""
    if isinstance(target, ReleasedNotes):
        return target, text
    if isinstance(target, list | tuple):
        if not all(isinstance(one, str) for one in target):
            raise BadInput("notes are texts", remedy="give a list of texts, or the folder of a release")
        return ReleasedNotes(tuple(target), language=language), text
    if not isinstance(target, str | Path) or not Path(target).is_dir():
        raise BadInput("this is no release of notes", remedy="give its folder, or a list of texts")
    release = TextOnDisk.read(target)
    evidence = release.evidence
    column = evidence.text_column
    person = next((field.name for field in release.schema.fields if field.role is Role.PERSON), None)
    texts: list[str] = []
    groups: list[str | None] = []
    for piece in released_pieces(release.path):
        who = [None] * piece.num_rows if person is None else piece.column(person).to_pylist()
        for note, whose in zip(piece.column(column).to_pylist(), who, strict=True):
            if note:
                texts.append(note)
                groups.append(None if whose is None else str(whose))
    # Notes beside one pseudonym are one person's, and are read together.
    told = None if person is None else tuple(groups)
    return ReleasedNotes(tuple(texts), told, evidence.searched.language), column


def _people(with_: Any, told: Mapping[str, str], person: str | None) -> Identified | None:
    if with_ is None:
        if told:
            raise BadInput("'columns' speaks of a file that is not there", remedy="give it as 'with_'")
        return None
    if isinstance(with_, Identified):
        return with_
    return identified_from(source_from(with_), told, person, described(with_, "the identified file"))


def _others(others: Any, text: str, person: str | None) -> OtherNotes | None:
    if others is None or isinstance(others, OtherNotes):
        return others
    return other_notes_from(source_from(others), text, person, described(others, "the texts from elsewhere"))
