"""What models and methods for sets are: the contract of this room."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Question
from sfumato.codes.sets import CodeSets, Visits
from sfumato.codes.tree import CodeTree
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Basis, Threat, Verdict

if TYPE_CHECKING:
    from sfumato.codes.disassociated import Disassociated

Constraint = tuple[str, ...]
"""codes that a policy names together"""


class SetModel(Protocol):
    """A promise about sets. See ``codes/models`` for those that exist."""

    @property
    def name(self) -> str:
        """The name that recipes use."""

    @property
    def basis(self) -> Basis:
        """What the promise can be checked from."""

    @property
    def protects_from(self) -> tuple[Threat, ...]:
        """The threats it answers."""

    @property
    def stops(self) -> tuple[str, ...]:
        """The attacks (``codes/attacks``) that it stops."""

    def in_words(self) -> str:
        """Say in one sentence (without its full stop) what is promised."""

    def question(self) -> Question:
        """The face for methods: what must hold, in one form."""

    def check(self, published: PublishedSets | Disassociated) -> Verdict:
        """The face for everybody: does it hold for these sets?"""


@dataclass(frozen=True)
class Problem:
    """What a method is handed."""

    sets: CodeSets
    models: tuple[SetModel, ...]
    tree: CodeTree | None = None
    """the hierarchy over the codes, for methods that need one"""
    sensitive: NDArray[np.bool_] | None = None
    """marks codes of the domain that must not be learned; methods never generalise them with public ones"""
    utility: tuple[Constraint, ...] = field(default=(), repr=False)
    """utility policy: codes that may be generalised together, and should stay apart from the others"""
    visits: Visits | None = None

    @property
    def marked(self) -> NDArray[np.bool_]:
        """Which codes are sensitive, as an array in every case."""
        return np.zeros(len(self.sets.domain), np.bool_) if self.sensitive is None else self.sensitive


@dataclass(frozen=True)
class Solution:
    """What a method found: published record r is record r of the problem's sets."""

    published: PublishedSets | Disassociated
    details: Mapping[str, int | float | str] = field(default_factory=dict)
    """figures of the search, for the steward"""


class SetMethod(Protocol):
    """A way to change sets so that promises hold. See ``codes/methods``.

    A frozen dataclass whose fields are its parameters, checked when it is made.
    """

    @property
    def name(self) -> str:
        """The name that recipes use."""

    @property
    def needs_hierarchy(self) -> bool:
        """Whether it generalises along a hierarchy."""

    def enforces(self, question: Question) -> bool:
        """Say whether it can make sets answer this question."""

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Find published sets that keep every promise of the problem, or raise ``PromiseNotMet``."""
