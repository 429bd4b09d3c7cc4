"""Read a recipe file: YAML in, a checked ``Recipe`` out, and errors that point at the line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel, ValidationError

from sfumato.core.errors import BadInput, nearest
from sfumato.core.system import system_problem
from sfumato.recipe.model import Recipe

Place = tuple[str | int, ...]
_NAMED = ("models", "method", "utility", "perturb", "attacks")
"""keys under which things are called by their names"""


def load(path: Path) -> Recipe:
    """Read and check a recipe."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadInput(
            "there is no such recipe", where=str(path), remedy="make one with 'sfumato init DATA.csv'"
        ) from None
    except IsADirectoryError:
        raise BadInput("this is a folder", where=str(path), remedy="give the recipe file") from None
    except (UnicodeDecodeError, OSError) as problem:
        raise system_problem(
            problem, "the recipe cannot be read as text", where=str(path), remedy="check the file"
        ) from None
    return parse(text, str(path))


def parse(text: str, where: str = "recipe") -> Recipe:
    """Check the text of a recipe."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        data = yaml.safe_load(text)
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise BadInput(
            "this is not YAML", where=f"{where}{line}", remedy="check indentation, colons and quotes"
        ) from None
    except RecursionError:
        raise _too_deep(where) from None
    _refuse_what_cannot_be_written(data, where)
    if not isinstance(data, dict):
        what = "the recipe is empty" if data is None else "this is no recipe: it has no keys"
        raise BadInput(what, where=where, remedy="make one with 'sfumato init DATA.csv'")
    lines: dict[Place, int] = {}
    _note_lines(node, (), lines)
    try:
        return Recipe.model_validate(data)
    except ValidationError as problems:
        raise _explain(problems, lines, where) from None


def _refuse_what_cannot_be_written(data: Any, where: str) -> None:
    """Refuse half characters and lists within themselves: YAML can spell them, and no file can hold them."""
    try:
        json.dumps(data, ensure_ascii=False, default=str, skipkeys=True).encode("utf-8")
    except UnicodeEncodeError:
        raise BadInput(
            "a text holds half of a character", where=where, remedy="write the character itself"
        ) from None
    except (ValueError, RecursionError):
        raise _too_deep(where) from None


def _too_deep(where: str) -> BadInput:
    return BadInput("lists lie too deep within each other", where=where, remedy="check brackets and anchors")


def _note_lines(node: Any, place: Place, lines: dict[Place, int]) -> None:
    """Remember on which line each key and item stands."""
    lines.setdefault(place, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            name = str(key.value)
            if name in seen:
                raise BadInput(
                    f"the key '{name}' is there twice",
                    where=f"recipe, line {key.start_mark.line + 1}",
                    remedy="keep one of them",
                )
            seen.add(name)
            lines[(*place, name)] = key.start_mark.line + 1
            _note_lines(value, (*place, name), lines)
    elif isinstance(node, yaml.SequenceNode):
        for position, value in enumerate(node.value):
            _note_lines(value, (*place, position), lines)


def _explain(problems: ValidationError, lines: dict[Place, int], where: str) -> BadInput:
    """Turn the first complaint into one sentence."""
    first = next((e for e in problems.errors() if e["type"] == "extra_forbidden"), problems.errors()[0])
    place: Place = tuple(first["loc"])
    known = place
    while known and known not in lines:
        known = known[:-1]
    if known == ("models",) and first["type"] == "list_type":
        return BadInput(
            "models must be a list",
            where=f"{where}, line {lines[known]}",
            remedy="write '- k-anonymity: {k: 5}'",
        )
    if first["type"] == "nothing_promised" and ("models",) not in lines:
        return BadInput(
            "the recipe needs the key 'models'",
            where=f"{where}, line 1",
            remedy="add it; of a table under a 'policy' it may be left out",
        )
    if first["type"] == "nothing_promised":
        return BadInput(
            first["msg"],
            where=f"{where}, line {lines.get(('models',), 1)}",
            remedy="name at least one model, such as '- k-anonymity: {k: 5}'",
        )
    if known and known[0] in _NAMED and first["type"] != "missing":
        return BadInput(
            f"{_path(known)} must be a name, or a name with its parameters",
            where=f"{where}, line {lines[known]}",
            remedy="for example 'homogeneity: {at-most: 0}'"
            if known[0] == "attacks"
            else "for example 'k-anonymity: {k: 5}'",
        )
    spot = f"{where}, line {lines.get(known, 1)}"
    key = str(place[-1]) if place else ""
    if "mask" in known and first["type"] != "missing":
        return BadInput(
            f"{_path(known)} must be a name, or a name with its parameters",
            where=spot,
            remedy="for example 'mask: pseudonym'",
        )
    if known[:2] == ("consent", "keep") and isinstance(first["input"], bool):
        return BadInput(
            f"{_path(known)} is read as true or false", where=spot, remedy="write the answer in quotes"
        )
    if "sensitive" in known and first["type"] == "string_type":
        return BadInput(
            f"{_path(known)}: a code is a text", where=spot, remedy="write codes in quotes: '401.10'"
        )
    match first["type"]:
        case "extra_forbidden":
            return BadInput(
                f"'{key}' is not a key of {_path(place[:-1])}",
                where=spot,
                remedy=nearest(key, _keys_at(place[:-1])),
            )
        case "missing":
            return BadInput(f"{_path(place[:-1])} needs the key '{key}'", where=spot, remedy="add it")
        case "model_type" | "model_attributes_type":
            keys = ", ".join(sorted(_keys_at(place)))
            return BadInput(
                f"{_path(place)} must have keys with values", where=spot, remedy=f"known are: {keys}"
            )
        case "enum" | "literal_error":
            expected = str(first.get("ctx", {}).get("expected", ""))
            names = [name.strip(" '") for name in expected.replace(" or ", ",").split(",")]
            given = first["input"]
            remedy = nearest(str(given), names) if isinstance(given, str) else f"known are: {expected}"
            return BadInput(f"'{key}' has a value that it cannot have", where=spot, remedy=remedy)
        case _:
            message = first["msg"].removeprefix("Value error, ")
            return BadInput(
                f"{_path(place)}: {message[:1].lower()}{message[1:]}", where=spot, remedy="check the value"
            )


def _path(place: Place) -> str:
    """Say where in the recipe: ``resources[0].schema``.

    >>> _path(("resources", 0, "schema"))
    'resources[0].schema'
    """
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.lstrip(".") or "the recipe"


def _keys_at(place: Place) -> list[str]:
    """List the keys that the recipe knows at a place."""
    model: type[BaseModel] = Recipe
    for step in place:
        if isinstance(step, int):
            continue
        for name, field in model.model_fields.items():
            if step in (name, field.alias):
                found = [a for a in (field.annotation, *get_args(field.annotation)) if _is_part(a)]
                if found:
                    model = found[0]
                break
    return [field.alias or name for name, field in model.model_fields.items()]


def _is_part(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)
