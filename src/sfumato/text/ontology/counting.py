"""How many originals fit a replacement: c(w, g) for a word w and what stands there now, g.

``descendants`` (usual)  the concepts strictly under g. Whoever reads "drug" must consider them all; g itself
                         is not counted, since something more precise is known to have stood there, and
                         synonyms count once, since they say the same.
``leaves``               only those without anything under them: for hierarchies whose groups nobody writes.
``paths``                the concepts on all ways from w up to g, both included. It counts what the *steward*
                         could have written, and is far smaller than what a reader must consider.

No count is more than the words that can be written there: two meanings of "menorah" are one text. A word that
stays counts 1 under every rule. Words are ambiguous: c is the least over all senses s of w and
all senses of g that lie above s; a sense of g that is s itself makes it 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from sfumato.text.ontology.ontology import Ontology

Counting = Literal["descendants", "leaves", "paths"]
COUNTINGS: tuple[str, ...] = get_args(Counting)


@dataclass(frozen=True, slots=True)
class Option:
    """What a term may be shown as: a concept above it, how many originals fit, how many steps up it lies."""

    concept: int
    count: int
    levels: int


def counted(ontology: Ontology, sense: int, above: int, counting: Counting) -> int:
    """Return how many originals fit when one sense is shown as a concept above it.

    >>> from sfumato.text.ontology.wordnet import wordnet
    >>> nouns = wordnet()
    >>> [counted(nouns, nouns.one("lumbar pain"), nouns.one("pain"), rule) for rule in COUNTINGS]
    [66, 55, 4]
    """
    if sense == above:
        return 1
    if counting == "descendants":
        return max(1, min(int(ontology.descendants[above]), int(ontology.texts[above])))
    if counting == "leaves":
        return max(1, min(int(ontology.leaves[above]), int(ontology.leaf_texts[above])))
    ways = between(ontology, sense, above)
    return min(len(ways), len({spelt for one in ways for spelt in ontology.spellings_of(one)}))


def between(ontology: Ontology, sense: int, above: int) -> set[int]:
    """Return the concepts on all ways from a sense up to a concept above it, both included."""
    near = ontology.above(sense)
    children: dict[int, list[int]] = {}
    for one in near:
        for parent in ontology.parents_of(one):
            children.setdefault(parent, []).append(one)
    found, waiting = {above}, [above]
    while waiting:
        fresh = {*children.get(waiting.pop(), ())} - found
        found |= fresh
        waiting += fresh
    return found


def options_of(
    ontology: Ontology, sense: int, forms: Iterable[str], counting: Counting
) -> tuple[Option, ...]:
    """Return what a term can be shown as, from itself on, by rising counts; of equal counts the nearest.

    ``forms`` are the spellings in which it stands in the text.
    """
    written = [ontology.readings(form) or (sense,) for form in forms]
    ways = {one: ontology.above(one) for senses in written for one in senses}
    nearest: dict[int, Option] = {}
    for above, levels in ontology.above(sense).items():
        if above == sense:
            continue
        shown = ontology.readings(ontology.labels[above])
        count = min(_least(ontology, senses, ways, shown, counting) for senses in written)
        if count > 1 and (count not in nearest or levels < nearest[count].levels):
            nearest[count] = Option(above, count, levels)
    return (Option(sense, 1, 0), *(nearest[count] for count in sorted(nearest)))


def _least(
    ontology: Ontology,
    senses: Iterable[int],
    ways: dict[int, dict[int, int]],
    shown: Collection[int],
    counting: Counting,
) -> int:
    counts = [
        counted(ontology, one, above, counting) for one in senses for above in shown if above in ways[one]
    ]
    return min(counts, default=1)
