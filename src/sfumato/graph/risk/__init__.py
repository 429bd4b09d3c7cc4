"""How exposed people are by their place in a network."""

from sfumato.graph.risk.candidates import CandidateSets
from sfumato.graph.risk.exposure import Exposure, Hubs, exposure

__all__ = ["CandidateSets", "Exposure", "Hubs", "exposure"]
