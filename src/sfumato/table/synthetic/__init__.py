"""Synthetic tables: records of nobody, drawn from what was learned of the real ones."""

from sfumato.table.synthetic.cart import SequentialTrees
from sfumato.table.synthetic.contract import Fitted, Synthesiser
from sfumato.table.synthetic.marginals import Marginals

__all__ = ["Fitted", "Marginals", "SequentialTrees", "Synthesiser"]
