"""Several kinds of data about the same people: attack chains."""

from sfumato.record.chain import Chain, Step, Truth
from sfumato.record.result import ChainResult, StepResult
from sfumato.record.spec import chain, chain_of

__all__ = ["Chain", "ChainResult", "Step", "StepResult", "Truth", "chain", "chain_of"]
