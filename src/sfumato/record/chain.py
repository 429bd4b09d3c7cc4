"""How a chain of files is put together: what is known first, and what each file is joined on and tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sfumato.core.errors import BadInput, nearest
from sfumato.hierarchy.ladder import Hierarchy


@dataclass(frozen=True)
class Step:
    """One file of a chain.

    ``on`` leads from columns of this file to facts that are known by then; the first file has none: it says
    who the people are. ``learn`` leads from new facts to the columns of this file that tell them. Rows with
    the same value of ``record`` are one record, and what they say are sets; without it every row is one.
    ``hierarchies`` read the labels of columns in ``on`` where they do not speak for themselves. ``match``
    says how sets are compared (``record/sets.py``); left open, every way is tried, and the strongest counts.
    """

    file: Any
    """a path, a source or a frame"""
    learn: Mapping[str, str]
    on: Mapping[str, str] = field(default_factory=dict)
    record: str | None = None
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    match: str | None = None

    @property
    def title(self) -> str:
        """What the file is called."""
        if isinstance(self.file, str | Path):
            return Path(self.file).name
        path = getattr(self.file, "path", None)
        return Path(path).name if path is not None else "a frame"

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        named = [*self.on, *self.learn.values(), *((self.record,) if self.record else ())]
        return tuple(dict.fromkeys(named))


@dataclass(frozen=True)
class Truth:
    """Who is who, for the house alone: the adversary never reads it.

    ``person`` leads from columns of this file to facts of the first one that together name a person;
    ``fact`` is a column of this file, and a fact of the chain, that names the record which is theirs.
    """

    file: Any
    fact: str
    person: Mapping[str, str]


@dataclass(frozen=True)
class Chain:
    """Files that are joined one after the other, from people known by name to what is nobody's business.

    ``inside`` says that everybody of the first file is in the others too: an adversary who saw the records of
    some patients knows that; one who holds a list of voters does not.

    >>> Chain((Step("voters.csv", {"name": "name", "sex": "sex"}), Step("summaries.csv", {"code": "icd"})))
    Traceback (most recent call last):
    ...
    sfumato.core.errors.BadInput: step 2, summaries.csv: it is joined on nothing; say on which columns
    """

    steps: tuple[Step, ...]
    truth: Truth | None = None
    inside: bool = False

    def __post_init__(self) -> None:
        if len(self.steps) < 2:
            raise BadInput(
                "a chain needs at least two files", where="chain", remedy="add the file to go on to"
            )
        known: set[str] = set()
        for number, step in enumerate(self.steps, 1):
            where = f"step {number}, {step.title}"
            if number == 1 and step.on:
                raise BadInput(
                    "the first file is joined on something", where=where, remedy="take 'on' away from it"
                )
            if number > 1 and not step.on:
                raise BadInput("it is joined on nothing", where=where, remedy="say on which columns")
            for fact in step.on.values():
                if fact not in known:
                    raise BadInput(f"'{fact}' is not known by then", where=where, remedy=nearest(fact, known))
            for fact in step.learn:
                if fact in known:
                    raise BadInput(
                        f"'{fact}' is known already", where=where, remedy="learn it under another name"
                    )
            if number == 1 and not step.learn:
                raise BadInput("nothing is known of anybody", where=where, remedy="say what it tells")
            known.update(step.learn)
        if self.truth is not None:
            self._check_truth(self.truth, known)

    def _check_truth(self, truth: Truth, known: set[str]) -> None:
        if truth.fact not in known - set(self.steps[0].learn):
            raise BadInput(
                f"no file of the chain tells '{truth.fact}'",
                where="truth",
                remedy=nearest(truth.fact, known - set(self.steps[0].learn)),
            )
        if not truth.person:
            raise BadInput("it names nobody", where="truth", remedy="say by which columns people are known")
        for fact in truth.person.values():
            if fact not in self.steps[0].learn:
                raise BadInput(
                    f"'{fact}' is not a fact of the first file",
                    where="truth",
                    remedy=nearest(fact, self.steps[0].learn),
                )

    def step_of(self, fact: str) -> int:
        """Return which step tells a fact, from 0."""
        return next(number for number, step in enumerate(self.steps) if fact in step.learn)

    @property
    def learned(self) -> tuple[str, ...]:
        """The facts that are learned after the first file and are not only a means to go on."""
        links = {fact for step in self.steps for fact in step.on.values()}
        links |= {self.truth.fact} if self.truth else set()
        return tuple(fact for step in self.steps[1:] for fact in step.learn if fact not in links)
