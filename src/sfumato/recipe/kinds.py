"""Guessing what a column holds in the words of a policy (``kind``), from its name and from its values.

For people to look at. Where nothing is known, a column that is released is called ``other``, and its values
are looked over when the recipe runs; one that is left out is called ``other-id``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sfumato.core.schema import Role
from sfumato.recipe import detectors
from sfumato.recipe.identifier_forms import FORMS, form_of
from sfumato.recipe.vocabulary import topic_of

_KIND_OF_TOPIC = {
    "person": "other-id",
    "name of a person": "name",
    "postal address": "street",
    "official number": "other-id",
    "record number": "medical-record-number",
    "free text": "free-text",
    "date of birth": "birth-date",
    "age": "age",
    "postcode": "zip",
    "place": "city",
    "date of an event": "date",
    "survey weight": "other",
    "race or ethnic group": "other",
    "nationality or language": "other",
    "family": "other",
    "sex": "other",
    "education": "other",
    "work": "other",
    "body": "other",
    "health": "other",
    "money": "other",
    "belief or private life": "other",
}
_KIND_OF_WORD = {
    "mrn": "medical-record-number",
    "medicalrecord": "medical-record-number",
    "mail": "email",
    "correo": "email",
    "courriel": "email",
    "fax": "fax",
    "phone": "phone",
    "mobile": "phone",
    "telefon": "phone",
    "ssn": "ssn",
    "social": "ssn",
    "plate": "vehicle-id",
    "vehicle": "vehicle-id",
    "vin": "vehicle-id",
    "kennzeichen": "vehicle-id",
    "matricula": "vehicle-id",
    "immatriculation": "vehicle-id",
    "licenseplate": "vehicle-id",
    "driver": "licence-number",
    "drivinglicence": "licence-number",
    "licence": "licence-number",
    "license": "licence-number",
    "certificate": "licence-number",
    "dea": "licence-number",
    "npi": "licence-number",
    "plan": "health-plan-number",
    "beneficiary": "health-plan-number",
    "member": "health-plan-number",
    "subscriber": "health-plan-number",
    "insurance": "health-plan-number",
    "krankenkasse": "health-plan-number",
    "versicherten": "health-plan-number",
    "policy": "health-plan-number",
    "medicare": "health-plan-number",
    "medicaid": "health-plan-number",
    "mbi": "health-plan-number",
    "hicn": "health-plan-number",
    "device": "device-id",
    "serial": "device-id",
    "implant": "device-id",
    "pacemaker": "device-id",
    "imei": "device-id",
    "udi": "device-id",
    "macaddress": "device-id",
    "account": "account-number",
    "acct": "account-number",
    "konto": "account-number",
    "iban": "account-number",
    "card": "account-number",
    "ccn": "account-number",
    "url": "url",
    "website": "url",
    "homepage": "url",
    "webpage": "url",
    "ipaddress": "ip-address",
    "ipv": "ip-address",
    "hostname": "ip-address",
    "fingerprint": "biometric",
    "voiceprint": "biometric",
    "retina": "biometric",
    "iris": "biometric",
    "biometric": "biometric",
    "faceprint": "biometric",
    "palmprint": "biometric",
    "photo": "image",
    "picture": "image",
    "image": "image",
    "portrait": "image",
    "selfie": "image",
    "foto": "image",
    "bild": "image",
    "latitude": "geocode",
    "longitude": "geocode",
    "coordinates": "geocode",
    "gps": "geocode",
    "county": "county",
    "landkreis": "county",
    "district": "county",
    "country": "country",
    "nativecountry": "country",
    "pais": "country",
    "pays": "country",
    "state": "state",
    "bundesland": "state",
    "province": "state",
    "city": "city",
    "town": "city",
    "admission": "admission-date",
    "discharge": "discharge-date",
    "death": "death-date",
}
"""words that say more than the topic; looked for in this order"""
_CONTACT = ("mail", "correo", "courriel", "fax", "phone", "mobile", "telefon")
_LARGE = ("county", "landkreis", "district", "country", "pais", "pays", "state", "bundesland", "city", "town")
_WORDS_OF = {
    "person": ("mrn", "medicalrecord", "member", "beneficiary", "versicherten"),
    "contact": _CONTACT,
    "official number": tuple(
        word for word in _KIND_OF_WORD if word not in (*_CONTACT, *_LARGE, "admission", "discharge", "death")
    ),
    "postal address": ("latitude", "longitude", "coordinates", "gps"),
    "place": (*_LARGE, "province", "nativecountry"),
    "date of an event": ("admission", "discharge", "death"),
}
_MOST = 0.5
"""from this share on, values say what a column holds"""


def kind_of(column: str) -> str | None:
    """Return what a column is likely to hold, or None when its name does not say.

    >>> [kind_of(name) for name in ("surname", "e_mail", "dateOfBirth", "ZIP", "admission_date", "colour")]
    ['name', 'email', 'birth-date', 'zip', 'admission-date', None]
    >>> [kind_of(name) for name in ("plan_number", "plate", "device_serial", "account_no", "photo")]
    ['health-plan-number', 'vehicle-id', 'device-id', 'account-number', 'image']
    """
    match = topic_of(column)
    if match is None:
        return None
    name, plain = match.topic.name, column.lower().replace("_", "").replace("-", "").replace(" ", "")
    telling = next((word for word in _WORDS_OF.get(name, ()) if word in plain), None)
    if telling is None and plain == "ip":
        return "ip-address"
    return _KIND_OF_WORD[telling] if telling else _KIND_OF_TOPIC.get(name)


def kind_for(column: str, sample: Sequence[str], role: Role, reason: str = "") -> str:
    """Return the kind to propose for a column with its role: by its values, by its name, or by its role.

    >>> kind_for("x", ["ada@x.org"], Role.IDENTIFIER), kind_for("x", ["1", "2"], Role.QUASI_IDENTIFIER)
    ('email', 'other')
    """
    named, values = kind_of(column), [value.strip() for value in sample if value.strip()]
    forms = Counter(form.kind for value in values if (form := form_of(value, FORMS)))
    kind, number = forms.most_common(1)[0] if forms else ("", 0)
    if values and number >= _MOST * len(values) and named in (None, "other", "other-id", "free-text"):
        return kind
    if detectors.share(values, detectors.is_date) >= _MOST and named not in _DATES:
        return "date"
    if named == "zip" and not _are_us_codes(values):
        return "postcode"
    if named is not None:
        return named
    if role in (Role.IDENTIFIER, Role.PERSON):
        return (
            "name" if "names of persons" in reason else "free-text" if "free text" in reason else "other-id"
        )
    return "other"


_DATES = ("birth-date", "date", "admission-date", "discharge-date", "death-date")


def _are_us_codes(values: Sequence[str]) -> bool:
    from sfumato.masking.repair import mended

    return not mended("zip", values).broken
