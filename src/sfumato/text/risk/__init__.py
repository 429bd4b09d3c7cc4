"""How exposed people are by what stays in texts."""

from sfumato.text.risk.residual import Expected, ResidualRisk, residual_risk

__all__ = ["Expected", "ResidualRisk", "residual_risk"]
