"""t-plausibility: a sanitised text fits at least t texts, and any of them could be the original.

Jiang, Murugesan, Clifton, Si: "t-Plausibility: semantic preserving text sanitization" (CSE 2009); Anandan,
Clifton, Jiang, Murugesan, Pastrana-Camacho, Si: "t-Plausibility: generalizing words to desensitize text"
(Transactions on Data Privacy 2012).
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from sfumato.core.errors import BadInput, nearest
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.text.models.contract import Handled
from sfumato.text.ontology.counting import COUNTINGS, Counting
from sfumato.text.ontology.ontology import Ontology, folded
from sfumato.text.ontology.wording import singulars
from sfumato.text.ontology.wordnet import wordnet
from sfumato.text.replace.contract import Change
from sfumato.text.span import disjoint

LABEL = "sensitive term"
"""the label of spans that hold a sensitive term"""
_ARTICLE = re.compile(r"an? (?=.)")
_WORDS = re.compile(r"[^\W_]+|[^\w\s]")


@dataclass(frozen=True)
class TPlausibility:
    """Every note with sensitive terms fits at least t texts.

    P(d') = Π c(wᵢ, gᵢ) ≥ t over the distinct sensitive terms wᵢ of a note, shown as gᵢ. The usual count c is
    the number of concepts strictly under g; ``counting`` says it otherwise (``ontology/counting.py``). A term
    that stays counts 1. So does one shown as something that does not lie above it, or that the ontology does
    not know. Mentions of one concept count once, by the least of them. ``least`` asks that every single term
    hides among so many, too. All is recounted here from the words that stand in the two texts.

    A note fails when its product is below t, when a term is below ``least``, when the released text is
    something else than the original with these changes, or when a term that was changed stands untouched
    elsewhere in the record. Notes without sensitive terms have nothing to reach; they are counted apart.

    Protects from reading a sensitive term out of a note. It does not protect from an adversary who knows what
    is likely (of 914 drugs few are prescribed), from terms that explain each other (a drug and its disease, a
    cancer and the tumour it is called later), from one who knows t and the method (words that would have been
    shown as something nearer can be ruled out), nor from anything that was not listed as sensitive. The
    product can be reached by some terms while others stay: ``least=2`` lifts them all.

    >>> from sfumato.text.kinds import Kind
    >>> from sfumato.text.note import Record
    >>> from sfumato.text.span import Span
    >>> change = Change(Span(4, 16, Kind.OTHER, "sensitive term"), "infectious disease")
    >>> handled = Handled(Record.of("Has tuberculosis."), ("Has infectious disease.",), ((change,),))
    >>> model = TPlausibility(50)
    >>> print(model.verdict(model.counted(handled)))
    t-plausibility holds: required P ≥ 50 in every note, achieved P ≥ 50 in 1 of 1 notes
    """

    t: int
    counting: Counting = "descendants"
    least: int = 1
    ontology: Ontology | None = field(default=None, repr=False)
    """WordNet, unless another is given"""
    name: ClassVar[str] = "t-plausibility"
    basis: ClassVar[Basis] = Basis.ORIGINAL
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.ATTRIBUTE,)

    def __post_init__(self) -> None:
        for value, what in ((self.t, "t"), (self.least, "least")):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise BadInput(
                    f"{what} must be a whole number of at least 1", where=self.name, remedy=f"try {what}: 20"
                )
        if self.counting not in COUNTINGS:
            raise BadInput(
                "the way to count is not known",
                where=self.name,
                remedy=nearest(str(self.counting), COUNTINGS),
            )

    def in_words(self) -> str:
        """Say what is promised."""
        return f"every note with sensitive terms fits at least {self.t:,} texts"

    def counted(self, handled: Handled) -> Counter[str]:
        """Count the notes of a record, and those that fail, by why."""
        counts: Counter[str] = Counter()
        hidden = self._hidden(handled)
        for note, released, changes in zip(
            handled.record.notes, handled.released, handled.changes, strict=True
        ):
            sensitive = [change for change in changes if change.span.label == LABEL]
            counts["notes"] += 1
            counts["notes without sensitive terms"] += not sensitive
            why = []
            apart = _apart(note.text, changes)
            if not apart or _put_together(_outside(note.text, changes), changes) != released:
                why.append("other text")
            # What identifiers left as it was is text like any other.
            changed = [one for one in changes if one.span.label == LABEL or _differs(note.text, one)]
            if any(self._stands_in(piece, hidden) for piece in _outside(note.text, changed)):
                why.append("left behind")
            if sensitive:
                factors = self.factors(note.text, sensitive)
                if math.prod(factors) < self.t:
                    why.append("below t")
                if min(factors) < self.least:
                    why.append("below least")
                counts["terms"] += len(factors)
                counts["terms that stay"] += factors.count(1)
            counts["failed"] += bool(why)
            counts.update(why)
        return counts

    def verdict(self, counts: Counter[str]) -> Verdict:
        """Judge by the sums over all records."""
        failed, asked = counts["failed"], counts["notes"] - counts["notes without sensitive terms"]
        told = [
            f"{counts[why]:,} {words}"
            for why, words in (
                ("below t", "notes below t"),
                ("below least", "notes with a term below least"),
                ("left behind", "notes in which a changed term stands elsewhere"),
                ("other text", "notes changed outside the terms"),
                ("terms that stay", f"of {counts['terms']:,} terms stay"),
                ("notes without sensitive terms", "notes have no sensitive terms"),
            )
            if counts[why]
        ]
        each = f", c ≥ {self.least} for every term" if self.least > 1 else ""
        reached = asked - counts["below t"]
        return Verdict(
            self.name,
            failed == 0,
            required=f"P ≥ {self.t} in every note{each}",
            achieved=f"P ≥ {self.t} in {reached:,} of {asked:,} notes",
            basis=self.basis,
            protects_from=self.protects_from,
            violations=failed,
            note="; ".join(told),
        )

    def factors(self, text: str, changes: Sequence[Change]) -> list[int]:
        """Return the factors of a note: one for each distinct concept among its changes."""
        nouns = self._nouns
        groups: list[tuple[set[str], set[int], int]] = []
        pairs = dict.fromkeys((_bare(change.span.of(text)), _bare(change.after)) for change in changes)
        for before, after in pairs:
            senses, count = _counted(nouns, before, after, self.counting)
            words = {before[-1]}
            rest = []
            for other, meant, least in groups:
                if other.isdisjoint(words) and meant.isdisjoint(senses):
                    rest.append((other, meant, least))
                else:
                    words, senses, count = words | other, senses | meant, min(count, least)
            groups = [*rest, (words, senses, count)]
        return [count for _, _, count in groups]

    @property
    def _nouns(self) -> Ontology:
        return self.ontology or wordnet()

    def _hidden(self, handled: Handled) -> dict[str, set[str]]:
        """Return the spellings of the terms of a record that were changed, by their first words."""
        found: dict[str, set[str]] = {}
        for note, changes in zip(handled.record.notes, handled.changes, strict=True):
            for change in changes:
                before, after = _bare(change.span.of(note.text))[-1], _bare(change.after)[-1]
                if change.span.label == LABEL and before != after:
                    for form in self._singular(before):
                        found.setdefault(_WORDS.findall(form)[0], set()).add(form)
        return found

    def _singular(self, spelt: str) -> list[str]:
        """Return a term itself when the ontology knows it, else what it may be the plural of, and itself."""
        if spelt in self._nouns.terms:
            return [spelt]
        return [spelt, *singulars(spelt, self._nouns.irregular)]

    def _stands_in(self, text: str, hidden: dict[str, set[str]]) -> bool:
        """Say whether some of these spellings stand in a text, as they are or as plurals."""
        places = [match.span() for match in _WORDS.finditer(text)] if hidden else []
        for first, (start, end) in enumerate(places):
            word = folded(text[start:end])
            forms = {form for key in self._singular(word) for form in hidden.get(key, ())}
            longest = max((len(_WORDS.findall(form)) for form in forms), default=0)
            for _, stop in places[first : first + longest]:
                if not forms.isdisjoint(self._singular(folded(text[start:stop]))):
                    return True
        return False


def _bare(text: str) -> tuple[str, ...]:
    """Return a piece of text with and without the article that it may begin with."""
    spelt = folded(text)
    match = _ARTICLE.match(spelt)
    return (spelt, spelt[match.end() :]) if match else (spelt,)


def _apart(text: str, changes: Sequence[Change]) -> bool:
    """Say whether changes stand in their order, overlap nowhere and end in the text."""
    return disjoint(change.span for change in changes) and (not changes or changes[-1].span.end <= len(text))


def _differs(text: str, change: Change) -> bool:
    return change.after != change.span.of(text)


def _outside(text: str, changes: Sequence[Change]) -> list[str]:
    """Return the pieces of a text between its changes."""
    cuts = [0, *(cut for change in changes for cut in (change.span.start, change.span.end)), len(text)]
    return [text[low:high] for low, high in zip(cuts[::2], cuts[1::2], strict=True)]


def _put_together(pieces: Sequence[str], changes: Sequence[Change]) -> str:
    return pieces[0] + "".join(
        change.after + piece for change, piece in zip(changes, pieces[1:], strict=True)
    )


@functools.lru_cache(maxsize=65_536)
def _readings(nouns: Ontology, spelt: str) -> tuple[int, ...]:
    return nouns.readings(spelt)


def _counted(
    nouns: Ontology, before: tuple[str, ...], after: tuple[str, ...], counting: Counting
) -> tuple[set[int], int]:
    """Return the senses that a replaced term can have had, and the least count over them."""
    if before[-1] == after[-1]:
        return set(), 1
    shown = {sense for form in after for sense in _readings(nouns, form)}
    senses: set[int] = set()
    counts: list[int] = []
    for form in before:
        for sense in _readings(nouns, form):
            ways = _upwards(nouns, sense)
            for above in shown & ways:
                senses.add(sense)
                counts.append(1 if above == sense else _fitting(nouns, ways, above, counting))
    return senses, min(counts, default=1)


@functools.lru_cache(maxsize=65_536)
def _upwards(nouns: Ontology, sense: int) -> frozenset[int]:
    """Return a concept and all above it."""
    found: set[int] = set()
    waiting = [sense]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += nouns.parents_of(one)
    return frozenset(found)


@functools.lru_cache(maxsize=1024)
def _downwards(nouns: Ontology, above: int) -> frozenset[int]:
    """Return everything strictly under a concept."""
    found: set[int] = set()
    waiting = nouns.children_of(above)
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += nouns.children_of(one)
    return frozenset(found)


def _fitting(nouns: Ontology, ways: frozenset[int], above: int, counting: Counting) -> int:
    """Count again what lies under a concept, and no more than the words that can be written there.

    ``ways`` are all concepts above the term, and its own.
    """
    if counting == "paths":
        on_the_way = {above, *(_downwards(nouns, above) & ways)}
        return min(len(on_the_way), len({form for one in on_the_way for form in nouns.spellings_of(one)}))
    return max(1, _written_under(nouns, above, counting == "leaves"))


@functools.lru_cache(maxsize=65_536)
def _written_under(nouns: Ontology, above: int, leaves: bool) -> int:
    """Return how many concepts lie under one, or how many words they have that are not its own, if fewer."""
    under = [one for one in _downwards(nouns, above) if not leaves or not nouns.children_of(one)]
    words: set[str] = set()
    own = {*nouns.spellings_of(above)}
    for one in under:
        words.update(form for form in nouns.spellings_of(one) if form not in own)
        if len(words) >= len(under):
            break
    return min(len(under), len(words))
