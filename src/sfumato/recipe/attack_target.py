"""What is attacked: a release folder, a release in memory, a frame or a file, and what its labels mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sfumato.core.errors import BadInput
from sfumato.core.schema import Role, Schema
from sfumato.engine.contract import Engine
from sfumato.engine.sources import CsvFile, Frame, ParquetFile, Source, SqlTable, source_of
from sfumato.hierarchy import Hierarchy, from_spec
from sfumato.recipe.api import Release
from sfumato.recipe.attack_knowledge import other_release
from sfumato.recipe.job import job_of
from sfumato.recipe.load import load
from sfumato.recipe.mechanisms import mechanisms_in
from sfumato.recipe.on_disk import ReleaseOnDisk
from sfumato.recipe.verify_recipe import known_to
from sfumato.table.published import PublishedTable


@dataclass(frozen=True)
class Target:
    """A table to attack, the hierarchies that came with it, and what to say about how it was read."""

    published: PublishedTable
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    plain: bool = False
    """whether it is a table of records without any evidence"""
    truthful: bool = False
    """whether its evidence says that values were only generalised or hidden"""


def source_from(data: Any) -> Source:
    """Take a source as it is; else a path, else a frame; the data of a release in memory."""
    if isinstance(data, CsvFile | ParquetFile | SqlTable | Frame):
        return data
    if isinstance(data, Release):
        return Frame(data.data)
    return source_of(data) if isinstance(data, str | Path) else Frame(data)


def held_by(data: Any) -> Path | Source:
    """Take the folder of a release as a path, anything else as a source."""
    return Path(data) if isinstance(data, str | Path) and Path(data).is_dir() else source_from(data)


def described(data: Any, otherwise: str) -> str:
    """Name a file in a message; anything else by the part that it plays."""
    return str(data) if isinstance(data, str | Path) else otherwise


def names_of(given: str | Iterable[str] | None) -> list[str] | None:
    """Take one name or several."""
    if given is None:
        return None
    if not isinstance(given, Iterable):
        raise BadInput(f"column names are a {type(given).__name__}", remedy="name columns by text")
    return [given] if isinstance(given, str) else list(given)


def hierarchies_from(
    given: Mapping[str, Hierarchy | str | Mapping[str, Any]] | str | Path | None,
) -> dict[str, Hierarchy]:
    """Take hierarchies as they are, from the spelling of recipes, or from a recipe file."""
    if given is None:
        return {}
    if not isinstance(given, str | Path | Mapping):
        raise BadInput(
            f"the hierarchies are a {type(given).__name__}",
            remedy="give a mapping from columns, or the path of a recipe",
        )
    if isinstance(given, str | Path):
        path = Path(given)
        return dict(job_of(load(path), path.parent).hierarchies)
    return {
        name: spec if hasattr(spec, "ladder") else from_spec(spec, Path()) for name, spec in given.items()
    }


def target_of(
    data: Any,
    engine: Engine,
    quasi: Sequence[str] | None,
    sensitive: Sequence[str] | None,
    person: str | None,
    *,
    aggregated: bool = False,
) -> Target:
    """Open what is to be attacked; roles that are given win over those that it brings.

    A table of published figures (``aggregated``) is not about single people, and needs no roles.
    """
    if isinstance(data, str | Path) and Path(data).is_dir():
        release = ReleaseOnDisk.read(data)
        target = Target(release.published(engine), truthful=release.evidence.truthful)
        return _with_roles(target, quasi, sensitive, person)
    if isinstance(data, Release):
        return _with_roles(_of_release(data, engine), quasi, sensitive, person)
    if aggregated:
        return Target(PublishedTable(engine.read(source_from(data)), ()))
    if not quasi:
        raise BadInput(
            "nobody said what an adversary may know",
            remedy="name the quasi-identifiers, such as quasi=['zip']",
        )
    table = engine.read(source_from(data))
    return _with_roles(Target(PublishedTable(table, ()), plain=True), quasi, sensitive, person)


def another(data: Any, engine: Engine, like: PublishedTable) -> PublishedTable:
    """Open another release about some of the same people: with its own roles, or with those of the first."""
    if isinstance(data, Release):
        return target_of(data, engine, None, None, None).published
    folder = isinstance(data, str | Path) and Path(data).is_dir()
    return other_release(Path(data) if folder else source_from(data), engine, like)


def _of_release(release: Release, engine: Engine) -> Target:
    evidence = release.evidence
    table = engine.read(Frame(release.data))
    shown = [column for column in evidence.columns if column.name in table.names]
    roles = {
        role: tuple(column.name for column in shown if column.role == role)
        for role in (Role.QUASI_IDENTIFIER, Role.SENSITIVE)
    }
    blanked = evidence.suppressed_records if evidence.suppressed_policy == "star" else 0
    known = known_to(evidence)
    published = PublishedTable(
        table,
        roles[Role.QUASI_IDENTIFIER],
        roles[Role.SENSITIVE],
        known=tuple(name for name in roles[Role.SENSITIVE] if name in known),
        mechanisms=mechanisms_in(evidence),
        hierarchies={
            name: laid for name, laid in release.hierarchies.items() if name in roles[Role.SENSITIVE]
        },
        blanked=blanked,
    )
    return Target(published, release.hierarchies, truthful=evidence.truthful)


def _with_roles(
    target: Target, quasi: Sequence[str] | None, sensitive: Sequence[str] | None, person: str | None
) -> Target:
    published = target.published
    names = published.table.names
    roles = Schema.of(
        names,
        quasi=published.quasi if quasi is None else quasi,
        sensitive=published.sensitive if sensitive is None else sensitive,
        person=person if person in names else None,
        known=published.known,
    )
    given = PublishedTable(
        published.table,
        tuple(published.quasi if quasi is None else quasi),
        tuple(published.sensitive if sensitive is None else sensitive),
        roles.person,
        tuple(name for name in published.known if name in roles.sensitive),
        mechanisms=published.mechanisms,
        hierarchies=published.hierarchies,
        blanked=published.blanked,
    )
    return replace(target, published=given)
