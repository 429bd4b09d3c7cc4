"""Templates that everybody may tune on. ``{negative}`` draws a sentence with nothing identifying in it."""

from __future__ import annotations

TEMPLATES: dict[str, str] = {
    "emergency triage": (
        "ED TRIAGE  {date} {clock}\n"
        "Pt: {patient_upper}    MRN {mrn}    Age/Sex {age}/F\n"
        "CC: chest tightness since this morning\n"
        "Arrived by private vehicle with {kin_low} {relative_first}. {negative} {negative}\n"
        "PCP {doctor_last} ({town}). Last seen here {earlier}.\n"
        "Triage RN: {nurse_initials}, bed 14, ESI 3\n"
    ),
    "radiology report": (
        "{hospital}\nDepartment of Imaging\n\n"
        "Exam: CT abdomen and pelvis with contrast          Accession # {accession}\n"
        "Patient name: {patient_last_first}                 DOB: {dob}\n"
        "Requesting provider: {doctor}, DO                  Exam date: {date}\n\n"
        "COMPARISON: CT of {earlier}.\n"
        "FINDINGS: Liver and spleen are normal. {negative}\n"
        "IMPRESSION: No acute process.\n\n"
        "Findings were discussed by telephone with Dr. {doctor_last} at {time} on {date}.\n"
        "Dictated: {second}, MD    Transcribed: {nurse_initials}    {later}\n"
    ),
    "telephone encounter": (
        "TELEPHONE CALL\n"
        "{relative}, {kin_low} of {patient}, called at {time} from {phone} about swelling of both legs. "
        "{patient_first} takes {his} water pill only every other day. {negative} "
        "Advised to come in on {partial}; if worse, to go to {hospital}. "
        "Message routed to Dr. {doctor_last} and to {second_short}, PA-C.\n"
        "-{nurse_initials}\n"
    ),
    "social work assessment": (
        "SOCIAL WORK\n"
        "{patient_middle} is {age} years old and lives with {his} {kin_low} {relative_first} at {street}, "
        "{town}, {state} {zip}. {He} retired from {employer}, where {he} had worked for thirty years. "
        "Insurance: member no. {plan}. Emergency contact: {relative}, {phone}. "
        "{negative} Referral to {other_hospital} for respite was sent by fax to {fax} on {date}.\n"
        "Signed, {nurse}, LCSW\n"
    ),
    "operative note in capitals": (
        "OPERATIVE REPORT\n"
        "NAME: {patient_upper_full}   UNIT NO: {mrn}\n"
        "DATE OF OPERATION: {date}\n"
        "SURGEON: {doctor}, M.D.   ASSISTANT: {second}, M.D.\n"
        "PREOPERATIVE DIAGNOSIS: CHOLELITHIASIS. PROCEDURE: LAPAROSCOPIC CHOLECYSTECTOMY.\n"
        "{negative} THE PATIENT, {title} {patient_last}, TOLERATED THE PROCEDURE WELL AND WENT TO RECOVERY. "
        "I SPOKE WITH {his} {kin_low} {relative_first} AFTERWARDS.\n"
        "D: {date} T: {later} JOB {account}\n"
    ),
    "short message in lower case": (
        "seen on rounds w {doctor_last_lower}. {patient_lower} doing ok, {kin_low} {relative_first_lower} wants "
        "update, cell {local_phone}. plan dc {short_date} to {town}. {negative} page me {pager} - {nurse_initials}\n"
    ),
    "work excuse letter": (
        "{date}\n\n{employer}\nAttn: Human Resources\n{street}\n{town}, {state} {zip}\n\n"
        "To whom it may concern:\n\n"
        "{title} {patient} was under my care at {hospital} from {earlier} to {date} and is able to return to "
        "light duty on {later}. Please call my office at {phone} if you need more.\n\n"
        "Yours truly,\n{doctor}, M.D., Ph.D.\nLicense {licence}\n"
    ),
    "visit list as a table": (
        "Patient | {patient_last_first} | MRN | {mrn}\n"
        "Visit | Provider | Site | Result\n"
        "{earlier} | {doctor_last} | {hospital} | A1c 7.2\n"
        "{date} | {second_last} | {other_hospital} | BP 138/84\n"
        "{later} | {doctor_short} | {town} | wt 81 kg\n"
        "{negative}\n"
    ),
    "home visit": (
        "Home Health Visit Note. Client: {patient}. SOC {earlier}. Visit {date} {time}-{time}.\n"
        "Pt is a {age} y.o. {sex} at home w/ spouse. Wound bed pink, 2.1 x 1.4 x 0.3 cm. {negative}\n"
        "Caregiver {relative_first} taught dressing change, return demo good. "
        "Supplies from {employer} to arrive {partial}. Will report to Dr. {doctor_last}'s office, fax {fax}.\n"
        "{nurse}, RN BSN   e-mail {doctor_email}\n"
    ),
    "laboratory report": (
        "FINAL REPORT                                   Page 1 of 1\n"
        "Lab no: {accession}       Collected: {date} {time}     Received: {date}\n"
        "PATIENT: {patient_upper}     ID: {mrn}     AGE: {age}Y\n"
        "Ordering MD: {doctor_last_first}     Client: {hospital}\n"
        "TEST            RESULT   UNITS   REFERENCE\n"
        "Sodium          139      mmol/L  136-145\n"
        "Ferritin        12       ng/mL   30-400\n"
        "{negative}\n"
        "Verified by {second_upper} from workstation {ip}\n"
    ),
    "psychiatric intake": (
        'Identification: {patient} ({he} goes by "{patient_first}") is a {age}-year-old divorced {sex} from '
        "{other_town} who was brought in by {his} neighbor. Source: patient, and {his} {kin_low} {relative_first} "
        "by phone ({phone}).\n"
        "Past history: first admission at {other_hospital} in {partial} under Dr. {second_last}. {negative}\n"
        "Legal: driver's licence {licence}; probation officer is {nurse}.\n"
        "Plan: {patient_last} agrees to stay. Case discussed with {doctor}, MD.\n"
    ),
    "portal message": (
        "From: {patient} <{email}>\nTo: Dr. {doctor}\nSent: {date} {time}\nSubject: question\n\n"
        "Hi Dr. {doctor_last}, this is {patient_first}. I picked up the pills at the pharmacy in {town} but the "
        "label says {second_last}. Is that right? My number is still {phone} and I saw my results at {url}. "
        "Thanks!\n{patient_first}\n"
    ),
    "wrapped discharge": (
        "Discharge instructions for {patient} (born {dob}, SSN {ssn}): you were in {hospital} from {earlier} "
        "until {date} because of pneumonia. {negative} See Dr. {doctor} at {street}, {town} on {later}. "
        "If you have fever call {phone}. Your nurses were {nurse_first} and {second}.\n"
    ),
}
UPPER = frozenset({"operative note in capitals"})
LOWER = frozenset({"short message in lower case"})
WRAPPED = frozenset({"wrapped discharge"})
