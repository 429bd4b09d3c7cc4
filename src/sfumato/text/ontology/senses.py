"""Which of its senses a term is meant in.

WordNet lists the senses of a word by how often they were met in ordinary texts. Notes of a hospital are not
ordinary: "marijuana" is first a plant there, "consumption" the act of eating. A *preference* for parts of the
ontology puts the senses that lie in them first; the choice of the user goes before all. Nothing here reads the
sentence: an ambiguous word in an unusual sense is taken for the usual one, and ``ambiguous`` says which words
those can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sfumato.core.errors import BadInput
from sfumato.text.ontology.ontology import Ontology, folded

MEDICAL = ("ill health", "symptom", "injury", "drug", "body part", "medical care", "microorganism")
"""the parts of WordNet that hold medicine; parts that another ontology does not know are passed over"""


@dataclass(frozen=True)
class Senses:
    """The choice of senses in one ontology.

    ``prefer`` names concepts: senses at or under them come first, in the order of the ontology. ``chosen`` says
    for a term under which concept its sense lies: ``{"crack": "cocaine"}``.

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

        ``lower``: it was written in small letters, so that senses with capitals stand back (turkey). ``name``:
        it was written with a capital where small letters were due, so that these come first (Turkey).
        """
        key = folded(term)
        asked: int | None = self._chosen.get(key)  # type: ignore[attr-defined]
        if asked is not None:
            return (asked,)
        found = self.ontology.senses_of(key)
        if len(found) < 2:
            return found
        place = self.ontology.terms[key]
        capital = self.ontology.capital[self.ontology.sense_starts[place] :][: len(found)].tolist()
        ranked = sorted(
            range(len(found)),
            key=lambda i: (
                capital[i] if lower else not capital[i] if name else 0,
                not self._preferred(found[i]),
                i,
            ),
        )
        return tuple(found[i] for i in ranked)

    def _preferred(self, concept: int) -> bool:
        roots: frozenset[int] = self._roots  # type: ignore[attr-defined]
        return bool(roots) and not roots.isdisjoint(self.ontology.above(concept))

    def ambiguous(self, terms: Iterable[str]) -> tuple[str, ...]:
        """Return the terms that can mean several things and for which nobody has chosen."""
        return tuple(term for term in terms if len(self.of(term)) > 1)
