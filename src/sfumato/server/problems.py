"""What can go wrong at the door: each problem has one class, one HTTP status and one code.

A reply about a problem is ``{what, where, remedy, code}``. The client turns the code back into the class.
Whether a problem arises is decided by the request, metadata and the ledger; never by the data.
"""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.core.errors import BadInput, MissingPart, PromiseNotMet, SfumatoError, SystemFault
from sfumato.query.ledger.contract import BudgetGone, LedgerUnavailable, Suspended

RETRY_AFTER = 1
"""seconds; always the same, so that it tells nothing"""


class NotKnown(SfumatoError):
    """Who is asking could not be established."""


class NotAllowed(SfumatoError):
    """The role may not do this."""

    exit_code = 1


class NotThere(SfumatoError):
    """There is no such thing here."""


class TooLong(SfumatoError):
    """The body is longer than the service reads."""


class Busy(SfumatoError):
    """More is waiting than the service takes on; nothing was charged."""

    exit_code = 1


class TooMany(SfumatoError):
    """As many questions as a day has; nothing was charged."""

    exit_code = 1


class ServiceFailed(SfumatoError):
    """Something went wrong that should not; the reply says no more than that."""


@dataclass(frozen=True)
class Kind:
    """How a class of problems is told."""

    status: int
    code: str


KINDS: dict[type[SfumatoError], Kind] = {
    BadInput: Kind(400, "bad-input"),
    PromiseNotMet: Kind(400, "promise-not-met"),
    NotKnown: Kind(401, "not-known"),
    BudgetGone: Kind(402, "budget-gone"),
    NotAllowed: Kind(403, "not-allowed"),
    Suspended: Kind(403, "suspended"),
    NotThere: Kind(404, "not-there"),
    TooLong: Kind(413, "too-long"),
    TooMany: Kind(429, "too-many"),
    ServiceFailed: Kind(500, "service-failed"),
    MissingPart: Kind(501, "missing-part"),
    Busy: Kind(503, "busy"),
    LedgerUnavailable: Kind(503, "ledger-unavailable"),
}
CLASSES = {kind.code: cls for cls, kind in KINDS.items()}


def failed() -> ServiceFailed:
    """Return the only sentence that is said of failures of ours."""
    return ServiceFailed(
        "something went wrong that should not",
        remedy="ask the owner of the service; repeating a question never costs twice",
    )


def closing() -> Busy:
    """Return what those are told who come, or still wait, when the service ends."""
    return Busy("the service is closing", remedy="come again in a moment; repeating never costs twice")


def kind_of(problem: SfumatoError) -> Kind:
    """Return how a problem is told: that of its nearest class.

    >>> kind_of(BudgetGone("the budget does not reach")).status
    402
    """
    if isinstance(problem, SystemFault):
        return KINDS[ServiceFailed]
    return next((KINDS[cls] for cls in type(problem).__mro__ if cls in KINDS), KINDS[BadInput])


def told(problem: SfumatoError) -> dict[str, str]:
    """Return what is sent: nothing of files, disk and memory of the service, nor of entries of its ledger."""
    if isinstance(problem, SystemFault):
        problem = failed()
    elif isinstance(problem, LedgerUnavailable) and set(problem.where) & set("/\\"):
        problem = LedgerUnavailable(
            "the ledger cannot be used", where="ledger", remedy="ask the owner, whose log has more"
        )
    return {
        "what": problem.what,
        "where": problem.where,
        "remedy": problem.remedy,
        "code": kind_of(problem).code,
    }


def understood(reply: dict[str, object], status: int) -> SfumatoError:
    """Return the problem that a reply tells.

    >>> understood({"what": "the budget does not reach", "code": "budget-gone"}, 402)
    BudgetGone('the budget does not reach')
    """
    cls = CLASSES.get(str(reply.get("code")), SfumatoError)
    what = str(reply.get("what") or f"the service answered with status {status}")
    return cls(what, where=str(reply.get("where") or ""), remedy=str(reply.get("remedy") or ""))
