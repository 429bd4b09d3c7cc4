"""Who looks like whom: canonical forms, neighbourhoods, vertex refinement. Exact: no hash decides."""

from sfumato.graph.canonical.bliss import canonical_numbers, igraph
from sfumato.graph.canonical.components import Components, connected_components
from sfumato.graph.canonical.form import form
from sfumato.graph.canonical.neighbourhoods import Neighbourhoods, neighbourhood_forms, neighbourhoods
from sfumato.graph.canonical.refine import degree_classes, in_order, vertex_refinement
from sfumato.graph.canonical.together import together

__all__ = [
    "Components",
    "Neighbourhoods",
    "canonical_numbers",
    "connected_components",
    "degree_classes",
    "form",
    "igraph",
    "in_order",
    "neighbourhood_forms",
    "neighbourhoods",
    "together",
    "vertex_refinement",
]
