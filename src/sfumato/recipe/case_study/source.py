"""What a case study is about: a file of diagnoses, and the diseases that research wants to count in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from sfumato.codes.icd import System
from sfumato.codes.policies import GWAS_DISEASES
from sfumato.codes.reading import Long, ReadCodes, read_codes
from sfumato.codes.risk import three_digits
from sfumato.core.errors import BadInput, nearest
from sfumato.core.system import could_not
from sfumato.hierarchy.icd import Icd

Diseases = Mapping[str, Iterable[str]]
"""each disease with the codes or categories that define it"""


@dataclass(frozen=True)
class Source:
    """A long table of diagnoses: one code on each row, of a person and perhaps of a visit.

    Without ``diseases`` those of genome-wide association studies are taken, which are known for ICD-9-CM.
    """

    data: Path
    person: str
    code: str
    visit: str | None = None
    system: str = System.NONE.value
    diseases: Diseases | None = field(default=None, repr=False)
    title: str = ""
    """what the page calls the data; the name of the file if nothing is said"""
    about: str = ""
    """where the data come from, in a sentence or two"""

    def __post_init__(self) -> None:
        if self.system not in tuple(System):
            raise BadInput(
                f"there is no code system '{self.system}'",
                where="system",
                remedy=nearest(self.system, System),
            )
        if self.diseases is None and self.system != System.ICD9CM:
            raise BadInput(
                "it is not known which diseases to count",
                where="diseases",
                remedy="name a file with --diseases, or say --system icd9cm for those of genome-wide studies",
            )

    @property
    def name(self) -> str:
        """What the page calls the data."""
        return self.title or self.data.name

    @property
    def counted(self) -> Diseases:
        """The diseases to count."""
        return GWAS_DISEASES if self.diseases is None else self.diseases

    @property
    def hierarchy(self) -> Icd | None:
        """The classification of the codes, where it is known."""
        return None if self.system == System.NONE else Icd(self.system)

    def shorter(self, code: str) -> str:
        """Cut a code of a known classification to its category."""
        return three_digits(code) if self.system == System.ICD9CM else code[:3]

    def read(self) -> ReadCodes:
        """Read the sets of codes."""
        return read_codes(self.data, Long(self.person, self.code, self.visit), system=self.system)


def read_diseases(path: Path) -> dict[str, tuple[str, ...]]:
    """Read diseases from a YAML file: names, each with one code or category or a list of them."""
    where = str(path)
    remedy = "write lines such as  asthma: ['493']"
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except OSError as problem:
        raise could_not(
            problem,
            "the diseases cannot be read",
            where=where,
            remedy="check the path",
        ) from None
    except (UnicodeDecodeError, yaml.YAMLError):
        raise BadInput("the diseases are not YAML", where=where, remedy=remedy) from None
    if not isinstance(found, dict) or not found:
        raise BadInput("the file names no disease", where=where, remedy=remedy)
    return {str(name): _codes(given, where, remedy) for name, given in found.items()}


def _codes(given: object, where: str, remedy: str) -> tuple[str, ...]:
    listed = [given] if isinstance(given, str) else given
    if not isinstance(listed, list) or not listed or not all(isinstance(code, str) for code in listed):
        raise BadInput(
            "a disease has no list of codes as text", where=where, remedy=f"{remedy}, codes in quotes"
        )
    return tuple(listed)
