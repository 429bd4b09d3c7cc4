"""Policies: small files that say, for each kind of column, what has to be done with it.

``safe-harbor`` and ``limited-data-set`` come with Sfumato; others are files of the same shape, named in
the recipe by their path. A policy says which transformations were applied. Whether a law is satisfied is
for people to decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from sfumato.core.errors import BadInput, nearest
from sfumato.core.system import could_not
from sfumato.masking.contract import Mask
from sfumato.masking.reduce import Year, last_year_of
from sfumato.masking.spec import MASKS, mask_from_spec

NOT_IDENTIFYING = ("state", "country", "other")
"""kinds that no policy speaks of: where people live at large, and everything else"""
_FOLDER = files("sfumato.masking") / "policies"
MaskSpec = str | dict[str, dict[str, Any] | None]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PolicyIdentifier(_Part):
    """One identifier that the policy lists, the kinds of columns that hold it, and what is done."""

    key: str
    title: str
    kinds: dict[str, MaskSpec] = Field(min_length=1)


class Policy(_Part):
    """A policy as its file says it."""

    name: str
    title: str
    source: str = ""
    agreement: bool = Field(default=False, description="whether a data use agreement is required")
    allowed: list[str] = Field(description="masks that a recipe may choose instead")
    identifiers: list[PolicyIdentifier] = Field(min_length=1)
    kept: list[str] = Field(default=[], description="kinds that may stay as they are")
    removed: list[str] = Field(default=[], description="other kinds that are left out")
    attestation: str = ""

    @field_validator("allowed")
    @classmethod
    def _known_masks(cls, allowed: list[str]) -> list[str]:
        for name in allowed:
            if name not in MASKS:
                raise ValueError(f"there is no mask '{name}'; {nearest(name, MASKS)}")
        return allowed

    @property
    def masks(self) -> dict[str, Mask | None]:
        """What is done with each kind of column: a mask, or nothing."""
        done: dict[str, Mask | None] = dict.fromkeys((*NOT_IDENTIFYING, *self.kept))
        done.update({kind: mask_from_spec("remove") for kind in self.removed})
        for identifier in self.identifiers:
            for kind, spec in identifier.kinds.items():
                done[kind] = mask_from_spec(spec, f"policy '{self.name}', {identifier.key}")
        return done

    def mask_for(self, column: str, kind: str | None, chosen: Mask | None) -> Mask | None:
        """Return what is done with a column: what the recipe chose, if the policy allows it, else its own."""
        where = f"column '{column}'"
        masks = self.masks
        if kind is None:
            raise BadInput(
                f"the policy '{self.name}' needs to know what the column holds",
                where=where,
                remedy=f"give it a 'kind', such as name, date or other; {nearest('', masks)}",
            )
        if kind not in masks:
            raise BadInput(
                f"the policy '{self.name}' does not know the kind '{kind}'",
                where=where,
                remedy=nearest(kind, masks),
            )
        if chosen is None:
            return masks[kind]
        if chosen.name not in self.allowed:
            raise BadInput(
                f"the policy '{self.name}' does not allow the mask '{chosen.name}'"
                + (", which is derived from the value or keeps a part of it" if chosen.partial else ""),
                where=where,
                remedy=f"choose one of {', '.join(self.allowed)}, or none",
            )
        own = masks[kind]
        if own is not None and own.name != "remove" and chosen.name not in (own.name, "remove", "pseudonym"):
            raise BadInput(
                f"the policy '{self.name}' asks for '{own.name}' here, not '{chosen.name}'",
                where=where,
                remedy="leave the mask out",
            )
        if own is not None and own.name == "remove" and chosen.name not in ("remove", "pseudonym"):
            raise BadInput(
                f"the policy '{self.name}' leaves this column out or replaces it by a random code",
                where=where,
                remedy="leave the mask out, or choose 'pseudonym'",
            )
        if isinstance(own, Year) and isinstance(chosen, Year) and chosen.oldest != own.oldest:
            chosen = replace(chosen, oldest=own.oldest)
        least, given = last_year_of(own), last_year_of(chosen)
        if least is not None and given is not None and given < least:
            raise BadInput(
                "'this_year' lies in the past: years would show who is over 89 by now, which the policy "
                f"'{self.name}' hides",
                where=where,
                remedy="leave 'this_year' out",
            )
        return chosen


def policy_names() -> list[str]:
    """List the policies that come with Sfumato.

    >>> policy_names()
    ['limited-data-set', 'safe-harbor']
    """
    return sorted(
        entry.name.removesuffix(".yaml") for entry in _FOLDER.iterdir() if entry.name.endswith(".yaml")
    )


def policy_named(name: str, folder: Path = Path()) -> Policy:
    """Return a policy by its name, or from a file.

    >>> len(policy_named("safe-harbor").identifiers)
    18
    """
    if name in policy_names():
        return _parsed((_FOLDER / f"{name}.yaml").read_text(encoding="utf-8"), name)
    if not name.endswith((".yaml", ".yml")):
        raise BadInput(f"there is no policy '{name}'", remedy=nearest(name, policy_names()))
    path = folder / name
    try:
        return _parsed(path.read_text(encoding="utf-8"), str(path))
    except FileNotFoundError:
        raise BadInput("there is no such policy file", where=str(path), remedy="check the path") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise could_not(problem, "the policy cannot be read", where=str(path)) from None


def _parsed(text: str, where: str) -> Policy:
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError:
        raise BadInput("the policy is not YAML", where=where, remedy="check the file") from None
    if not isinstance(found, Mapping):
        raise BadInput("the policy has no keys", where=where, remedy="see docs/masking.md for their shape")
    try:
        policy = Policy.model_validate(found)
    except ValidationError as problem:
        first = problem.errors()[0]
        place = ".".join(str(step) for step in first["loc"])
        raise BadInput(f"'{place}' of the policy: {first['msg']}", where=where, remedy="mend it") from None
    _ = policy.masks
    return policy
