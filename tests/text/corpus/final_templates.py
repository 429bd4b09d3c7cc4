"""Templates for measuring only. Do not tune on them, and do not read what finders miss in them."""

from __future__ import annotations

TEMPLATES: dict[str, str] = {
    "discharge summary": (
        "DISCHARGE SUMMARY\n\n"
        "Patient: {patient_last_first}\nHospital #: {mrn}\nAttending: {doctor}, MD\n"
        "Date of admission: {earlier}\nDate of discharge: {date}\nFacility: {hospital}\n\n"
        "HOSPITAL COURSE: This {age} year old {sex} came to us from a nursing home in {other_town}. {negative} "
        "On {partial} {he} spiked a fever and Dr. {second_last} of infectious diseases was asked to see {title} "
        "{patient_last}. {negative}\n"
        "DISPOSITION: home with {his} {kin_low}, {relative}, tel. {phone}.\n\n"
        "{doctor_initials}/{nurse_initials}   D: {date}   T: {later}\n"
    ),
    "consult request": (
        "Re: {patient}, DOB {dob}, acct {account}\n\n"
        "Dear {doctor_first},\n"
        "Thanks for seeing this pleasant {age}yo {sex}, an accountant at {employer}, for dysphagia. {negative} "
        "Barium swallow at {other_hospital} on {earlier} was normal. {He} can be contacted at {phone} or {email}.\n"
        "Regards, {second}\n{hospital}, {street}, {town} {state} {zip}\n"
    ),
    "ambulance run sheet": (
        "EMS RUN {accession}  UNIT 7  DATE {date}\n"
        "DISPATCH {clock}  ON SCENE {clock}  AT HOSP {clock}\n"
        "LOC {street}, {town}\n"
        "PT {patient_upper_full} {age} YO M. BYSTANDER {relative_first} STATES PT FELL FROM LADDER. {negative}\n"
        "VEH PLATE {vehicle}. TRANSPORTED TO {hospital}, REPORT TO {nurse} RN. MEDIC {second_short} #{pager}\n"
    ),
    "pathology synoptic": (
        "SURGICAL PATHOLOGY   Case: {accession}\n"
        "Name: {patient}   Sex: F   Age: {age}   Location: 5 West\n"
        "Submitting physician: {doctor}, MD (cc: {second}, MD)\n"
        "Taken: {earlier}   Received: {date}   Reported: {later}\n"
        "SPECIMEN: A. Left breast, lumpectomy. B. Sentinel node.\n"
        'The container is labeled with the patient\'s name ({patient_last}) and "A". {negative}\n'
        "Prior cases reviewed: {accession}.\n"
        "Slides reviewed by {second_short} and {nurse}. Signed out {later} {time}\n"
    ),
    "nursing handoff": (
        "SBAR: rm 12 {patient_last_lower}, {age}f, day 3 after TKA, attending {doctor_last_lower}. {negative} "
        "iv changed {short_date}. {kin_low} {relative_first} visiting from {other_town}, asked for {nurse_first}. "
        "call {second_last} pgr {pager} if temp over 38.5. rpt given to {nurse_first} and {nurse_initials}\n"
    ),
    "pharmacy refill": (
        "REFILL REQUEST {date} {time}\n"
        "Rx# {account}  Patient {patient_upper}  Tel {phone}\n"
        "Drug: amlodipine 5 mg #90 RF 3. Prescriber {doctor_short}, DEA {device}.\n"
        "Insurance {plan}, cardholder {relative}. {negative}\n"
        "Approved by {second}, PharmD, {employer}, {town}\n"
    ),
    "insurance appeal": (
        "{date}\n\nRE: Appeal of denial, member {patient}, policy {plan}, claim {account}\n\n"
        "Dear Medical Director,\n"
        "I am writing for my patient {title} {patient_last}, whom I have treated since {partial}. {He} is {age} "
        "and was born on {dob}. {negative} A peer-to-peer call with your Dr. {second_last} on {earlier} did not "
        "settle the matter. Records are at {url}.\n\n"
        "With kind regards,\n\n{doctor}\nDivision of Rheumatology, {hospital}\nPhone {phone}  Fax {fax}\n"
    ),
    "newborn note": (
        "Baby boy {patient_last} born {date} at {clock} to {relative}, a {age} year old G2P1, at {hospital}. "
        "{negative} Pediatrician will be Dr. {doctor} in {town}. Circumcision by {second_last} on {later}. "
        "Band number {device}. Hearing screen passed {short_date}. {nurse}, CNM\n"
    ),
    "audit trail": (
        "{date} {time} {doctor_last_first} opened chart {mrn} from {ip}\n"
        "{date} {time} {nurse} added allergy: penicillin\n"
        "{later} {time} {second_short} signed order 3 of 5 (Tylenol 650 mg)\n"
        "{later} {time} report for {patient_last_first} sent to {doctor_email} and to fax {fax}\n"
        "{negative}\n"
    ),
    "therapy evaluation": (
        "PT EVAL\nName {patient} | DOB {dob} | Ref {doctor_last} MD | Eval {date}\n"
        "S: {patient_first} reports low back pain after lifting boxes at {employer}. {He} lives in {town} with "
        "{relative_first}. O: {negative} {negative} A: good rehab potential. "
        "P: 2x/wk x 6 wks, next visit {later}, re-eval {partial}.\n{nurse}, DPT, lic. {licence}\n"
    ),
    "device registration": (
        "IMPLANT RECORD\n"
        "Patient's name........ {patient_last_first}\n"
        "Social security no.... {ssn}\n"
        "Date of birth......... {dob}\n"
        "Home address.......... {street}, {town}, {state} {zip}\n"
        "Home phone............ {phone}\n"
        "Generator serial no... {device}\n"
        "Implanted............. {date} at {hospital}\n"
        "Implanting MD......... {doctor}\n"
        "Employer.............. {employer}\n"
        "Notes: {negative}\n"
    ),
    "genetic counselling": (
        "{patient} ({patient_initials}) and {his} {kin_low} {relative_first} were seen in the genetics clinic of "
        "{hospital} on {date}. The family comes from {other_town}; a grandmother died at {age} of colon cancer. "
        "{negative} Samples went to {employer} (kit {device}). Results expected by {partial}. "
        "Counselor {nurse}; supervising physician {doctor_short}. Questions: {doctor_email}.\n"
    ),
    "death summary in wrapped lines": (
        "The patient, {patient}, aged {age}, was transferred from {other_hospital} on {earlier}. {negative} The "
        "family ({relative} and a niece, {nurse}) decided on comfort care and {patient_last} died on {date} at "
        "{time}. The coroner's office was told, reference {accession}. Dr. {doctor} signed the certificate; the "
        "funeral home in {town} can be reached at {phone}.\n"
    ),
}
UPPER = frozenset({"ambulance run sheet"})
LOWER = frozenset({"nursing handoff"})
WRAPPED = frozenset({"death summary in wrapped lines"})
