"""Methods: how to change a table so that a promise holds at the least loss."""

from typing import Any

from sfumato.table.methods.clustering import BottomUp, KMember, TopDown
from sfumato.table.methods.datafly import Datafly
from sfumato.table.methods.hilbert import Hilbert
from sfumato.table.methods.incognito import Incognito
from sfumato.table.methods.keep import Keep
from sfumato.table.methods.local_recoding import LocalRecoding
from sfumato.table.methods.local_suppression import LocalSuppression
from sfumato.table.methods.mondrian import Mondrian
from sfumato.table.methods.optimal_lattice import OptimalLattice
from sfumato.table.methods.safepub import SafePub
from sfumato.table.methods.suppression import AttributeSuppression
from sfumato.table.methods.workload_mondrian import WorkloadMondrian

METHODS: dict[str, type[Any]] = {
    method.name: method
    for method in (
        OptimalLattice,
        Mondrian,
        LocalRecoding,
        LocalSuppression,
        AttributeSuppression,
        Datafly,
        Incognito,
        Keep,
        SafePub,
        BottomUp,
        TopDown,
        KMember,
        Hilbert,
        WorkloadMondrian,
    )
}
"""every method by the name that recipes use"""

__all__ = [
    "METHODS",
    "AttributeSuppression",
    "BottomUp",
    "Datafly",
    "Hilbert",
    "Incognito",
    "KMember",
    "Keep",
    "LocalRecoding",
    "LocalSuppression",
    "Mondrian",
    "OptimalLattice",
    "SafePub",
    "TopDown",
    "WorkloadMondrian",
]
