"""Which method publishes statistics of a network, for which promise, and how a recipe spells it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from sfumato.core.errors import BadInput
from sfumato.core.named import build
from sfumato.dp.exact import exact
from sfumato.graph.contract import Method
from sfumato.graph.methods import METHODS, DpCounts, DpDegreeHistogram, DpDegreeSequence
from sfumato.graph.models import DifferentialPrivacy
from sfumato.graph.utility import DegreeDistance
from sfumato.recipe.graph.statistics_price import NODE, neighbours_of

StatisticsMethod = DpCounts | DpDegreeHistogram | DpDegreeSequence
OF_STATISTICS = (DpDegreeSequence, DpDegreeHistogram, DpCounts)
_BY = {method.name: method for method in OF_STATISTICS}


def method_of(
    spec: str | Mapping[str, Any] | None, models: Sequence[DifferentialPrivacy], where: str = "method"
) -> StatisticsMethod:
    """Make a method from the spelling of recipes; what it does not say of neighbours the promises say.

    >>> people = DifferentialPrivacy(1, neighbours="node")
    >>> method_of({"dp-degree-histogram": {"theta": 20}}, (people,)).neighbours.value
    'node'
    """
    hiding_nodes = any(model.neighbours == NODE for model in models)
    if spec is None:
        if hiding_nodes:
            raise BadInput(
                "a method that hides people needs a bound of neighbours, and none is named",
                where=where,
                remedy="write 'method: {dp-degree-histogram: {theta: 30}}', with a bound that was chosen "
                "without looking at the data",
            )
        return DpDegreeSequence()
    if hiding_nodes:
        spec = _hiding_nodes(spec)
    found = build(METHODS, spec, "method", where)
    if not isinstance(found, OF_STATISTICS):
        raise BadInput(f"{found.name} makes no statistics", where=where, remedy=f"use {', '.join(_BY)}")
    return found


def _hiding_nodes(spec: str | Mapping[str, Any]) -> str | Mapping[str, Any]:
    spelt: Mapping[str, Any] = {spec: {}} if isinstance(spec, str) else spec
    if len(spelt) != 1:
        return spec
    ((name, given),) = spelt.items()
    kind = _BY.get(name)
    told = {} if given is None else given
    if kind is None or not isinstance(told, Mapping) or NODE not in _choices(kind):
        return spec
    return {name: {"neighbours": NODE, **told}}


def _choices(kind: type[Any]) -> tuple[str, ...]:
    return ("edge", NODE) if any(field.name == "neighbours" for field in fields(kind)) else ("edge",)


def refuse_not_kept(method: Method, models: Iterable[DifferentialPrivacy]) -> None:
    """Refuse a method that cannot keep one of the promises, and say what would."""
    for model in models:
        own = getattr(method, "epsilon", None)
        if own is not None and exact(own) > model.exact_epsilon:
            raise BadInput(
                f"{method.name} spends more than is promised",
                where="method",
                remedy="leave 'epsilon' out of the method: it spends what is promised",
            )
        if method.enforces(model.demand()):
            continue
        able = [kind.name for kind in OF_STATISTICS if model.neighbours in _choices(kind)]
        raise BadInput(
            f"{method.name} hides one {neighbours_of(method)}, and the promise is about one "
            f"{model.neighbours}",
            where="method",
            remedy=f"write 'neighbours: {model.neighbours}' in one of: {', '.join(able)}",
        )


def measured_by(method: Method) -> tuple[str, ...]:
    """Return the measures that say something about what a method publishes."""
    return () if isinstance(method, DpCounts) else (DegreeDistance.name,)
