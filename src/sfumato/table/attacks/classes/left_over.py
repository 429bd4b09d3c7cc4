"""What is left of a class when a person's impossible values are crossed out, for all people at once.

T. Li & N. Li, "Injector: mining background knowledge for data anonymization" (2008).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from sfumato.core.attack import Victim
from sfumato.core.domain import as_text
from sfumato.table.attacks.classes.class_view import ClassView
from sfumato.table.attacks.classes.negative_rules import Excluded, Never, mined, stated
from sfumato.table.attacks.classes.value_groups import Groups, Ints, Shares, grouped
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.matching.candidates import Candidates, candidates, counted, encoded
from sfumato.table.attacks.matching.combinations import places
from sfumato.table.attacks.matching.who import victims_by_combination
from sfumato.table.published import ClassValues, PublishedTable


@dataclass(frozen=True)
class LeftOver:
    """How an adversary fares who claims what is left."""

    attempts: int
    success: float
    baseline: float
    guessing: float
    certain: int
    highest: float
    rules: int
    crossed_out: int
    """pairs of a group and a value of its class that were crossed out"""
    not_placed: int
    notes: tuple[str, ...]
    victims: Callable[[], tuple[Victim, ...]] = field(repr=False)

    @classmethod
    def of_original(
        cls,
        target: PublishedTable,
        column: str,
        known: Sequence[str],
        knowledge: Knowledge,
        facts: Sequence[Never],
        expected: Fraction | None,
    ) -> LeftOver:
        """Attack the people of the original: the adversary knows all of them but the sensitive value."""
        original = knowledge.original
        assert original is not None
        shared = {name: name for name in known if name in original.table.names}
        people = People(original.table, shared, original.person)
        found = candidates(target, people, knowledge.hierarchies, missing="value", same_people=True)
        truth = counted(original.table, [*shared, column], original.person)
        assert truth is not None
        combination = places(found.known, truth, len(shared))
        persons = np.asarray(truth.column(len(shared) + 2).to_numpy(), np.int64)
        values = found.release.values_of(column)
        true_values, true_codes = encoded(truth.column(len(shared)))
        codes = _by_text(values)
        for value in true_values:
            codes.setdefault(None if value is None else as_text(value), len(codes))
        value = np.array([codes[None if v is None else as_text(v)] for v in true_values], np.int64)[
            true_codes
        ]
        quasi = _QuasiValues.of(found)
        keys = stated(facts, found.columns, quasi.values, _texts(codes))
        if expected is not None:
            keys = tuple(
                np.union1d(own, mined(have[combination], value, persons, len(codes), expected))
                for own, have in zip(keys, quasi.codes, strict=True)
            )
        excluded = Excluded(len(codes), keys)
        groups, group_of = grouped(found, values, quasi.codes, excluded)
        placed = group_of[combination] >= 0
        return cls._scored(
            groups,
            group_of[combination][placed],
            value[placed],
            persons[placed].astype(np.float64),
            _padded(values.added_up, len(codes)),
            excluded,
            not_placed=int(persons[~placed].sum()),
            notes=found.notes,
            victims=lambda: _victims(people, found, groups, group_of),
        )

    @classmethod
    def of_people(
        cls, target: PublishedTable, column: str, knowledge: Knowledge, facts: Sequence[Never]
    ) -> LeftOver:
        """Attack the people of an identified file, each of whom is taken to be one of their candidates."""
        people = knowledge.people
        assert people is not None
        found = candidates(target, people, knowledge.hierarchies)
        values = found.release.values_of(column)
        codes = _by_text(values)
        quasi = _QuasiValues.of(found)
        excluded = Excluded(max(len(codes), 1), stated(facts, found.columns, quasi.values, _texts(codes)))
        groups, group_of = grouped(found, values, quasi.codes, excluded)
        placed = group_of >= 0
        weight = np.bincount(group_of[placed], weights=found.persons[placed], minlength=groups.number)
        # Each value that is left is theirs with the share that it has of what is left.
        share = weight[groups.group] * groups.weights / np.maximum(groups.total[groups.group], 1)
        return cls._scored(
            groups,
            groups.group[groups.left],
            groups.value[groups.left],
            share[groups.left],
            values.added_up,
            excluded,
            not_placed=int(found.persons[~placed].sum()),
            notes=found.notes,
            victims=lambda: _victims(people, found, groups, group_of),
        )

    @classmethod
    def of_release(cls, attack: str, target: PublishedTable, column: str, facts: Sequence[Never]) -> LeftOver:
        """Attack the people of the release, of whom the adversary knows what it shows."""
        view = ClassView.of(attack, column, target)
        values = view.values
        names = view.target.quasi
        columns = [encoded(view.target.classes.column(j)) for j in range(len(names))]
        codes = _by_text(values)
        keys = stated(facts, names, [shown for shown, _ in columns], _texts(codes))
        excluded = Excluded(len(codes), keys)
        signatures = excluded.signatures(np.stack([code[values.owner] for _, code in columns]))
        part = view.part
        left = ~excluded.test(signatures[:, part], values.codes)
        groups = Groups(part, values.codes, values.persons, left, signatures, len(codes))

        def victims() -> tuple[Victim, ...]:
            return view.victims(groups.right(part, values.codes) > 0.0, groups.belief[part])

        return cls._scored(
            groups,
            part,
            values.codes,
            values.persons.astype(np.float64),
            values.added_up,
            excluded,
            not_placed=view.suppressed,
            notes=(),
            victims=victims,
        )

    @classmethod
    def _scored(
        cls,
        groups: Groups,
        group: Ints,
        value: Ints,
        weight: Shares,
        base: Ints,
        excluded: Excluded,
        *,
        not_placed: int,
        notes: tuple[str, ...],
        victims: Callable[[], tuple[Victim, ...]],
    ) -> LeftOver:
        attempts = round(float(weight.sum()))
        many = max(attempts, 1)
        sure = groups.choices[group] == 1
        return cls(
            attempts,
            float(np.dot(groups.right(group, value), weight)) / many,
            float(np.dot(groups.right_without(group, value, base, excluded), weight)) / many,
            int(base.max(initial=0)) / max(int(base.sum()), 1),
            round(float(weight[sure].sum())),
            float(groups.belief[group].max(initial=0.0)),
            excluded.number,
            int(np.count_nonzero(~groups.left)),
            not_placed,
            notes,
            victims,
        )


@dataclass(frozen=True)
class _QuasiValues:
    """What the adversary knows of the quasi-identifiers: distinct values, and which each combination has."""

    values: tuple[list[object], ...]
    codes: Ints

    @classmethod
    def of(cls, found: Candidates) -> _QuasiValues:
        columns = [encoded(found.known.column(j)) for j in range(len(found.columns))]
        return cls(tuple(values for values, _ in columns), np.stack([codes for _, codes in columns]))


def _by_text(values: ClassValues) -> dict[str | None, int]:
    return {text: code for code, text in enumerate(values.domain.texts)}


def _texts(codes: dict[str | None, int]) -> dict[str, int]:
    return {text: code for text, code in codes.items() if text is not None}


def _padded(base: Ints, size: int) -> Ints:
    return np.concatenate([base, np.zeros(size - len(base), np.int64)])


def _victims(people: People, found: Candidates, groups: Groups, group_of: Ints) -> tuple[Victim, ...]:
    """Return the rows of those about whom the adversary is sure."""
    placed = group_of >= 0
    at = np.maximum(group_of, 0)
    sure = np.where(placed & (groups.choices[at] == 1), groups.belief[at], 0.0)
    return victims_by_combination(people, found, sure, np.where(placed, groups.total[at], 0))
