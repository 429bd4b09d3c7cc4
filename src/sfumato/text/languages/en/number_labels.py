"""Words that announce a number or a code, and what it then is.

A *strong* word is hardly used otherwise (MRN, acct, passport): what follows it is taken in many forms. A
*weak* one has a life of its own in notes (case, plan, group, order): a sign such as ``#``, ``No.`` or a colon
must stand between, or the value must look like a code.
"""

from __future__ import annotations

STRONG: dict[str, str] = {
    "mrn": "mrn", "mrno": "mrn", "mr#": "mrn", "medrec": "mrn", "uhid": "mrn", "empi": "mrn", "emrn": "mrn",
    "medical record": "mrn", "mr no": "mrn", "mpi": "mrn", "hospital #": "mrn", "hosp #": "mrn",
    "med rec": "mrn", "med record": "mrn", "health record": "mrn",
    "patient id": "mrn", "patient identifier": "mrn", "patient identification": "mrn", "pt id": "mrn",
    "patient no": "mrn", "patient number": "mrn", "patient #": "mrn", "chart number": "mrn",
    "chart no": "mrn",
    "hospital number": "mrn", "hospital no": "mrn", "unit number": "mrn", "unit no": "mrn", "pid": "mrn",
    "nhs": "national", "nhs no": "national", "nhs number": "national",
    "accession": "accession", "acc #": "accession", "acc no": "accession", "accn": "accession",
    "specimen id": "accession", "specimen no": "accession", "specimen number": "accession",
    "specimen #": "accession", "case number": "accession", "case no": "accession", "case #": "accession",
    "requisition": "accession", "path no": "accession", "path #": "accession", "cytology no": "accession",
    "account": "account", "acct": "account", "acc": "account", "csn": "account", "encounter": "account",
    "fin": "account", "har": "account", "visit id": "account", "visit no": "account",
    "visit number": "account", "visit #": "account", "invoice": "account", "claim": "account",
    "billing no": "account", "billing number": "account", "guarantor id": "account", "routing": "account",
    "policy": "plan", "member id": "plan", "member": "plan", "member no": "plan", "subscriber": "plan",
    "insurance id": "plan", "insurance no": "plan", "insurance number": "plan", "insurance policy": "plan",
    "ins id": "plan", "plan id": "plan", "plan no": "plan", "plan number": "plan", "group no": "plan",
    "group number": "plan", "group id": "plan", "group #": "plan", "grp": "plan", "grp #": "plan",
    "beneficiary": "plan", "medicare": "plan", "medicaid": "plan", "hicn": "plan",
    "hic": "plan", "mbi": "plan",
    "health plan": "plan", "rxbin": "plan", "rx bin": "plan", "pcn": "plan", "rxgrp": "plan",
    "authorization": "plan", "prior auth": "plan", "preauthorization": "plan", "payer id": "plan",
    "licence": "licence", "license": "licence", "lic": "licence", "dea": "licence", "npi": "licence",
    "driver's license": "licence", "drivers license": "licence", "driver license": "licence",
    "driver's licence": "licence", "driving licence": "licence", "dl": "licence", "upin": "licence",
    "certificate": "licence", "cert no": "licence", "cert #": "licence", "state id": "licence",
    "tax id": "licence", "ein": "licence", "tin": "licence", "registration no": "licence",
    "registration number": "licence", "reg no": "licence", "passport": "national", "national id": "national",
    "alien number": "national", "edipi": "national", "visa number": "national",
    "military id": "national", "dod id": "national",
    "serial": "device", "s/n": "device", "sn": "device", "device id": "device", "udi": "device",
    "device identifier": "device", "device no": "device", "lot": "device", "implant id": "device",
    "pacemaker id": "device", "model no": "device", "model number": "device", "asset tag": "device",
    "vin": "vehicle", "license plate": "vehicle", "licence plate": "vehicle", "plate": "vehicle",
    "plate no": "vehicle", "tag no": "vehicle", "vehicle id": "vehicle", "registration plate": "vehicle",
    "vehicle registration": "vehicle", "vehicle reg": "vehicle", "car registration": "vehicle",
    "car reg": "vehicle", "registration mark": "vehicle", "number plate": "vehicle", "vrm": "vehicle",
    "vrn": "vehicle", "car plate": "vehicle", "vehicle plate": "vehicle", "vehicle tag": "vehicle",
    "national insurance": "national", "nino": "national", "ni no": "national", "ni number": "national",
    "confirmation": "other", "badge": "other", "employee id": "other", "employee no": "other",
    "employee number": "other", "emp id": "other", "user id": "other", "userid": "other", "staff id": "other",
    "study id": "other", "study no": "other", "subject id": "other", "subject no": "other",
    "participant id": "other", "trial id": "other", "student id": "other", "ticket no": "other",
    "reference no": "other", "reference number": "other", "ref no": "other", "ref #": "other",
    "document id": "other", "doc id": "other", "job id": "other", "job #": "other", "job no": "other",
    "dictation id": "other", "dictation #": "other", "document #": "other", "transcription id": "other",
    "order id": "accession", "order no": "accession", "order number": "accession", "order #": "accession",
    "study #": "accession", "exam id": "accession", "exam no": "accession", "image id": "accession",
    "prescription no": "other", "rx no": "other", "rx #": "other", "rx number": "other",
    "incident": "other", "incident #": "other", "unos": "other", "doc #": "other", "doc#": "other",
    "din": "device", "tracking": "other", "inmate": "other", "booking": "other", "docket": "other",
    "id": "other", "ids": "other", "id no": "other", "id number": "other", "id #": "other",
    "identifier": "other",
    "identification": "other", "barcode": "other", "wristband": "other", "fingerprint id": "other",
}  # fmt: skip
"""by lower-case words"""

WEAK: dict[str, str] = {
    "record": "mrn", "chart": "mrn", "patient": "mrn", "unit": "mrn", "file": "mrn", "hosp": "mrn",
    "case": "accession", "specimen": "accession", "sample": "accession", "slide": "accession",
    "block": "accession", "path": "accession", "pathology": "accession", "surgical": "accession",
    "cytology": "accession", "order": "accession", "lab": "accession", "req": "accession",
    "visit": "account", "billing": "account", "bill": "account", "group": "plan", "plan": "plan",
    "insurance": "plan", "ins": "plan", "auth": "plan", "referral": "plan", "cert": "licence",
    "registration": "licence", "reg": "licence", "device": "device", "model": "device", "implant": "device",
    "pacemaker": "device", "pump": "device", "tag": "vehicle", "vehicle": "vehicle", "reference": "other",
    "ref": "other", "study": "other", "subject": "other", "participant": "other", "employee": "other",
    "ticket": "other", "prescription": "other", "rx": "other", "dictation": "other", "job": "other",
    "document": "other", "trial": "other", "number": "other", "no": "other", "code": "other",
}  # fmt: skip
"""by lower-case words"""
