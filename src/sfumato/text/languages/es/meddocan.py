"""The labels of MEDDOCAN, and what they are called here.

Marimon et al., "Automatic de-identification of medical texts in Spanish: the MEDDOCAN track, corpus,
guidelines, methods and evaluation of results" (IberLEF 2019): 1,000 clinical cases with 29 labels, CC BY 4.0.
One label of theirs may be two of ours: a *territorio* is a postal code or a place, and each is replaced in
its own way; a *familiar* is a word for a relative (``madre``), or somebody's name.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from sfumato.text.annotation.annotated import Annotated
from sfumato.text.annotation.brat import read_brat
from sfumato.text.kinds import Kind
from sfumato.text.span import Span

LABELS: dict[str, tuple[Kind, str]] = {
    "NOMBRE_SUJETO_ASISTENCIA": (Kind.NAME, "patient"),
    "NOMBRE_PERSONAL_SANITARIO": (Kind.NAME, "doctor"),
    "FAMILIARES_SUJETO_ASISTENCIA": (Kind.OTHER, "kinship"),
    "EDAD_SUJETO_ASISTENCIA": (Kind.AGE, ""),
    "SEXO_SUJETO_ASISTENCIA": (Kind.SEX, ""),
    "OTROS_SUJETO_ASISTENCIA": (Kind.OTHER, ""),
    "PROFESION": (Kind.PROFESSION, ""),
    "FECHAS": (Kind.DATE, ""),
    "HOSPITAL": (Kind.LOCATION, "hospital"),
    "CENTRO_SALUD": (Kind.LOCATION, "hospital"),
    "INSTITUCION": (Kind.LOCATION, "organisation"),
    "CALLE": (Kind.LOCATION, "street"),
    "TERRITORIO": (Kind.LOCATION, "city"),
    "PAIS": (Kind.LOCATION, "country"),
    "NUMERO_TELEFONO": (Kind.PHONE, "phone"),
    "NUMERO_FAX": (Kind.PHONE, "fax"),
    "CORREO_ELECTRONICO": (Kind.EMAIL, ""),
    "ID_SUJETO_ASISTENCIA": (Kind.ID, "mrn"),
    "ID_CONTACTO_ASISTENCIAL": (Kind.ID, "accession"),
    "ID_ASEGURAMIENTO": (Kind.ID, "plan"),
    "NUMERO_BENEF_PLAN_SALUD": (Kind.ID, "plan"),
    "ID_TITULACION_PERSONAL_SANITARIO": (Kind.ID, "licence"),
    "ID_EMPLEO_PERSONAL_SANITARIO": (Kind.ID, "staff"),
    "IDENTIF_VEHICULOS_NRSERIE_PLACAS": (Kind.ID, "vehicle"),
    "IDENTIF_DISPOSITIVOS_NRSERIE": (Kind.ID, "device"),
    "IDENTIF_BIOMETRICOS": (Kind.ID, "biometric"),
    "OTRO_NUMERO_IDENTIF": (Kind.ID, "other"),
    "DIREC_PROT_INTERNET": (Kind.IP, ""),
    "URL_WEB": (Kind.URL, ""),
}
"""all 29 labels of the guidelines, most of them with annotations"""
_BACK = {
    **{ours: theirs for theirs, ours in reversed(LABELS.items())},
    (Kind.LOCATION, "zip"): "TERRITORIO",
    (Kind.LOCATION, "state"): "TERRITORIO",
    (Kind.LOCATION, "county"): "TERRITORIO",
    (Kind.NAME, "relative"): "FAMILIARES_SUJETO_ASISTENCIA",
    (Kind.SSN, ""): "ID_ASEGURAMIENTO",
}
_BY_KIND = {
    Kind.NAME: "NOMBRE_SUJETO_ASISTENCIA",
    Kind.LOCATION: "TERRITORIO",
    Kind.PHONE: "NUMERO_TELEFONO",
    Kind.ID: "ID_SUJETO_ASISTENCIA",
}
_HEALTH_CENTRE = re.compile(
    r"(?:centros? de (?:salud|especialidades)|ambulatorio|consultorio)\b", re.IGNORECASE
)
_NAMED = re.compile(
    r"(?<!^)\b[A-ZÁÉÍÓÚÑ][a-záéíóúñü]{2,}|^(?!\S*(?:adre|ij[oa]|erman|bue|ami|am[aá]|ap[aá]))[A-ZÁÉÍÓÚÑ]\w+$"
)


def read_meddocan(folder: Path) -> tuple[Annotated, ...]:
    """Read notes of the corpus (``.txt`` beside ``.ann``), with kinds and labels of ours."""
    notes = read_brat(folder, {theirs: kind for theirs, (kind, _) in LABELS.items()})
    return tuple(
        replace(note, spans=tuple(_ours(span, span.of(note.text)) for span in note.spans)) for note in notes
    )


def _ours(span: Span, text: str) -> Span:
    label = LABELS[span.label][1]
    if span.label == "TERRITORIO" and any(letter.isdigit() for letter in text):
        label = "zip"
    if span.label == "FAMILIARES_SUJETO_ASISTENCIA" and _NAMED.search(text):
        return replace(span, kind=Kind.NAME, label="relative")
    return replace(span, label=label)


def meddocan_label(span: Span, text: str) -> str:
    """Return what the corpus calls a span of ours, given what stands there.

    >>> meddocan_label(Span(0, 5, Kind.LOCATION, "zip"), "28036")
    'TERRITORIO'
    """
    if span.kind is Kind.LOCATION and span.label == "hospital" and _HEALTH_CENTRE.match(text):
        return "CENTRO_SALUD"
    known = _BACK.get((span.kind, span.label)) or _BACK.get((span.kind, ""))
    return known or _BY_KIND.get(span.kind, "OTROS_SUJETO_ASISTENCIA")
