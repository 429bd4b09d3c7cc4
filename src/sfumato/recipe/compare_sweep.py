"""What a comparison tries: methods × parameters of the models, each one a job of its own."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError

from sfumato.core.errors import BadInput, SfumatoError, nearest
from sfumato.core.evidence import Parameter
from sfumato.core.named import build, parameters_of, spell
from sfumato.recipe.job import Job
from sfumato.recipe.model import DEFAULT_METHOD
from sfumato.table.methods import METHODS
from sfumato.table.protect import Method, PrivacyModel

USUAL_K = (2, 3, 5, 10, 20, 50)
"""the values of k that are tried when nobody says which"""
Named = str | Mapping[str, Any]
Plain = dict[str, int | float | str]


@dataclass(frozen=True)
class Configuration:
    """One job of a sweep, its name, and the parameters by which it differs from the others."""

    name: str
    job: Job
    parameters: Plain

    @property
    def models(self) -> list[dict[str, dict[str, Parameter]]]:
        """The models as recipes spell them."""
        return [spell(model) for model in self.job.models]


def sweep(
    job: Job, methods: Sequence[Method | Named] = (), vary: Mapping[str, Sequence[Any]] | None = None
) -> list[Configuration]:
    """Return every combination of the methods with the values of the models' parameters.

    Without ``methods`` every registered method is tried (the job's own as it is set there); without
    ``vary`` the usual values of k, where a model has a k.
    """
    chosen = _distinct(methods_of(methods) if methods else _every_method(job.method))
    if vary is None or not vary:
        vary = {"k": USUAL_K} if any(_has(model, "k") for model in job.models) else {}
    names = _told_apart(chosen)
    found = []
    for (method, spelt), values in itertools.product(
        zip(chosen, names, strict=True), itertools.product(*(_several(key, vary[key]) for key in vary))
    ):
        models = job.models
        for key, value in zip(vary, values, strict=True):
            models = _varied(models, key, value)
        varied: Plain = dict(zip(vary, map(_plain, values), strict=True))
        words = [spelt, *(f"{key} {value}" for key, value in varied.items())]
        found.append(Configuration(", ".join(words), replace(job, models=models, method=method), {**varied}))
    return found


def methods_of(given: Iterable[Method | Named]) -> list[Method]:
    """Make methods from names and parameters; a list as a value stands for one method with each of it."""
    found: list[Method] = []
    for number, spec in enumerate(given):
        if not isinstance(spec, str | Mapping):
            if isinstance(spec, type) or not hasattr(spec, "search"):
                raise BadInput(f"a method is a {type(spec).__name__}", remedy=nearest("", METHODS))
            found.append(spec)
            continue
        where = f"methods[{number}]"
        for spelt in _spelt_out(spec):
            found.append(build(METHODS, spelt, "method", where))
    return found


def _spelt_out(spec: Named) -> list[Named]:
    if isinstance(spec, str) or len(spec) != 1:
        return [spec]
    ((name, given),) = spec.items()
    if name not in METHODS or not isinstance(given, Mapping):
        return [spec]
    hints = get_type_hints(METHODS[name])
    keys = list(given)
    choices = []
    for key in keys:
        kind = hints.get(str(key).replace("-", "_"))
        takes_a_list = get_origin(kind) in (list, tuple, Sequence)
        several = isinstance(given[key], list) and not takes_a_list
        choices.append(_several(str(key), given[key]) if several else [given[key]])
    return [{name: dict(zip(keys, values, strict=True))} for values in itertools.product(*choices)]


def _every_method(own: Method) -> list[Method]:
    """Return the job's own method and all others that need no parameter."""
    found = [own]
    for name in METHODS:
        if name == own.name:
            continue
        try:
            found.append(build(METHODS, DEFAULT_METHOD if name in DEFAULT_METHOD else name, "method"))
        except SfumatoError:
            # A method with a parameter that only the user can give is tried when it is named.
            continue
    return found


def _distinct(methods: Iterable[Method]) -> list[Method]:
    return list({repr(method): method for method in methods}.values())


def _told_apart(methods: Sequence[Method]) -> list[str]:
    """Name methods; those of one kind by the parameters in which they differ."""
    names = []
    for method in methods:
        alike = [parameters_of(other) for other in methods if other.name == method.name]
        mine = parameters_of(method)
        differing = [
            key for key in mine if any(other.get(key) != mine[key] for other in alike) and len(alike) > 1
        ]
        shown = ", ".join(f"{key} {mine[key]}" for key in differing)
        names.append(f"{method.name} ({shown})" if shown else method.name)
    return names


def _several(key: str, values: Any) -> list[Any]:
    if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
        values = [values]
    listed = list(values)
    if not listed:
        raise BadInput(f"no value was given for '{key}'", where="compare", remedy=f"write {key}: [2, 5, 10]")
    return listed


def _has(model: PrivacyModel, parameter: str) -> bool:
    return parameter in _parameters(model)


def _parameters(model: Any) -> list[str]:
    return [field.name for field in dataclasses.fields(model)] if dataclasses.is_dataclass(model) else []


def _varied(models: tuple[PrivacyModel, ...], key: str, value: Any) -> tuple[PrivacyModel, ...]:
    """Give a parameter a value in every model that has it, or in the model that ``model.parameter`` names."""
    owner, _, parameter = key.rpartition(".")
    parameter = parameter.replace("-", "_")
    meant = [m for m in models if _has(m, parameter) and owner in ("", m.name)]
    if not meant:
        known = {name for model in models for name in _parameters(model)}
        raise BadInput(
            f"no model of the recipe has a parameter '{key}'", where="compare", remedy=nearest(key, known)
        )
    return tuple(_with(model, parameter, value) if model in meant else model for model in models)


def _with(model: Any, parameter: str, value: Any) -> Any:
    kind = get_type_hints(type(model))[parameter]
    try:
        if isinstance(value, bool) and kind in (int, float):
            raise ValueError
        checked = TypeAdapter(kind).validate_python(value)
    except (ValidationError, ValueError):
        raise BadInput(
            f"a value of '{parameter}' of {model.name} is not of its type",
            where="compare",
            remedy="check the values",
        ) from None
    try:
        return replace(model, **{parameter: checked})
    except SfumatoError as problem:
        problem.where = problem.where or "compare"
        raise


def _plain(value: Any) -> int | float | str:
    return value if isinstance(value, int | float | str) else str(value)
