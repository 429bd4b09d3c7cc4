"""The labels of fields in English notes and forms, and whose value each announces.

*Strong* labels announce a person or a place and hardly anything else. *Weak* ones (``Mother: alive and
well``, ``RE: follow-up``) do so only when the value looks the part.
"""

from __future__ import annotations

from sfumato.text.dates import listed

_PATIENT = (
    "patient name", "patient's name", "pt name", "name of patient", "name", "full name", "legal name",
    "last name", "first name", "middle name", "surname", "family name", "given name", "given names",
    "forename", "maiden name", "preferred name", "also known as", "aka", "alias", "patient", "pt",
)  # fmt: skip
_STAFF = (
    "attending", "attending physician", "attending md", "attending provider", "attending surgeon",
    "physician", "physicians", "doctor", "provider", "rendering provider", "billing provider", "referring",
    "referring physician", "referring provider", "referring md", "referring doctor", "referring dr",
    "ref physician", "referred by", "pcp", "primary care physician", "primary care provider",
    "primary physician", "primary provider", "family physician", "family doctor", "gp", "consultant",
    "consulting physician", "surgeon", "primary surgeon", "co-surgeon", "assistant surgeon",
    "first assistant", "anesthesiologist", "anaesthetist", "anesthetist", "crna", "resident",
    "senior resident", "intern", "fellow", "hospitalist", "intensivist", "nurse", "primary nurse",
    "charge nurse", "triage nurse", "pathologist", "radiologist", "cardiologist", "oncologist",
    "neurologist", "nephrologist", "psychiatrist", "psychologist", "dentist", "optometrist", "pharmacist",
    "technologist", "technician", "sonographer", "cytotechnologist", "ordering physician",
    "ordering provider", "ordering md", "ordered by", "requesting physician", "requesting provider",
    "requested by", "author", "dictator", "transcriptionist", "transcriber", "scribe", "therapist",
    "physical therapist", "counselor", "case manager", "social worker", "care coordinator", "interpreter",
    "medical examiner", "coroner", "supervising physician", "admitting physician", "admitting md",
    "admitting provider", "discharging physician", "operator", "endoscopist", "proceduralist", "examiner",
    "clinician", "reviewer", "evaluator", "preceptor", "investigator", "principal investigator",
    "registrar", "attendant", "recorder", "team leader", "monitor", "study monitor", "dental assistant",
)  # fmt: skip
_RELATIVES = (
    "next of kin", "nok", "emergency contact", "emergency contact name", "contact person", "contact name",
    "guardian", "legal guardian", "guarantor", "guarantor name", "subscriber name", "insured",
    "insured name", "policy holder", "policyholder", "responsible party", "health care proxy",
    "healthcare proxy", "hcp", "poa", "dpoa", "hcpoa", "power of attorney", "surrogate decision maker",
    "caregiver", "witness", "informant", "spouse name", "mother's name", "father's name", "parent name",
    "spouse's name", "husband's name", "wife's name", "accompanied by", "lawyer", "attorney",
    "surviving spouse", "father of baby", "fob", "claimant", "recipient", "inmate", "teacher",
)  # fmt: skip
_WEAK_NAMES = (
    "mother", "father", "spouse", "husband", "wife", "son", "daughter", "brother", "sister", "partner",
    "parent", "parents", "contact", "re", "to", "from", "cc", "attn", "attention", "md", "np", "rn",
    "staff", "signed", "signature", "subject", "regarding", "assistant", "assistants", "user", "aide",
    "sitter", "friend", "neighbor", "significant other", "client", "transcribed", "dictated", "typed",
    "verified", "reviewed", "read", "entered", "sign", "tech", "crew",
)  # fmt: skip
_ORGANISATIONS = (
    "employer", "employer name", "place of employment", "place of work", "works at", "company", "school",
    "university", "church", "parish", "pharmacy", "preferred pharmacy", "agency",
)  # fmt: skip
_HOSPITALS = (
    "facility", "facility name", "hospital", "hospital name", "institution", "clinic", "clinic name",
    "medical center", "referring facility", "transferring facility", "receiving facility",
    "admitting hospital", "practice", "practice name", "nursing home", "snf", "campus", "laboratory",
    "performing lab", "performing laboratory", "hospice", "transferred from", "transferred to",
    "health system",
)  # fmt: skip
_STREETS = (
    "address", "home address", "mailing address", "street address", "street", "current address",
    "permanent address", "residence", "patient address", "work address", "addr",
)  # fmt: skip
_CITIES = (
    "city", "town", "county", "city/state", "city, state", "city/state/zip", "birthplace", "place of birth",
    "hometown", "village",
)  # fmt: skip

STRONG_NAMES: dict[str, str] = {
    **dict.fromkeys(_PATIENT, "patient"),
    **dict.fromkeys(_STAFF, "doctor"),
    **dict.fromkeys(_RELATIVES, "relative"),
}
"""by lower-case label, who is announced"""
WEAK_NAMES: dict[str, str] = {
    name: "relative" if name in ("mother", "father", "spouse", "husband", "wife", "son", "daughter") else ""
    for name in _WEAK_NAMES
}
"""labels that announce a person only if the value looks like one"""
PLACES: dict[str, str] = {
    **dict.fromkeys(_ORGANISATIONS, "organisation"),
    **dict.fromkeys(_HOSPITALS, "hospital"),
    **dict.fromkeys(_STREETS, "street"),
    **dict.fromkeys(_CITIES, "city"),
}
"""by lower-case label, which sort of place"""
ACTS = listed(
    "seen signed dictated transcribed examined evaluated reviewed verified approved interpreted read "
    "performed reported entered prepared authored written electronically completed documented recorded "
    "drawn collected administered given taken called paged typed attested cosigned co-signed authenticated "
    "finalized witnessed assisted followed referred accompanied ordered requested placed removed inserted "
    "obtained received released checked confirmed edited created updated consulted managed treated "
    "supervised scribed notarized translated interviewed admitted discharged"
)
"""words before "by" that announce who did it"""

CREDENTIALS = listed(
    "md m.d do d.o rn r.n np n.p pa p.a pa-c phd ph.d dds dmd dpm od dvm pharmd rph lpn lvn cna ma msw lcsw "
    "lmsw lpc mph mba ms msn bsn facs facp faap facc fache frcs frcp mbbs mbchb mbbch aprn arnp crna cnm "
    "cns dnp fnp fnp-c fnp-bc acnp agnp cnp ccc-slp slp pt dpt ot otr otr/l ot/l rt rrt crt rd rdn cde psyd "
    "ba bs esq jr sr ii iii iv emt emt-p paramedic ct mt ascp sct mls mlt cma rma cst pgy pgy1 pgy2 pgy3 "
    "pgy-1 pgy-2 pgy-3 res intern resident attending physician surgeon nurse fellow hospitalist student"
)
"""what may follow a name and is none of it"""
SURE_CREDENTIALS = listed("md do rn np pa lpn lvn cna phd dds dmd ma pt ot rt emt aprn crna")
"""credentials that are no initials either"""
TITLES = listed(
    "dr drs mr mrs ms miss mx prof professor doctor sir madam nurse fr sr rev hon capt sgt lt col maj rabbi "
    "pastor"
)
"""what may stand before a name and is none of it"""
PARTICLES = listed(
    "van von der den de del della la le di da dos das do al el bin ibn ben abu ter ten st san santa y e du "
    "af zu zur"
)
"""what may stand inside a name in lower case"""
NOT_NAMES = listed(
    "site result results location comment comments value test units range flag title role relationship "
    "relation human resources billing claims benefits records registration scheduling referrals none "
    "unknown self n/a na no yes denies see same not per unable refused deceased alive well as above below "
    "noted date time dob mrn ssn age sex gender race phone fax address id account acct room unit bed "
    "service admission admitted discharge discharged visit encounter report status final note notes history "
    "exam physical clinical diagnosis impression findings procedure procedures specimen chief complaint "
    "reason allergies medications plan assessment follow followup follow-up consult consultation "
    "consultants emergency department hospital clinic center medical surgery surgical medicine family "
    "internal cardiology neurology oncology radiology pathology laboratory lab labs nursing progress "
    "summary operative preoperative postoperative type data information insurance name patient the this he "
    "she they his her reports states presents male female hispanic asian attending physician doctor "
    "provider resident nurse staff team md do rn np pa phd electronically signed dictated on at in of and "
    "or for with to from is was has are can continues remains resting awake alert oriented ambulating "
    "tolerating here home group office dept fully without within stable well-developed pleasant very were "
    "had been cert edipi d.o.b you him them your our their beeper pager tel telephone"
)
"""words that a name does not begin with"""
WORDS_TOO = listed(
    "may will black white grace hope summer autumn mark art rose price long short young strong"
)
"""names that are ordinary words, and count as names only beside another name"""
ACTORS = listed(
    "pt ot st id gi gu er ed ems icu micu sicu nicu picu or pacu ent ob gyn im fm ct ir rt sw cm hh pcp "
    "neuro psych cards cv renal heme onc ortho vascular trauma surgery medicine pharmacy anesthesia "
    "radiology hospice va slp bls als picc ep"
)
"""departments and services, which act as people do: they see patients"""
DEPARTMENTS = listed(
    "pt ot st id gi gu er ed ems icu micu sicu nicu picu or pacu ent ob gyn obgyn im fm cv ct mri cxr us ir "
    "rt sw cm hh rn md np pa do ma lpn cna pcp mo hx htn dm cad copd chf ckd esrd dvt pe mi cva tia uti bp "
    "hr rr iv po sq prn bid tid qid qd am pm aox wbc hgb plt bun cr ekg ecg ef lv rv lad rca cabg pci ot/pt "
    "pt/ot slp dme snf alf ltac hospice bls als va usa uk eu cdc fda hipaa dnr dni poa vs na k cl ca mg co "
    "hiv hcv hbv cpr tpa lp eeg emg ng og et peg picc neuro psych cards renal heme onc ortho vascular "
    "trauma surgery medicine pharmacy anesthesia radiology dc d/c nkda nka ros hpi pmh psh fh sh all meds "
    "nad ncat perrla eomi rrr ctab ctap lol asap eta tbd cc re fu f/u ap lat wnl acls dka aki afib ii iii"
)
"""capital letters that are no initials"""
