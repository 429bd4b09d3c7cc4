"""An ontology: terms, the concepts that they can mean, and what lies above each concept.

Concepts are numbered 0, 1, … and form a directed acyclic graph: a concept may have several parents (cannabis
is a soft drug and a controlled substance). A term may mean several concepts: its *senses*, the usual first.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.text.ontology.wording import singulars

Ints = NDArray[np.int64]


def folded(term: str) -> str:
    """Return a term as terms are compared: small letters, single spaces, straight apostrophes.

    >>> folded("Parkinson’s_Disease")
    "parkinson's disease"
    """
    return " ".join(term.replace("_", " ").replace("’", "'").lower().split())


@dataclass(frozen=True, eq=False)
class Ontology:
    """Terms over a graph of concepts; ``wordnet()``, ``from_pairs``, ``from_csv``, ``icd`` make one.

    The parents of concept c are ``parents[parent_starts[c]:parent_starts[c + 1]]``, the senses of term i are
    ``senses[sense_starts[i]:sense_starts[i + 1]]``.
    """

    name: str
    labels: Sequence[str] = field(repr=False)
    """what each concept is called in a text"""
    parent_starts: Ints = field(repr=False)
    parents: Ints = field(repr=False)
    terms: Mapping[str, int] = field(repr=False)
    """folded terms, numbered in their order"""
    sense_starts: Ints = field(repr=False)
    senses: Ints = field(repr=False)
    capital: NDArray[np.bool_] = field(repr=False)
    """for each sense, whether the term is written with capitals when it means that (Turkey, turkey)"""
    tagged: Ints = field(repr=False)
    """for each sense, how often it was met in tagged texts; 0 where nobody counted"""
    irregular: Mapping[str, str] = field(default_factory=dict, repr=False)
    """plurals that no rule makes, and their singulars"""

    def __len__(self) -> int:
        return len(self.labels)

    def senses_of(self, term: str) -> tuple[int, ...]:
        """Return the concepts that a term can mean, the usual one first; none for an unknown term."""
        place = self.terms.get(folded(term))
        return () if place is None else tuple(self._senses_at(place).tolist())

    def _senses_at(self, place: int) -> Ints:
        return self.senses[self.sense_starts[place] : self.sense_starts[place + 1]]

    def is_capital(self, term: str, sense: int) -> bool:
        """Say whether a term is written with capitals when it means a sense of it."""
        place = self.terms[folded(term)]
        first = int(self.sense_starts[place])
        return bool(self.capital[first + self._senses_at(place).tolist().index(sense)])

    def readings(self, text: str) -> tuple[int, ...]:
        """Return all concepts that words of a text can mean, as they stand or as a plural."""
        spelt = folded(text)
        forms = (spelt, *singulars(spelt, self.irregular))
        return tuple(dict.fromkeys(concept for form in forms for concept in self.senses_of(form)))

    def one(self, term: str, where: str = "ontology") -> int:
        """Return the first sense of a term that must be there."""
        found = self.readings(term)
        if not found:
            raise BadInput(
                f"a term is not known to {self.name}",
                where=where,
                remedy="check its spelling, or add it with its parent (ontology.extended)",
            )
        return found[0]

    def parents_of(self, concept: int) -> list[int]:
        """Return what lies right above a concept."""
        found: list[int] = self.parents[
            self.parent_starts[concept] : self.parent_starts[concept + 1]
        ].tolist()
        return found

    def children_of(self, concept: int) -> list[int]:
        """Return what lies right under a concept."""
        starts, children = self._children
        found: list[int] = children[starts[concept] : starts[concept + 1]].tolist()
        return found

    def above(self, concept: int) -> dict[int, int]:
        """Return everything above a concept with the least number of steps, and itself with none."""
        steps = {concept: 0}
        edge = [concept]
        while edge:
            edge = [parent for child in edge for parent in self._fresh(child, steps)]
        return steps

    def _fresh(self, child: int, steps: dict[int, int]) -> list[int]:
        fresh = [parent for parent in dict.fromkeys(self.parents_of(child)) if parent not in steps]
        for parent in fresh:
            steps[parent] = steps[child] + 1
        return fresh

    def under(self, concept: int) -> set[int]:
        """Return a concept and everything under it."""
        found, waiting = {concept}, [concept]
        while waiting:
            fresh = [child for child in self.children_of(waiting.pop()) if child not in found]
            found.update(fresh)
            waiting += fresh
        return found

    def spellings_of(self, concept: int) -> list[str]:
        """Return the terms that can mean a concept."""
        return [self._spelt[place] for place in self._terms_with(concept)]

    def _terms_with(self, concept: int) -> list[int]:
        order, starts = self._by_concept
        found: list[int] = order[starts[concept] : starts[concept + 1]].tolist()
        return found

    @functools.cached_property
    def _spelt(self) -> list[str]:
        return [*self.terms]

    @functools.cached_property
    def _by_concept(self) -> tuple[Ints, Ints]:
        """Return terms in the order of what they mean, and where each concept begins."""
        term = np.repeat(np.arange(len(self.terms)), np.diff(self.sense_starts))
        order = np.argsort(self.senses, kind="stable")
        return term[order], _starts(self.senses, len(self))

    @functools.cached_property
    def _children(self) -> tuple[Ints, Ints]:
        child = np.repeat(np.arange(len(self)), np.diff(self.parent_starts))
        return _starts(self.parents, len(self)), child[np.argsort(self.parents, kind="stable")]

    @functools.cached_property
    def descendants(self) -> Ints:
        """How many concepts lie under each one, those on several paths counted once."""
        return self._counts[0]

    @functools.cached_property
    def leaves(self) -> Ints:
        """How many concepts without anything under them lie under each one; 1 for such a one itself."""
        return self._counts[1]

    @functools.cached_property
    def texts(self) -> Ints:
        """How many spellings the concepts under each one have that are not its own: "menorah" is one."""
        return self._counts[2]

    @functools.cached_property
    def leaf_texts(self) -> Ints:
        """The same of the concepts that have nothing under them."""
        return self._counts[3]

    @functools.cached_property
    def _counts(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Walk from all concepts upwards at once; what is met twice is counted once."""
        size = len(self)
        width = np.diff(self.parent_starts)
        low, high = np.repeat(np.arange(size), width), self.parents
        met = [low * size + high]
        while low.size:
            many = width[high]
            first = np.repeat(self.parent_starts[high] - np.cumsum(many) + many, many)
            low, high = np.repeat(low, many), self.parents[first + np.arange(first.size)]
            met.append(low * size + high)
            if low.size > 2 * size:  # sorting is worth its time only where paths multiply
                met[-1] = _distinct(met[-1])
                low, high = np.divmod(met[-1], size)
        low, high = np.divmod(_distinct(np.concatenate(met)), size)
        is_leaf = np.ones(size, np.bool_)
        is_leaf[self.parents] = False
        descendants = np.bincount(high, minlength=size)
        leaves = np.bincount(high[is_leaf[low]], minlength=size) + is_leaf
        texts, leaf_texts = (
            self._spelt_under(low, high),
            self._spelt_under(low[is_leaf[low]], high[is_leaf[low]]),
        )
        for counts in (descendants, leaves, texts, leaf_texts):
            counts.flags.writeable = False
        return descendants, leaves, texts, leaf_texts

    def _spelt_under(self, low: Ints, high: Ints) -> Ints:
        """Count for each concept the spellings of those under it that are not its own."""
        terms, starts = self._by_concept
        own = np.diff(starts)
        many = own[low]
        first = np.repeat(starts[low] - np.cumsum(many) + many, many)
        under = np.repeat(high, many) * len(self.terms) + terms[first + np.arange(first.size)]
        mine = np.repeat(np.arange(len(self)), own) * len(self.terms) + terms
        distinct = _distinct(np.concatenate((under, mine))) // max(1, len(self.terms))
        return np.bincount(distinct, minlength=len(self)) - own


def _starts(numbers: Ints, size: int) -> Ints:
    """Return where each number begins once they are sorted."""
    return np.concatenate(([0], np.cumsum(np.bincount(numbers, minlength=size))))


def _distinct(numbers: Ints) -> Ints:
    """Sort and leave each number once; eight times as fast here as ``np.unique``, which hashes."""
    ranked: Ints = np.sort(numbers)
    fresh: NDArray[np.bool_] = np.diff(ranked, prepend=-1) != 0
    return ranked[fresh]
