"""Put a finder together: the detectors of a language, its learned model, and the whole-record pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sfumato.core.errors import BadInput
from sfumato.core.files import is_plain
from sfumato.text.detectors.contract import Detector, RecordPass
from sfumato.text.finder import Finder
from sfumato.text.language import Language, language_of
from sfumato.text.span import THRESHOLD

SHIPPED = "shipped"
"""the model that comes with the language"""
NONE = "none"
"""patterns and lexicons alone"""


class Finding(Protocol):
    """Says how to look, and builds what looks: small, so that every process can build its own."""

    @property
    def language(self) -> str:
        """The code of the language."""

    def finder(self) -> Finder:
        """Build the finder. It may take a second: build one and keep it."""


@dataclass(frozen=True)
class LanguageFinding:
    """Look with all that is known about a language.

    ``model`` is ``shipped``, ``none``, or the path of a model that ``sfumato text train`` made. With
    ``known_everywhere`` what columns say about a person is taken wherever it stands, also where it is an
    ordinary word ("young", of Mrs Young).
    """

    language: str = "en"
    model: str = SHIPPED
    threshold: float = THRESHOLD
    known_everywhere: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.threshold <= 1:
            raise BadInput(
                "the threshold must lie above 0 and not above 1", where="threshold", remedy="try 0.5"
            )

    def finder(self) -> Finder:
        """Build the finder."""
        return finder_of(self.language, self.model, self.threshold, known_everywhere=self.known_everywhere)

    @property
    def model_file(self) -> Path | None:
        """Where the model lies; None where there is none."""
        return None if self.model == NONE else model_path(language_of(self.language), self.model)


def finder_of(
    language: str = "en",
    model: str = SHIPPED,
    threshold: float = THRESHOLD,
    *,
    more: Sequence[Detector] = (),
    known_everywhere: bool = False,
) -> Finder:
    """Build the finder of a language; ``more`` are detectors of one's own that compete with the others."""
    from sfumato.text.detectors.known_values import KnownValues
    from sfumato.text.detectors.record_pass import WholeRecord
    from sfumato.text.word_list import word_list

    spoken = language_of(language)
    lexicon = word_list(language)
    detectors: list[Detector] = [*spoken.detectors(), *more]
    if model != NONE:
        detectors.append(_learned(model_path(spoken, model), language))
    passes: list[RecordPass] = [WholeRecord(lexicon)]
    if known_everywhere:
        passes.append(KnownValues())
    return Finder(tuple(detectors), tuple(passes), threshold)


def model_path(language: Language, model: str) -> Path:
    """Return where a model lies; refuse one that is not there."""
    path = language.folder / language.model if model == SHIPPED else Path(model)
    if not is_plain(path):
        what = f"no model comes with {language.name}" if model == SHIPPED else "there is no such model"
        raise BadInput(
            what,
            where="" if model == SHIPPED else str(path),
            remedy="write 'none' to look with patterns and lexicons alone, or train one (sfumato text train)",
        )
    return path


def _learned(path: Path, language: str) -> Detector:
    from sfumato.text.crf.model import Model
    from sfumato.text.detectors.learned import Learned
    from sfumato.text.word_list import word_list

    spoken = language_of(language)
    return spoken.checked(Learned(Model.load(path), word_list(language), judged=spoken.judges_learned))
