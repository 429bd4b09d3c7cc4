"""How exposed people are by what stays in texts."""

from sfumato.text.risk.exposure import TextRisk, exposure
from sfumato.text.risk.residual import Expected, ResidualRisk, residual_risk

__all__ = ["Expected", "ResidualRisk", "TextRisk", "exposure", "residual_risk"]
