"""Extract the policies that data call for, say what they can be held to, and keep them for the steward."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sfumato.codes.policies import (
    GWAS_DISEASES,
    Feasibility,
    PrivacyPolicy,
    UtilityPolicy,
    extract_privacy_constraints,
    extract_utility_constraints,
    feasibility,
    write_constraints,
)
from sfumato.codes.reading import ReadCodes
from sfumato.codes.tree import CodeTree
from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.system import could_not
from sfumato.hierarchy import Hierarchy, Icd

PRIVACY, UTILITY = "privacy.txt", "utility.txt"
GWAS = "gwas"
KNOWN = ("visits", "history")
_TITLES = {
    PRIVACY: "Privacy constraints. For the steward alone: these are rare sets of codes that exist.",
    UTILITY: "Utility constraints: codes that may be generalised together, and with no others.",
}


@dataclass(frozen=True)
class Policies:
    """Both policies of some data. Prints counts alone: the codes are the steward's."""

    known: str
    k: int
    privacy: PrivacyPolicy
    utility: UtilityPolicy | None
    feasible: Feasibility | None = field(repr=False)
    """None where there is nothing to protect"""
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        shown = "histories" if self.known == "history" else self.known
        rare = self.privacy.rare
        lines = [
            f"{_many(self.privacy.looked_at, 'different set')} of codes that {shown} show; {rare:,} "
            f"{'is' if rare == 1 else 'are'} held by fewer than {self.k} people",
        ]
        if len(self.privacy):
            listed = _many(len(self.privacy), "privacy constraint")
            lines.append(f"{listed}: what is rare and lies in nothing else that is")
        if self.utility is not None:
            lines.append(_many(len(self.utility), "utility constraint") + ": diseases that can be counted")
            if self.utility.merged:
                lines.append(
                    f"{_many(self.utility.merged, 'disease')} with codes of another one: these are one "
                    "constraint, and can only be counted together"
                )
            if self.utility.absent:
                lines.append(f"{_many(len(self.utility.absent), 'disease')} none of whose codes occurs")
        if self.feasible is None:
            lines.append("there is nothing to protect, and no privacy policy")
        else:
            lines += str(self.feasible).splitlines()
        return "\n".join(lines)


def extract_policies(
    read: ReadCodes,
    *,
    k: int = 5,
    known: str | None = None,
    size: int | None = None,
    diseases: str | Sequence[str] | Mapping[str, str | Sequence[str]] | None = None,
    system: str | None = None,
    hierarchy: Hierarchy | None = None,
    overlaps: str = "merge",
    progress: Progress = SILENT,
) -> Policies:
    """Extract the privacy constraints (PPE) and the utility constraints (UPE) of data that were read.

    ``known`` is what an adversary may know of a person: ``visits`` or ``history`` (visits where there are
    any); with ``size`` any so many codes of it. ``diseases`` is ``gwas``, or codes, categories and nodes of
    the hierarchy; without any, codes may be generalised with any others.
    """
    known = known or ("history" if read.visits is None else "visits")
    if known not in KNOWN:
        raise BadInput("it must be visits or history", where="--from", remedy=nearest(known, KNOWN))
    if known == "visits" and read.visits is None:
        raise BadInput(
            "no column says what a visit is",
            where="--from",
            remedy="name it with --visit, or give --from history",
        )
    progress.step("extracting privacy constraints")
    visits = read.visits if known == "visits" else None
    privacy = extract_privacy_constraints(read.sets, k, visits=visits, size=size)
    utility = None
    if diseases is not None:
        progress.step("extracting utility constraints")
        utility = _utility(read, diseases, system, hierarchy, overlaps)
    progress.step("looking what can be satisfied")
    feasible = None
    if len(privacy):
        allowed = None if utility is None else utility.constraints
        feasible = feasibility(read.sets, privacy.constraints, k, allowed)
    return Policies(known, k, privacy, utility, feasible, read.notes)


def _utility(
    read: ReadCodes,
    diseases: str | Sequence[str] | Mapping[str, str | Sequence[str]],
    system: str | None,
    hierarchy: Hierarchy | None,
    overlaps: str,
) -> UtilityPolicy:
    named: Mapping[str, str | Sequence[str]]
    if isinstance(diseases, Mapping):
        named = diseases
    elif isinstance(diseases, str):
        if diseases != GWAS:
            raise BadInput(f"there is no list of diseases '{diseases}'", remedy=nearest(diseases, [GWAS]))
        named = GWAS_DISEASES
    else:
        named = {name: name for name in diseases}
    if hierarchy is None and system in ("icd9cm", "icd10cm"):
        hierarchy = Icd(system)
    tree = None if hierarchy is None else CodeTree.of(hierarchy, read.sets.domain, unknown="root")
    if overlaps not in ("merge", "refuse"):
        raise BadInput("it must be merge or refuse", where="--overlaps")
    found = extract_utility_constraints(
        read.sets, named, hierarchy=tree, overlaps="merge" if overlaps == "merge" else "refuse"
    )
    if not len(found):
        raise BadInput(
            f"none of the codes of {_many(len(named), 'disease')} occurs in the data",
            where="--diseases",
            remedy="check how they are written, or say gwas; --system icd9cm mends lost dots",
        )
    return found


def write_policies(policies: Policies, folder: Path, *, replace: bool = False) -> list[Path]:
    """Write both policies into a folder that only its owner can read; return the files."""
    written = {
        PRIVACY: policies.privacy.constraints,
        UTILITY: policies.utility.constraints if policies.utility else (),
    }
    refuse_existing_policies(folder, replace=replace)
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        for name in written:
            (folder / name).unlink(missing_ok=True)
    except OSError as problem:
        raise could_not(
            problem,
            "the folder cannot be written",
            where=str(folder),
            remedy="choose another with --out",
        ) from None
    paths = []
    for name, constraints in written.items():
        if constraints:
            write_constraints(folder / name, constraints, _TITLES[name])
            paths.append(folder / name)
    return paths


def refuse_existing_policies(folder: Path, *, replace: bool) -> None:
    """Refuse a folder that holds policies already, before anything is computed."""
    if folder.exists() and not folder.is_dir():
        raise BadInput("this is a file", where=str(folder), remedy="name a folder")
    if not replace and any((folder / name).exists() for name in (PRIVACY, UTILITY)):
        raise BadInput(
            "there are already policies", where=str(folder), remedy="choose another, or give --replace"
        )


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
