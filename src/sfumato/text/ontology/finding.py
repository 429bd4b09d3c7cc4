"""Find sensitive terms in a text: one pass over its words, the longest term first.

What is sensitive is a list of terms, or whole parts of the ontology ("disease", "drug"): every term whose chosen
sense lies strictly under one of them. Small and capital letters, plurals, line ends inside a term and both
apostrophes make no difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sfumato.core.errors import BadInput
from sfumato.text.ontology.ontology import Ontology, folded
from sfumato.text.ontology.senses import Senses
from sfumato.text.ontology.wording import begins_sentence, plural, singulars
from sfumato.text.page import tokenise
from sfumato.text.span import Span

LONGEST = 5
"""words of a term that is looked for by a part of the ontology"""


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in a text where a sensitive term stands, and the sense it is taken in."""

    start: int
    end: int
    sense: int
    many: bool
    """whether it is a plural"""


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
    """the concepts of the parts that were named"""

    @classmethod
    def of(cls, senses: Senses, terms: Iterable[str] = (), subtrees: Iterable[str] = ()) -> TermIndex:
        """Prepare terms that are named, and all terms of parts of the ontology."""
        ontology = senses.ontology
        asked = [_known(ontology, term, place) for place, term in enumerate(terms, 1)]
        inside: set[int] = set()
        for place, name in enumerate(subtrees, 1):
            root = ontology.one(name, f"part {place} of the ontology")
            inside |= ontology.under(root) - {root}
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

    def find(self, text: str, taken: Sequence[Span] = ()) -> list[Mention]:
        """Return the terms of a text in their order, none of which touches a span that is taken."""
        tokens = tokenise(text)
        words = [word.lower() if word != "’" else "'" for word in tokens.words]
        found: list[Mention] = []
        place = 0
        passed = 0
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
                mention = self._mention(text, start, tokens.ends[stop - 1], term, many)
                if mention is not None:
                    found.append(mention)
                    step = len(listed)
                    break
            place += step
        return found

    def _mention(self, text: str, start: int, end: int, term: str, many: bool) -> Mention | None:
        written = text[start:end]
        if "\n\n" in written or "\r\n\r\n" in written:
            return None
        lower = written == written.lower()
        name = written[0].isupper() and written != written.upper() and not begins_sentence(text, start)
        sense = self.senses.of(term, lower=lower, name=name)[0]
        if term not in self.asked and sense not in self.inside:
            return None
        return Mention(start, end, sense, many)

    def of_spans(self, text: str, spans: Sequence[Span], where: str = "") -> list[Mention]:
        """Take spans that somebody marked as the sensitive terms."""
        ontology = self.senses.ontology
        found = []
        for span in spans:
            spelt = folded(span.of(text))
            forms = [form for form in (spelt, *singulars(spelt, ontology.irregular)) if form in ontology.terms]
            if not forms:
                raise BadInput(
                    f"a marked term is not known to {ontology.name}",
                    where=f"{where}, characters {span.start} to {span.end}",
                    remedy="mark the term alone, or add it with its parent",
                )
            sense = self.senses.of(forms[0])[0]
            found.append(Mention(span.start, span.end, sense, forms[0] != spelt))
        return found


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
