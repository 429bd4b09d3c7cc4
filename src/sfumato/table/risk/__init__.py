"""How exposed a table is, measured on the sizes of its classes."""

from sfumato.table.risk.class_sizes import Bin, ClassSizes
from sfumato.table.risk.prosecutor import ProsecutorRisk
from sfumato.table.risk.uniques import Uniques

__all__ = ["Bin", "ClassSizes", "ProsecutorRisk", "Uniques"]
