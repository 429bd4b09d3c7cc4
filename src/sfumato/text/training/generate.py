"""Write annotated notes, as many as are wanted, the same ones for the same seed on every machine."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType

from sfumato.core.errors import BadInput, nearest
from sfumato.text.annotation.annotated import Annotated
from sfumato.text.training.augment import augmented
from sfumato.text.training.grammar import Grammar
from sfumato.text.training.scribe import Scribe, Writer
from sfumato.text.training.slots import SLOTS

_DATA = Path(__file__).parent / "data"
_PRIME = 1_000_003
"""seeds of neighbouring notes stay apart"""


@cache
def grammar() -> tuple[Grammar, Mapping[str, Writer]]:
    """Read and compile all rules and templates, once."""
    built = Grammar(SLOTS)
    for path in sorted(_DATA.glob("rules_*.txt")):
        built.add_rules(path.read_text(encoding="utf-8"))
    templates: dict[str, Writer] = {}
    for path in sorted(_DATA.glob("notes_*.txt")):
        for name, writer in built.templates(path.read_text(encoding="utf-8")).items():
            if name in templates:
                raise BadInput(f"two templates are called '{name}'", where=path.name)
            templates[name] = writer
    built.check()
    return built, MappingProxyType(templates)


def template_names() -> tuple[str, ...]:
    """Return the names of all templates."""
    return tuple(grammar()[1])


def generated_notes(
    count: int,
    seed: int,
    language: str = "en",
    templates: Sequence[str] | None = None,
    augment: float = 0.3,
) -> Iterator[Annotated]:
    """Write ``count`` notes. Templates take turns; a share ``augment`` of the notes is changed as a whole.

    >>> notes = list(generated_notes(3, seed=1, templates=["discharge_summary"]))
    >>> [note.template for note in notes], len({note.text for note in notes})
    (['discharge_summary', 'discharge_summary', 'discharge_summary'], 3)
    """
    if language != "en":
        raise BadInput(f"no notes are generated in '{language}'", where="language", remedy="write 'en'")
    if count < 0:
        raise BadInput("the number of notes must not be negative", where="count")
    known = grammar()[1]
    chosen = tuple(known) if templates is None else tuple(templates)
    for name in chosen:
        if name not in known:
            raise BadInput(f"there is no template '{name}'", where="templates", remedy=nearest(name, known))
    if not chosen:
        raise BadInput("no template was given", where="templates", remedy="give at least one, or none at all")
    return _written(count, seed, chosen, augment)


def _written(count: int, seed: int, templates: tuple[str, ...], augment: float) -> Iterator[Annotated]:
    known = grammar()[1]
    for number in range(count):
        dice = random.Random(seed * _PRIME + number)
        template = templates[number % len(templates)]
        scribe = Scribe(dice)
        known[template](scribe)
        note = Annotated("".join(scribe.parts), tuple(scribe.spans), f"en-{seed}-{number}", template)
        yield augmented(note, dice) if dice.random() < augment else note
