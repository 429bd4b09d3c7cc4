"""The kind registry: where the parts of each kind lie. A module is imported when it is asked for.

Kinds are listed in ``sfumato.registration``, one entry each; nothing else knows them by name.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sfumato.core.kind import Kind

_LISTED = "sfumato.registration"


@dataclass(frozen=True)
class Entry:
    """Where the parts of a kind lie, each as ``module:name``."""

    holds: str
    """what such data are called in messages"""
    job: str
    """turns a recipe and the folder of its paths into a job"""
    plan: str
    """describes what a job would do"""
    forms: Mapping[str, str]
    """the ``Kind`` of every form in which such data are published; ``""`` stands for all others"""
    remedy: str = "check it with 'sfumato verify'"
    """what to do with a release of this kind where only tables are understood"""
    released: str = ""
    """what a release holds, where that is something else than what was read"""

    def part(self, what: str) -> Any:
        """Import ``job`` or ``plan``."""
        return _imported(str(getattr(self, what)))

    def kind(self, form: str = "") -> Kind[Any, Any, Any]:
        """Import the ``Kind`` of a form."""
        found: Kind[Any, Any, Any] = _imported(self.forms.get(form) or self.forms[""])
        return found


def _imported(place: str) -> Any:
    module, name = place.split(":")
    return getattr(importlib.import_module(module), name)


def entries() -> Mapping[str, Entry]:
    """Return all kinds by their names."""
    found: Mapping[str, Entry] = importlib.import_module(_LISTED).KINDS
    return found
