"""Ways to say a value less precisely: read, built, inferred."""

from sfumato.hierarchy.apart import Apart
from sfumato.hierarchy.balanced import Balanced
from sfumato.hierarchy.cuts import Cuts
from sfumato.hierarchy.dates import Dates
from sfumato.hierarchy.flat import Flat
from sfumato.hierarchy.icd import Icd
from sfumato.hierarchy.infer import Infer, Inferred, infer
from sfumato.hierarchy.intervals import Intervals
from sfumato.hierarchy.ladder import ROOT, Hierarchy, Ladder, UncoveredValues
from sfumato.hierarchy.masking import Mask
from sfumato.hierarchy.others import RootForOthers
from sfumato.hierarchy.rows import ladder_csv, ladder_rows
from sfumato.hierarchy.spec import from_spec, to_spec
from sfumato.hierarchy.table import HierarchyTable
from sfumato.hierarchy.tree import Tree
from sfumato.hierarchy.validate import validate

__all__ = [
    "ROOT",
    "Apart",
    "Balanced",
    "Cuts",
    "Dates",
    "Flat",
    "Hierarchy",
    "HierarchyTable",
    "Icd",
    "Infer",
    "Inferred",
    "Intervals",
    "Ladder",
    "Mask",
    "RootForOthers",
    "Tree",
    "UncoveredValues",
    "from_spec",
    "infer",
    "ladder_csv",
    "ladder_rows",
    "to_spec",
    "validate",
]
