"""How a chain is spelt in YAML, and read.

::

    steps:
      - file: voters.csv                     # the first file says who the people are
        learn: [name, birth_date, sex, zip]
      - file: summaries.csv
        on: [birth_date, sex, zip]           # or {born: birth_date, sex: sex}: column, then known fact
        learn: [code]                        # or {code: icd}: new fact, then column
        record: patient                      # rows with the same value are one record
        hierarchies: {zip: {mask: {keep: 3}}}
        match: contains                      # contains, within or whole: how sets are compared
    truth: {file: key.csv, fact: patient_id, person: [name, birth_date]}
    inside: false                            # whether everybody of the first file is in the others
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.system import system_problem
from sfumato.hierarchy import from_spec
from sfumato.record.chain import Chain, Step, Truth
from sfumato.record.chains import run_chain
from sfumato.record.result import ChainResult
from sfumato.record.sets import Match

_CHAIN = ("steps", "truth", "inside")
_STEP = ("file", "on", "learn", "record", "hierarchies", "match")
_TRUTH = ("file", "fact", "person")
_BOOLEAN = "tag:yaml.org,2002:bool"


class _Yaml(yaml.SafeLoader):
    """YAML in which ``on`` is a word, as since version 1.2: only true and false are truth values."""


_Yaml.yaml_implicit_resolvers = {
    letter: [(tag, pattern) for tag, pattern in resolvers if tag != _BOOLEAN]
    for letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Yaml.add_implicit_resolver(_BOOLEAN, re.compile("true|false"), ["t", "f"])


def chain(
    spec: Chain | Mapping[str, Any] | str | Path,
    *,
    folder: str | Path | None = None,
    victims: bool = False,
    progress: Progress = SILENT,
) -> ChainResult:
    """Carry a chain of files out: what does somebody learn who joins them one after the other?

    Args:
        spec: a ``Chain``, its spelling as a mapping (files may be frames there), or the path of a YAML file
        folder: where relative paths begin; the folder of the YAML file if not given
        victims: also say which rows of the first file were hit
        progress: told what is being done

    >>> import pandas as pd
    >>> known = {"file": pd.DataFrame({"name": ["Ann", "Ben"], "zip": [1, 2]}), "learn": ["name", "zip"]}
    >>> study = pd.DataFrame({"zip": [1, 2], "code": ["B20", "A09"]})
    >>> codes = {"file": study, "on": ["zip"], "learn": ["code"]}
    >>> chain({"steps": [known, codes], "inside": True}).identity.success
    1.0
    """
    if isinstance(spec, Chain):
        return run_chain(spec, victims=victims, progress=progress)
    if isinstance(spec, str | Path):
        path = Path(spec)
        spec, folder = load_chain(path), folder or path.parent
    return run_chain(chain_of(spec, Path(folder or ".")), victims=victims, progress=progress)


def load_chain(path: Path) -> Mapping[str, Any]:
    """Read the YAML of a chain."""
    try:
        data = yaml.load(path.read_text(encoding="utf-8"), Loader=_Yaml)
    except OSError as problem:
        raise system_problem(problem, "there is no such file to read", where=str(path)) from None
    except UnicodeDecodeError:
        raise BadInput("the file is not text in UTF-8", where=str(path), remedy="check the file") from None
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise BadInput(
            "this is not YAML", where=f"{path}{line}", remedy="check indentation, colons and quotes"
        ) from None
    if not isinstance(data, dict):
        raise BadInput("this is no chain: it has no keys", where=str(path), remedy="begin with 'steps:'")
    return data


def chain_of(spec: Mapping[str, Any], folder: Path) -> Chain:
    """Make a chain from its spelling; files are looked for from ``folder``."""
    _check_keys(spec, _CHAIN, ("steps",), "chain")
    steps = spec["steps"]
    if not isinstance(steps, list) or not all(isinstance(step, Mapping) for step in steps):
        raise BadInput("'steps' must be a list of files", where="chain", remedy="write '- file: voters.csv'")
    inside = spec.get("inside", False)
    if not isinstance(inside, bool):
        raise BadInput("'inside' is neither true nor false", where="chain", remedy="write one of them")
    truth = spec.get("truth")
    return Chain(
        tuple(_step(step, number, folder) for number, step in enumerate(steps, 1)),
        None if truth is None else _truth(truth, folder),
        inside,
    )


def _step(spec: Mapping[str, Any], number: int, folder: Path) -> Step:
    where = f"step {number}"
    _check_keys(spec, _STEP, ("file",), where)
    hierarchies = spec.get("hierarchies") or {}
    if not isinstance(hierarchies, Mapping):
        raise BadInput(
            "'hierarchies' must lead from columns to hierarchies", where=where, remedy="write 'zip: mask'"
        )
    record = spec.get("record")
    if record is not None and not isinstance(record, str):
        raise BadInput("'record' must be the name of a column", where=where, remedy="write one name")
    return Step(
        _file(spec["file"], folder),
        _names(spec.get("learn"), where, "learn"),
        _names(spec.get("on"), where, "on"),
        record,
        {
            column: given if hasattr(given, "ladder") else from_spec(given, folder)
            for column, given in hierarchies.items()
        },
        _match(spec.get("match"), where),
    )


def _match(given: Any, where: str) -> str | None:
    if given is not None and given not in tuple(Match):
        raise BadInput(
            "'match' must say how sets are compared", where=where, remedy=f"write one of {', '.join(Match)}"
        )
    return None if given is None else str(given)


def _truth(spec: Any, folder: Path) -> Truth:
    if not isinstance(spec, Mapping):
        raise BadInput("it must name a file", where="truth", remedy="write 'file:', 'fact:' and 'person:'")
    _check_keys(spec, _TRUTH, _TRUTH, "truth")
    return Truth(_file(spec["file"], folder), str(spec["fact"]), _names(spec["person"], "truth", "person"))


def _file(given: Any, folder: Path) -> Any:
    """Take a frame or a source as it is; paths begin in the folder."""
    return folder / given if isinstance(given, str | Path) else given


def _names(given: Any, where: str, key: str) -> dict[str, str]:
    """Read names, or names that lead to others."""
    if given is None:
        return {}
    if isinstance(given, str):
        return {given: given}
    if isinstance(given, list | tuple) and all(isinstance(name, str) for name in given):
        return {name: name for name in given}
    if isinstance(given, Mapping) and all(isinstance(side, str) for pair in given.items() for side in pair):
        return dict(given)
    raise BadInput(
        f"'{key}' must be names of columns",
        where=where,
        remedy="write a list such as [sex, zip], or {one: other} where the names differ",
    )


def _check_keys(spec: Mapping[str, Any], known: tuple[str, ...], needed: tuple[str, ...], where: str) -> None:
    for key in spec:
        if key not in known:
            raise BadInput(f"'{key}' is not a key of it", where=where, remedy=nearest(str(key), known))
    for key in needed:
        if key not in spec:
            raise BadInput(f"the key '{key}' is missing", where=where, remedy="add it")
