"""Numbers, codes and addresses of the net: all made up, with the forms that registers print."""

from __future__ import annotations

from collections.abc import Callable

from sfumato.text.kinds import Kind
from sfumato.text.training.lists import listed
from sfumato.text.training.people import Person, made_person, patient_of
from sfumato.text.training.scribe import Scribe

_PHONES = listed("telephones")
_LABELS = (
    "mrn",
    "accession",
    "account",
    "plan",
    "licence",
    "device",
    "vehicle",
    "card",
    "iban",
    "national",
    "other",
    "pager",
)
_IDS = {label: listed(f"id {label}") for label in _LABELS}
_HOSTS = listed("hosts")
_PATHS = listed("paths")
_ROLES = listed("offices")
_SSN = listed("social security numbers")


def write_phone(scribe: Scribe, form: str) -> None:
    """Write a number that can be dialled; the form is its label (``phone``, ``fax``, ``pager``)."""
    label = form or "phone"
    parts = {"a": scribe.digits("%##"), "b": scribe.digits("%##"), "c": scribe.digits("####")}
    scribe.mark(scribe.pick(_PHONES).format(**parts), Kind.PHONE, label)
    if label == "phone" and scribe.chance(0.06):
        scribe.say(scribe.pick((" x", " ext. ", " ext ", " extension ")))
        scribe.mark(scribe.digits("%###"), Kind.PHONE, label)


def write_id(scribe: Scribe, form: str) -> None:
    """Write a number or code with the label ``form``; the record number stays the same in a note."""
    label = form or "other"

    def make(scribe: Scribe) -> str:
        if label != "pager" and scribe.chance(0.25):
            return _some_code(scribe)
        return scribe.digits(scribe.pick(_IDS[label]))

    scribe.mark(scribe.recall("mrn", make) if label == "mrn" else make(scribe), Kind.ID, label)


def _some_code(scribe: Scribe) -> str:
    """Make up a code of a form that stands in no list: letters first, if any, then digits in groups."""
    letters = "$" * scribe.pick((0, 0, 1, 2, 3))
    groups = ["#" * scribe.between(2, 6) for _ in range(scribe.pick((1, 1, 2, 3)))]
    joint = scribe.pick(("-", "-", "", "/", "."))
    ending = scribe.pick(("", "", "", "$"))
    return scribe.digits(
        letters + scribe.pick(("", "", "-")) * bool(letters) + joint.join(groups) + "##" + ending
    )


def write_ssn(scribe: Scribe, form: str) -> None:
    """Write a social security number."""
    scribe.mark(scribe.digits(scribe.pick(_SSN)), Kind.SSN, "")


def _plain(name: str) -> str:
    return "".join([sign for sign in name.lower() if sign.isascii() and sign.isalnum()]) or "user"


def write_email(scribe: Scribe, form: str) -> None:
    """Write an e-mail address: of the patient, of somebody (``staff``), of an office (``office``)."""
    if form == "office":
        local = scribe.pick(_ROLES)
    else:
        person: Person = patient_of(scribe) if form != "staff" else made_person(scribe, "doctor")
        given, family = _plain(person.given), _plain(person.family)
        local = scribe.pick(
            ("{0}.{1}", "{2}{1}", "{0}{1}", "{0}_{1}{3}", "{0}{3}", "{1}.{0}", "{2}.{1}", "{1}{3}")
        ).format(given, family, given[0], scribe.between(1, 1999))
    scribe.mark(f"{local}@{scribe.pick(_HOSTS)}", Kind.EMAIL, "")


def write_url(scribe: Scribe, form: str) -> None:
    """Write the address of a page."""
    user = _plain(patient_of(scribe).given) + _plain(patient_of(scribe).family)
    path = scribe.pick(_PATHS).format(n=scribe.digits("%#####"), u=user)
    opening = scribe.pick(
        ("https://", "http://", "https://www.", "www.", "http://www.", "portal.", "https://mychart.")
    )
    scribe.mark(opening + scribe.pick(_HOSTS) + path.rstrip("/") + ("/" if path == "/" else ""), Kind.URL, "")


def write_ip(scribe: Scribe, form: str) -> None:
    """Write the address of a machine."""
    draw = scribe.random()
    if form == "mac" or draw < 0.12:
        text = scribe.pick((":", ":", "-")).join([f"{scribe.between(0, 255):02X}" for _ in range(6)])
    elif draw < 0.24:
        text = ":".join([f"{scribe.between(0, 65535):x}" for _ in range(8)])
    elif draw < 0.3:
        text = f"2001:db8:{scribe.between(0, 65535):x}::{scribe.between(1, 65535):x}"
    else:
        text = ".".join([str(scribe.between(1, 254)) for _ in range(4)])
    scribe.mark(text, Kind.IP, "")


NUMBERS: dict[str, Callable[[Scribe, str], None]] = {
    "phone": write_phone,
    "id": write_id,
    "ssn": write_ssn,
    "email": write_email,
    "url": write_url,
    "ip": write_ip,
}
