"""The measures of exposure by a network as figures of the steward's evidence: numbers alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.core.evidence import RiskFigure
from sfumato.core.verdict import Threat

if TYPE_CHECKING:
    from sfumato.graph.risk.exposure import Exposure

_KNOWN = {
    "degree": "how many neighbours they have",
    "H2": "how many neighbours each of their neighbours has",
    "H3": "the numbers of neighbours of those two steps away",
    "H*": "how many neighbours everybody around them has, however far",
    "neighbourhood": "who of their neighbours is connected",
    "degree and label": "their label and how many neighbours they have",
    "H2 and labels": "labels and numbers of neighbours of their neighbours",
    "neighbourhood and labels": "who of their neighbours is connected, and the labels of these",
}


def figures_of(risk: Exposure) -> list[RiskFigure]:
    """Return for each knowledge how many are unique, how many have few candidates, and whom a guess finds."""
    found = []
    for one in risk.by:
        name = _plain(one.knowledge).replace("_", "-")
        who = f"who knows {_KNOWN[one.knowledge]}"
        found += [
            _identity(
                f"{name}-unique",
                f"{one.knowledge}, unique",
                one.unique / one.nodes,
                f"people of whom somebody {who} finds one node",
            ),
            *(
                _identity(
                    f"{name}-below-{k}",
                    f"{one.knowledge}, fewer than {k}",
                    count / one.nodes,
                    f"people of whom somebody {who} finds fewer than {k} nodes",
                )
                for k, count in one.below.items()
                if k > 2
            ),
            _identity(
                f"{name}-found",
                f"{one.knowledge}, found by a guess",
                one.expected,
                f"people whom somebody {who} finds by a guess among the nodes that fit",
                f"a blind guess finds 1 of {one.nodes:,}",
            ),
        ]
    if not any(one.knowledge == "neighbourhood" for one in risk.by):
        why = "; ".join(risk.said)
        found.append(_identity("neighbourhood-unique", "neighbourhood, unique", None, "not looked at", why))
    return found


def numbers_of(risk: Exposure) -> dict[str, int | float]:
    """Return every figure by a plain name."""
    found: dict[str, int | float] = {
        "nodes": risk.nodes,
        "edges": risk.edges,
        "isolated": risk.isolated,
        "hubs": risk.hubs.nodes,
        "hubs_unique": risk.hubs.unique,
    }
    for one in risk.by:
        name = _plain(one.knowledge)
        found |= {
            f"{name}_classes": one.classes,
            f"{name}_unique": one.unique,
            f"{name}_smallest": one.smallest,
            f"{name}_found": one.expected,
        }
        found |= {f"{name}_below_{k}": count for k, count in one.below.items()}
    return found


def _plain(knowledge: str) -> str:
    return knowledge.lower().replace("*", "_all").replace(" ", "_")


def _identity(name: str, title: str, value: float | None, meaning: str, said: str = "") -> RiskFigure:
    return RiskFigure(
        name=name, title=title, threat=Threat.IDENTITY.value, value=value, meaning=meaning, said=said
    )
