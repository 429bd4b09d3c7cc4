"""Other people's models as one more detector: spaCy, transformers, or any function from a text to entities.

An extra that is never needed. What such a model calls things is mapped to kinds; labels without a kind are
left out. Long texts are handed over in pieces that end where a line ends, since most models have a limit.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from sfumato.core.errors import BadInput, MissingPart
from sfumato.text.kinds import Kind
from sfumato.text.page import Page
from sfumato.text.span import PROBABLE, Span

Entity = tuple[int, int, str, float | None]
"""start, end, label, and the certainty if the model says one"""
PIECE = 100_000
"""characters that are handed over at once"""
NEWS_KINDS = {
    "PERSON": Kind.NAME,
    "PER": Kind.NAME,
    "GPE": Kind.LOCATION,
    "LOC": Kind.LOCATION,
    "FAC": Kind.LOCATION,
    "ORG": Kind.LOCATION,
}
"""what models trained on news call people and places; their dates hold durations ("one week") and stay out"""


def pieces(text: str, longest: int = PIECE) -> Iterator[tuple[int, str]]:
    """Cut a text where lines end, else where words end, else anywhere.

    >>> list(pieces("one two\\nthree", 9))
    [(0, 'one two\\n'), (8, 'three')]
    """
    start = 0
    while start < len(text):
        end = start + longest
        if end < len(text):
            for mark in ("\n", " "):
                cut = text.rfind(mark, start, end)
                if cut > start:
                    end = cut + 1
                    break
        yield start, text[start:end]
        start = end


@dataclass(frozen=True)
class PluginDetector:
    """Any function from a text to entities.

    >>> def shouting(text):
    ...     yield 0, 3, "PERSON", None
    >>> detector = PluginDetector("shouting", shouting, NEWS_KINDS)
    >>> [span.of("ADA sleeps") for span in detector.find(Page("ADA sleeps"))]
    ['ADA']
    """

    name: str
    entities: Callable[[str], Iterable[Entity]] = field(repr=False)
    kinds: Mapping[str, Kind]
    certainty: float = PROBABLE
    """of what comes without a certainty of its own"""
    longest: int = PIECE

    def find(self, page: Page) -> Iterator[Span]:
        """Propose what the function finds."""
        for offset, piece in pieces(page.text, self.longest):
            for start, end, label, certainty in self.entities(piece):
                kind = self.kinds.get(label)
                if kind is None:
                    continue
                if not 0 <= start < end <= len(piece):
                    raise BadInput("an entity lies outside the text", where=f"detector '{self.name}'")
                sure = self.certainty if certainty is None else min(max(float(certainty), 0.0), 1.0)
                yield Span(offset + start, offset + end, kind, label.lower(), sure, self.name)


@dataclass(frozen=True)
class SpacyDetector:
    """The named entities of a spaCy pipeline, by the name of an installed package or its folder."""

    model: str
    kinds: Mapping[str, Kind] = field(default_factory=NEWS_KINDS.copy)
    certainty: float = PROBABLE
    name: ClassVar[str] = "spacy"

    @cached_property
    def _plugin(self) -> PluginDetector:
        spacy = _part("spacy")
        try:
            pipeline = spacy.load(self.model)
        except OSError:
            raise MissingPart(f"spaCy has no model '{self.model}'", remedy="install the model") from None

        def entities(text: str) -> Iterator[Entity]:
            for found in pipeline(text).ents:
                yield found.start_char, found.end_char, found.label_, None

        return PluginDetector(self.name, entities, self.kinds, self.certainty)

    def __getstate__(self) -> dict[str, Any]:
        return _without_plugin(self)

    def find(self, page: Page) -> Iterator[Span]:
        """Propose the entities of the pipeline."""
        return self._plugin.find(page)


@dataclass(frozen=True)
class TransformersDetector:
    """A token classifier of transformers, from a folder on this machine."""

    model: str
    kinds: Mapping[str, Kind] = field(default_factory=NEWS_KINDS.copy)
    longest: int = 1500
    """characters that are handed over at once; most such models read 512 pieces of words"""
    name: ClassVar[str] = "transformers"

    @cached_property
    def _plugin(self) -> PluginDetector:
        transformers = _part("transformers")
        try:
            classifier = transformers.pipeline(
                "token-classification",
                model=self.model,
                aggregation_strategy="simple",
                model_kwargs={"local_files_only": True},
            )
        except OSError:
            raise MissingPart(
                f"there is no model '{self.model}' on this machine", remedy="give the folder that holds it"
            ) from None

        def entities(text: str) -> Iterator[Entity]:
            for found in classifier(text):
                yield found["start"], found["end"], found["entity_group"], float(found["score"])

        return PluginDetector(self.name, entities, self.kinds, longest=self.longest)

    def __getstate__(self) -> dict[str, Any]:
        return _without_plugin(self)

    def find(self, page: Page) -> Iterator[Span]:
        """Propose the entities of the classifier."""
        return self._plugin.find(page)


def _part(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingPart(f"the detector needs {name}", remedy=f"pip install {name}") from None


def _without_plugin(detector: object) -> dict[str, Any]:
    """Leave the loaded model behind: every process loads its own."""
    return {name: value for name, value in vars(detector).items() if name != "_plugin"}
