"""Find sensitive terms in a text: one pass over its words, the longest term first.

What is sensitive is a list of terms, or whole parts of the ontology ("disease", "drug"): every term whose
chosen sense lies strictly under one of them (under any sense of "country", unless one is chosen). A synonym
of a listed term is found where that is its own chosen sense. Small and capital letters, plurals, line ends
inside a term and both apostrophes make no difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from sfumato.core.errors import BadInput
from sfumato.text.ontology.ontology import Ontology, folded
from sfumato.text.ontology.senses import Senses
from sfumato.text.ontology.wording import begins_sentence, plural, singulars
from sfumato.text.page import tokenise
from sfumato.text.span import Span

LONGEST = 5
"""words of a term that is looked for by a part of the ontology"""
_ABBREVIATION = 3
"""letters of a term up to which its capitals must be there"""


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in a text where a sensitive term stands, and the sense it is taken in."""

    start: int
    end: int
    sense: int
    many: bool
    """whether it is a plural"""
    term: str = ""
    """the term as the ontology knows it"""


@dataclass(frozen=True)
class TermIndex:
    """Sensitive terms, ready to be looked for.

    >>> from sfumato.text.ontology.wordnet import wordnet
    >>> index = TermIndex.of(Senses(wordnet()), subtrees=["disease"])
    >>> text = "Liver cancers and tuberculosis"
    >>> [text[mention.start : mention.end] for mention in index.find(text)]
    ['Liver cancers', 'tuberculosis']
    """

    senses: Senses = field(repr=False)
    entries: dict[str, list[tuple[tuple[str, ...], str, bool]]] = field(repr=False)
    """by first word: all words, the term, whether it is a plural; longest first"""
    asked: frozenset[str] = field(repr=False)
    """terms that were named: they are taken in whatever sense"""
    inside: frozenset[int] = field(repr=False)
    """the concepts that were named, and those of the parts that were"""

    @classmethod
    def of(cls, senses: Senses, terms: Iterable[str] = (), subtrees: Iterable[str] = ()) -> TermIndex:
        """Prepare terms that are named, and all terms of parts of the ontology."""
        ontology = senses.ontology
        asked = [_known(ontology, term, place) for place, term in enumerate(terms, 1)]
        inside: set[int] = set()
        for place, name in enumerate(subtrees, 1):
            ontology.one(name, f"part {place} of the ontology")
            for root in senses.named(name):
                inside |= ontology.under(root) - {root}
        inside |= {senses.of(term)[0] for term in asked}
        found = {term for concept in inside for term in ontology.spellings_of(concept)}
        found = {term for term in found if len(term.split()) <= LONGEST} | {*asked}
        plurals = {single: many for many, single in ontology.irregular.items()}
        entries: dict[str, list[tuple[tuple[str, ...], str, bool]]] = {}
        forms = {term: (term, False) for term in sorted(found)}
        for term in sorted(found):
            forms.setdefault(plural(term, plurals), (term, True))
        for form, (term, many) in forms.items():
            words = tuple(tokenise(form).words)
            entries.setdefault(words[0], []).append((words, term, many))
        for listed in entries.values():
            listed.sort(key=lambda entry: -len(entry[0]))
        return cls(senses, entries, frozenset(asked), frozenset(inside))

    def find_all(self, texts: Sequence[str], taken: Sequence[Sequence[Span]]) -> list[list[Mention]]:
        """Return the terms of the texts of one record: what is sensitive once is so everywhere in it."""
        found = [self.find(text, spans) for text, spans in zip(texts, taken, strict=True)]
        known: dict[str, int] = {}
        while True:
            met = {mention.term: mention.sense for listed in reversed(found) for mention in reversed(listed)}
            fresh = met.keys() - known.keys()
            known = met | known
            if not any(self._can_differ(term) for term in fresh):
                return found
            found = [self.find(text, spans, known) for text, spans in zip(texts, taken, strict=True)]

    def find(
        self, text: str, taken: Sequence[Span] = (), known: Mapping[str, int] = MappingProxyType({})
    ) -> list[Mention]:
        """Return the terms of a text in their order, none of which touches a span that is taken.

        ``known`` terms are taken in the sense that is given, however they are written.
        """
        tokens = tokenise(_blanked(text, taken))
        words = [word.lower() if word != "’" else "'" for word in tokens.words]
        found: list[Mention] = []
        place = passed = 0
        while place < len(words):
            entries = self.entries.get(words[place])
            if entries is None:
                place += 1
                continue
            start = tokens.starts[place]
            while passed < len(taken) and taken[passed].end <= start:
                passed += 1
            room = taken[passed].start if passed < len(taken) else len(text)
            step = 1
            for listed, term, many in entries:
                stop = place + len(listed)
                if tuple(words[place:stop]) != listed or tokens.ends[stop - 1] > room:
                    continue
                end = tokens.ends[stop - 1]
                sense = known[term] if term in known else self._sense(text, start, end, term)
                if sense is not None:
                    found.append(Mention(start, end, sense, many, term))
                    step = len(listed)
                    break
            place += step
        return found

    def _can_differ(self, term: str) -> bool:
        """Say whether capitals decide if a term is found, or what it means."""
        if len(term) <= _ABBREVIATION:
            return True
        return len({self.senses.of(term, lower=lower, name=not lower)[0] for lower in (True, False)}) > 1

    def _sense(self, text: str, start: int, end: int, term: str) -> int | None:
        """Return the sense of a term by how it is written; nothing when that sense is not sensitive."""
        written = text[start:end]
        lower = written == written.lower()
        name = written[0].isupper() and written != written.upper() and not begins_sentence(text, start)
        sense = self.senses.of(term, lower=lower, name=name)[0]
        if term in self.asked:
            return sense
        if sense not in self.inside:
            return None
        # MI and TB are diseases, "Ms" and "mi" are not; nor is a single letter.
        short = len(term) <= _ABBREVIATION and self.senses.ontology.is_capital(term, sense)
        return None if len(term) < 2 or (short and not written[: len(term)].isupper()) else sense

    def of_spans(self, text: str, spans: Sequence[Span], where: str = "") -> list[Mention]:
        """Take spans that somebody marked as the sensitive terms."""
        ontology = self.senses.ontology
        found = []
        for span in spans:
            spelt = folded(span.of(text))
            forms = [
                form for form in (spelt, *singulars(spelt, ontology.irregular)) if form in ontology.terms
            ]
            if not forms:
                raise BadInput(
                    f"a marked term is not known to {ontology.name}",
                    where=f"{where}, characters {span.start} to {span.end}",
                    remedy="mark the term alone, or add it with its parent",
                )
            sense = self.senses.of(forms[0])[0]
            found.append(Mention(span.start, span.end, sense, forms[0] != spelt, forms[0]))
        return found


def _blanked(text: str, taken: Sequence[Span]) -> str:
    """Put blanks into the place of taken spans, so that what they leave over of a word is a word."""
    if not taken:
        return text
    parts: list[str] = []
    at = 0
    for span in taken:
        parts += (text[at : span.start], " " * len(span))
        at = span.end
    return "".join((*parts, text[at:]))


def _known(ontology: Ontology, term: str, place: int) -> str:
    """Return a term as the ontology knows it, from its plural if need be."""
    spelt = folded(term)
    for form in (spelt, *singulars(spelt, ontology.irregular)):
        if form in ontology.terms:
            return form
    raise BadInput(
        f"a sensitive term is not known to {ontology.name}",
        where=f"term {place}",
        remedy="check its spelling, or add it with its parent (extended)",
    )
