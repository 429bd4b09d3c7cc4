"""A trained model: weights, the vocabulary, what labels mean, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from sfumato.core.files import read_bytes
from sfumato.core.whole_file import write_whole
from sfumato.text.crf.decode import Decoder
from sfumato.text.crf.weights import Weights
from sfumato.text.kinds import Kind
from sfumato.text.lexicon import Lexicon


@dataclass(frozen=True)
class Provenance:
    """What a model was trained on, and how."""

    trained_on: str
    """in words: ``generated notes``, ``discharge letters of 2024``"""
    trained_on_real_notes: bool
    """then the model is health information itself: it holds words of these notes"""
    notes: int
    words: int
    least_notes: int
    """no word is in the model that stood in fewer notes"""
    settings: Mapping[str, float] = field(default_factory=dict)
    """penalties, iterations, shares of varied notes and forgotten words, the seed"""
    language: str = ""
    rounds: int = 1
    """how often it was trained, corrected and trained again"""


@dataclass(frozen=True)
class Model:
    """A linear-chain conditional random field, ready to find spans (``detectors/learned.py``).

    A model that was trained on real notes is to be kept as these notes are: its vocabulary leaves out every
    word that stood in few notes or mostly for people, which makes it poor in names, not free of traces.
    """

    weights: Weights
    vocabulary: tuple[str, ...]
    kinds: Mapping[str, Kind]
    """what each label means"""
    provenance: Provenance

    def decoder(self, lexicon: Lexicon) -> Decoder:
        """Return what scores texts. The lexicon must be the one that the model was trained with."""
        return Decoder(self.weights, self.numbers, lexicon)

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each word of the vocabulary, from 1 on."""
        return {word: number for number, word in enumerate(self.vocabulary, 1)}

    def describe(self) -> str:
        """Say in a few lines what the model is and how it must be kept."""
        known = self.provenance
        scores = (self.weights.trait_scores, self.weights.code_scores, self.weights.phrase_scores)
        lines = [
            f"A conditional random field for {', '.join(self.kinds) or 'nothing'}",
            f"trained on {known.notes:,} notes ({known.words:,} words): {known.trained_on}",
            f"{sum(int((part != 0).sum()) for part in scores):,} weights, "
            f"{len(self.vocabulary):,} words in its vocabulary",
        ]
        if known.trained_on_real_notes:
            lines.append(
                "TRAINED ON REAL NOTES: keep it as you keep these notes. It holds words that stood in at "
                f"least {known.least_notes} of them"
            )
        return "\n".join(lines)

    def save(self, path: Path) -> None:
        """Write the model to a file."""
        from sfumato.text.crf.file import packed

        write_whole(path, packed(self))

    @classmethod
    def load(cls, path: Path) -> Model:
        """Read a model from a file; one that is damaged, or no model at all, is refused."""
        from sfumato.text.crf.file import unpacked

        return unpacked(read_bytes(path), where=path.name)
