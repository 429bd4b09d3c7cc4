"""What a network has lost, and how exposed people are by it, before and after: for the steward alone."""

from __future__ import annotations

from sfumato.core import evidence as ev
from sfumato.core.describe import measure_told
from sfumato.core.errors import BadInput, MissingPart
from sfumato.core.evidence_graph import Curve
from sfumato.core.progress import SILENT, Progress, Within
from sfumato.graph.canonical import degree_classes, vertex_refinement
from sfumato.graph.network import Network
from sfumato.graph.risk import exposure
from sfumato.graph.utility import MEASURES, GraphMeasure
from sfumato.recipe.graph.network_outcome import NetworkOutcome
from sfumato.recipe.graph.network_shown import candidate_curve, degree_curve

USUAL = ("edges-changed", "degree-distance", "clustering", "possible-worlds")
"""measures of every release, where they apply"""
LONGER = ("path-lengths",)
MOST_WALKED = 1_000_000
"""edges up to which paths are walked unasked"""
LONG = ("betweenness-ranks", "communities", "spectral-gap")
"""measures of small networks: they take longer"""
MOST_EDGES = 50_000
"""edges up to which these are taken unasked"""
MOST_LOOKED_AT = 20_000
"""nodes up to which neighbourhoods are compared unasked"""
BEFORE, AFTER = "before", "after"


def measured_for(outcome: NetworkOutcome, progress: Progress = SILENT) -> list[ev.MeasureEvidence]:
    """Carry out the usual measures and those that a job asks for; a usual one that does not apply is left
    out, one that was asked for is refused."""
    asked = {measure.name: measure for measure in outcome.job.measures}
    original = outcome.read.network
    names = (
        *USUAL,
        *(LONGER if original.edges <= MOST_WALKED else ()),
        *(LONG if original.edges <= MOST_EDGES else ()),
    )
    usual: dict[str, GraphMeasure] = {name: MEASURES[name]() for name in names if name in MEASURES}
    found = []
    measures = {**usual, **asked}
    for done, (name, measure) in enumerate(measures.items()):
        progress.update(done / len(measures), name)
        try:
            value = measure.of(original, outcome.published)
        except MissingPart:
            if name in asked:
                raise
            continue
        if value is None:
            if name in asked:
                raise BadInput(
                    "the measure says nothing about what is released",
                    where=f"measures, {name}",
                    remedy="leave it out",
                )
            continue
        found.append(measure_told(measure, value))
    return found


def exposed(
    outcome: NetworkOutcome, progress: Progress = SILENT
) -> tuple[list[ev.RiskFigure], list[ev.RiskFigure], list[str]]:
    """Measure the network as it was read and as it is released; say what holds for all of it."""
    original, published = outcome.read.network, outcome.published
    if original.nodes < 2:
        return [], [], ["exposure is not measured in a network of one node"]
    look = None if original.nodes <= MOST_LOOKED_AT else False
    before = exposure(original, neighbourhood=look, progress=Within(progress))
    said = list(before.said)
    after: list[ev.RiskFigure] = []
    if isinstance(published, Network):
        found = exposure(published, neighbourhood=look, progress=Within(progress))
        after = found.figures()
        said += found.said
    else:
        said.append(
            "nodes are not released, so that nobody is found by edges beyond their group; how large groups "
            "are is told above"
        )
    if outcome.people is not None and isinstance(published, Network):
        from sfumato.recipe.graph.people_release import joint_risk

        after += joint_risk(outcome.people, published.degrees())
    return before.figures(), after, list(dict.fromkeys(said))


def curves_of(outcome: NetworkOutcome) -> tuple[list[Curve], list[Curve]]:
    """Return the degrees before and after, and how many candidates people have, as lines of plots."""
    original, published = outcome.read.network, outcome.published
    sides = [(BEFORE, original)]
    candidates = []
    if isinstance(published, Network):
        sides.append((AFTER, published))
    for when, network in sides:
        candidates.append(candidate_curve(degree_classes(network), f"degree, {when}"))
        candidates.append(candidate_curve(vertex_refinement(network, 2), f"degrees of neighbours, {when}"))
    if not isinstance(published, Network):
        candidates.append(candidate_curve(outcome.node, f"group, {AFTER}"))
    return [degree_curve(network, when) for when, network in sides], candidates
