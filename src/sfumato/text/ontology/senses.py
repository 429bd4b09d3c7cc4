"""Which of its senses a term is meant in.

WordNet lists the senses of a word by how often they were met in ordinary texts. Notes of a hospital are not
ordinary: there "tb" is no terbium, and "marijuana" rarely a shrub. A *preference* for parts of the ontology
puts the senses that lie in them first, unless the usual sense was met in tagged texts and they never were
("consumption" stays the act of consuming, "speed" a rate). The choice of the user goes before all.

Nothing here reads the sentence: an ambiguous word in an unusual sense is taken for the usual one.
``ambiguous`` says which words can be mistaken, so that their sense can be chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sfumato.core.errors import BadInput
from sfumato.text.ontology.ontology import Ontology, folded

MEDICAL = (
    *("ill health", "disorder", "mental disorder", "symptom"),
    *("drug", "body part", "medical care", "microorganism"),
)
"""the parts of WordNet that hold medicine; parts that another ontology does not know are passed over"""


@dataclass(frozen=True)
class Senses:
    """The choice of senses in one ontology.

    ``prefer`` names concepts: senses at or under them come first, in the order of the ontology. ``chosen``
    says for a term under which concept its sense lies: ``{"crack": "cocaine"}``.

    >>> from sfumato.text.ontology.wordnet import wordnet
    >>> nouns = wordnet()
    >>> [nouns.labels[Senses(nouns, prefer).of("marijuana")[0]] for prefer in ((), MEDICAL)]
    ['marijuana', 'cannabis']
    """

    ontology: Ontology = field(repr=False)
    prefer: tuple[str, ...] = MEDICAL
    chosen: Mapping[str, str] = field(default_factory=dict, hash=False, repr=False)

    def __post_init__(self) -> None:
        roots = [concept for term in self.prefer for concept in self.ontology.senses_of(term)[:1]]
        object.__setattr__(self, "_roots", frozenset(roots))
        asked = {folded(term): self._asked(term, above) for term, above in self.chosen.items()}
        object.__setattr__(self, "_chosen", asked)
        object.__setattr__(self, "_ranked", {})

    def _asked(self, term: str, above: str) -> int:
        wanted = {*self.ontology.senses_of(above)}
        for sense in self.ontology.senses_of(term):
            if wanted & self.ontology.above(sense).keys():
                return sense
        raise BadInput(
            f"no sense of a chosen term lies under what was named for it, in {self.ontology.name}",
            where="senses",
            remedy="name a concept above the sense that is meant",
        )

    def of(self, term: str, *, lower: bool = False, name: bool = False) -> tuple[int, ...]:
        """Return the senses of a term, the chosen one first.

        ``lower``: it was written in small letters, so that senses with capitals stand back (turkey).
        ``name``: it was written with a capital where small letters were due, so that they go first (Turkey).
        """
        ranked: dict[tuple[str, bool, bool], tuple[int, ...]] = self._ranked  # type: ignore[attr-defined]
        key = folded(term), lower, name
        if key not in ranked:
            ranked[key] = self._order(*key)
        return ranked[key]

    def _order(self, key: str, lower: bool, name: bool) -> tuple[int, ...]:
        asked: int | None = self._chosen.get(key)  # type: ignore[attr-defined]
        if asked is not None:
            return (asked,)
        found = self.ontology.senses_of(key)
        if len(found) < 2:
            return found
        first = int(self.ontology.sense_starts[self.ontology.terms[key]])
        capital = self.ontology.capital[first : first + len(found)].tolist()
        met = self.ontology.tagged[first : first + len(found)].tolist()
        back = capital if lower else [not one for one in capital] if name else [False] * len(found)
        fits = [
            self._preferred(sense) and (often or not met[0]) for sense, often in zip(found, met, strict=True)
        ]
        ranked = sorted(range(len(found)), key=lambda i: (back[i], not fits[i], i))
        return tuple(found[i] for i in ranked)

    def named(self, term: str) -> tuple[int, ...]:
        """Return what a part of the ontology is called by: the chosen sense, or all where nobody chose."""
        asked: int | None = self._chosen.get(folded(term))  # type: ignore[attr-defined]
        return self.ontology.readings(term) if asked is None else (asked,)

    def _preferred(self, concept: int) -> bool:
        roots: frozenset[int] = self._roots  # type: ignore[attr-defined]
        return bool(roots) and not roots.isdisjoint(self.ontology.above(concept))

    def ambiguous(self, terms: Iterable[str]) -> tuple[str, ...]:
        """Return the terms that can mean several things and for which nobody has chosen."""
        return tuple(term for term in terms if len(self.of(term)) > 1)
