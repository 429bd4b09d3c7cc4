"""What names of columns say: words in English, German, Spanish and French, sorted by topic.

Words are spelt without spaces, accents and capitals. A word of one or more parts matches whole parts of
a name (``birth_date``, ``BirthDate``, ``dateOfBirth``); a long word also matches inside a part, since
German writes ``Hauptdiagnose`` in one.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Any

from sfumato.core.schema import Role

HierarchySpec = str | dict[str, Any]
"""a hierarchy as a recipe spells it"""

_LONG = 7
"""words from this length on also match inside a part of a name"""
_MOST_PARTS = 4
_PREPOSITIONS = "at of on in for by from bei von am im en al de del du"


@dataclass(frozen=True)
class Topic:
    """Something that columns are about, the role that follows, and the words that give it away."""

    name: str
    role: Role
    words: frozenset[str] = field(repr=False)
    hierarchy: HierarchySpec | None = None


@dataclass(frozen=True)
class Match:
    """A topic that a name speaks of, and the words that say so."""

    topic: Topic
    word: str


def _topic(name: str, role: Role, words: str, hierarchy: HierarchySpec | None = None) -> Topic:
    return Topic(name, role, frozenset(words.split()), hierarchy)


AGE_INTERVALS: HierarchySpec = {"intervals": {"widths": [5, 10, 20], "origin": 0, "top": 90}}

TOPICS = (
    _topic(
        "person",
        Role.PERSON,
        "patientid patientnumber patientno patientnr pid patid personid personnumber subjectid subject "
        "subjid participantid memberid customerid clientid userid employeeid studentid beneficiaryid "
        "insuredid respondentid individualid mrn medicalrecordnumber patientennummer patientenid "
        "personennummer kundennummer versichertennummer mitgliedsnummer probandennummer pacienteid "
        "idpaciente numeropaciente idpersona idcliente clienteid idpatient numeropatient patientnumero "
        "idclient idpersonne",
    ),
    _topic(
        "survey weight",
        Role.WEIGHT,
        "fnlwgt wgt perwt pweight sampleweight samplingweight surveyweight finalweight expansionfactor "
        "designweight personweight caseweight gewichtungsfaktor hochrechnungsfaktor stichprobengewicht "
        "factorexpansion factordeexpansion ponderacion pondera ponderation poidssondage",
    ),
    _topic(
        "name of a person",
        Role.IDENTIFIER,
        "firstname lastname givenname forename surname familyname fullname middlename maidenname "
        "patientname customername username login personname employeename studentname contactname vorname "
        "nachname zuname familienname geburtsname patientenname apellido nombrecompleto nombrepaciente "
        "nomcomplet nomfamille nomdefamille prenom nompatient nomprenom cognome nomeecognome sobrenome "
        "apelido achternaam voornaam naam imie nazwisko jmeno prijmeni fornavn efternavn etternavn navn "
        "fornamn efternamn namn alias nickname mothersmaidenname nextofkin emergencycontact guardian "
        "ptname patname lname fname mname namelast namefirst lastnm firstnm namefull contactperson "
        "spousename referringdr referringdoctor physicianname doctorname consultantname attendingname "
        "имя фамилия отчество фио ονομα επωνυμο 姓名 名前 氏名 이름 성명 اسم",
    ),
    _topic(
        "contact",
        Role.IDENTIFIER,
        "email emailaddress mail phone phonenumber telephone mobile cellphone fax telefon telefonnummer "
        "handy mobilnummer correo correoelectronico telefono movil courriel portable faxnumber pager beeper "
        "telefone telefoon telefoonnummer cellulare celular telefonnr epost adresemail postaelettronica",
    ),
    _topic(
        "postal address",
        Role.IDENTIFIER,
        "address streetaddress street houseno housenumber addressline adresse anschrift strasse "
        "hausnummer direccion calle domicilio rue latitude longitude lat lon lng gps coordinates "
        "koordinaten indirizzo endereco adres adresa adresse ulica domicile",
    ),
    _topic(
        "official number",
        Role.IDENTIFIER,
        "ssn socialsecuritynumber nationalid passport passportnumber drivers driverlicense "
        "driverslicense licenseplate licenceplate vin taxid insurancenumber policynumber "
        "healthinsurancenumber iban accountnumber bankaccount creditcard cardnumber ccn deviceid "
        "nationalinsurancenumber nhsno nhsnumber hcn healthcardnumber aadhaar aadhar fiscalcode twitter "
        "twitterhandle instagram "
        "serialnumber imei macaddress ip ipaddress url website uuid guid sozialversicherungsnummer svnr "
        "steuernummer steuerid personalausweis reisepass krankenkassennummer kontonummer kennzeichen dni "
        "nie nif curp pasaporte numeroseguridadsocial matricula nss nir numerosecuritesociale passeport "
        "immatriculation plannumber planno plannr planid healthplannumber healthplanid beneficiarynumber "
        "memberno membernumber subscriberid subscribernumber groupnumber medicarenumber "
        "medicareid medicaidnumber medicaidid mbi hicn policyno policyid plateno platenumber "
        "numberplate vehicleplate registrationplate vehicleid vehicleregistration vinnumber "
        "vehicleidentificationnumber deviceserial deviceserialnumber devicenumber serialno "
        "udi implantserial pacemakerid accountno accountid acctno acctnumber "
        "billingaccount licenceno licenseno licencenumber licensenumber licenceid licenseid "
        "certificatenumber certificateno deanumber npi driverslicence drivinglicence "
        "photograph facephoto fullfacephoto selfie photofile imagefile "
        "lichtbild fingerprint fingerprints voiceprint irisscan biometric biometrics "
        "faceprint faceid palmprint weburl homepage webpage ipv4 ipv6 hostname imsi nhsnumber "
        "nationalnumber nationalinsurance codicefiscale cpf bsn pesel rodnecislo personnummer fodselsnummer",
    ),
    _topic(
        "record number",
        Role.IDENTIFIER,
        "recordnumber recordid recordno caseid casenumber caseno encounterid visitid admissionid claimid "
        "accessionnumber sampleid specimenid fallnummer aktenzeichen probennummer numeroexpediente "
        "numerodossier",
    ),
    _topic(
        "free text",
        Role.IDENTIFIER,
        "note notes comment comments remark remarks freetext narrative clinicalnote dischargesummary "
        "bemerkung kommentar freitext anmerkung arztbrief nota comentario observaciones remarque "
        "commentaire",
    ),
    _topic(
        "date of birth",
        Role.QUASI_IDENTIFIER,
        "birthdate dateofbirth dob birthday birth bday birthyear yearofbirth yob birthmonth geburtsdatum "
        "geburtstag geburtsjahr gebdatum gebdat fechanacimiento fechadenacimiento nacimiento "
        "datenaissance datedenaissance naissance anneenaissance",
    ),
    _topic(
        "age",
        Role.QUASI_IDENTIFIER,
        "age ageyears ageinyears ageatadmission agegroup alter altersgruppe edad grupoedad",
        AGE_INTERVALS,
    ),
    _topic("sex", Role.QUASI_IDENTIFIER, "sex gender geschlecht sexo genero sexe genre", "flat"),
    _topic(
        "postcode",
        Role.QUASI_IDENTIFIER,
        "zip zipcode zip3 zip5 postcode postalcode postleitzahl plz codigopostal cp codepostal",
        {"mask": {}},
    ),
    _topic(
        "place",
        Role.QUASI_IDENTIFIER,
        "city town village county district region state province municipality residence location country "
        "hospital birthplace placeofbirth nativecountry ort wohnort stadt gemeinde landkreis kreis "
        "bundesland land geburtsort krankenhaus ciudad municipio provincia comunidad pais "
        "lugarnacimiento ville commune departement pays lieunaissance",
        "infer",
    ),
    _topic(
        "race or ethnic group",
        Role.QUASI_IDENTIFIER,
        "race racea ethnicity ethnic ethnicgroup ethnie ethnizitaet ethnizitat hautfarbe raza etnia "
        "etnicidad",
        "infer",
    ),
    _topic(
        "nationality or language",
        Role.QUASI_IDENTIFIER,
        "nationality citizenship language mothertongue nationalitat nationalitaet staatsangehorigkeit "
        "staatsangehoerigkeit sprache muttersprache nacionalidad idioma lengua nationalite langue",
        "infer",
    ),
    _topic(
        "family",
        Role.QUASI_IDENTIFIER,
        "marital marstat maritalstatus married civilstatus marriage relationship household householdsize "
        "children numberofchildren familienstand zivilstand haushalt haushaltsgroesse kinder estadocivil "
        "hijos hogar etatcivil situationfamiliale enfants menage",
        "infer",
    ),
    _topic(
        "education",
        Role.QUASI_IDENTIFIER,
        "education educ educationlevel schooling degree school bildung bildungsstand schulabschluss "
        "abschluss educacion estudios niveleducativo niveletudes etudes diplome",
        "infer",
    ),
    _topic(
        "work",
        Role.QUASI_IDENTIFIER,
        "occupation profession job jobtitle work workclass employer employment industry department beruf "
        "tatigkeit taetigkeit arbeitgeber branche ocupacion profesion empleo trabajo empresa metier "
        "emploi employeur",
        "infer",
    ),
    _topic(
        "body",
        Role.QUASI_IDENTIFIER,
        "height weight bodyweight bmi eyecolor eyecolour haircolor haircolour grosse groesse "
        "korpergrosse gewicht augenfarbe haarfarbe estatura altura peso taille poids",
        "infer",
    ),
    _topic(
        "date of an event",
        Role.QUASI_IDENTIFIER,
        "admissiondate dischargedate deathdate dateofdeath dod visitdate admission discharge death "
        "aufnahmedatum entlassungsdatum sterbedatum todesdatum fechaingreso fechaalta fechadefuncion "
        "fechamuerte dateadmission datesortie datedeces",
    ),
    _topic(
        "health",
        Role.SENSITIVE,
        "diagnosis diagnoses diag dx disease illness icd icd9 icd10 condition disorder symptom complaint "
        "problem hiv aids cancer tumor tumour diabetes pregnancy disability mental depression "
        "hypertension stroke glucose cholesterol heartdisease bp smoker smoking alcohol drug drugs "
        "medication medicine prescription treatment therapy procedure surgery operation lab labresult "
        "test result genotype mutation bloodpressure bloodtype lengthofstay los outcome severity allergy "
        "diagnose krankheit erkrankung befund raucher medikament medikation behandlung therapie eingriff "
        "blutdruck laborwert schwangerschaft behinderung verweildauer diagnostico enfermedad fumador "
        "medicamento tratamiento embarazo discapacidad resultado diagnostic maladie fumeur traitement "
        "grossesse handicap",
    ),
    _topic(
        "money",
        Role.SENSITIVE,
        "salary income wage wages earnings pay charges charge cost costs expenses debt credit balance "
        "loan wealth capitalgain capitalloss salaryclass payment gehalt einkommen lohn verdienst "
        "schulden kosten vermogen salario sueldo ingresos renta deuda salaire revenu dette",
    ),
    _topic(
        "belief or private life",
        Role.SENSITIVE,
        "religion faith party politics politicalparty vote union sexualorientation orientation "
        "conviction crime offence offense criminal konfession glaube partei gewerkschaft straftat "
        "sexuelleorientierung partido sindicato delito orientacionsexual syndicat orientationsexuelle "
        "infraction",
    ),
)

ALONE = (
    _topic(
        "name of a person",
        Role.IDENTIFIER,
        "name names first last maiden middle nombre nom initials title anrede titel signature unterschrift",
    ),
    _topic(
        "official number",
        Role.IDENTIFIER,
        "plate vehicle device serial account acct licence license certificate photo picture image portrait "
        "foto bild iris retina mac link pacemaker beneficiary dea healthplan",
    ),
    _topic(
        "person",
        Role.PERSON,
        "patient person participant student employee member respondent proband paciente persona personne",
    ),
)
"""words that say something only when they are the whole name: ``ward_name`` is about a ward"""


def parts_of(name: str) -> list[str]:
    """Split a name into its parts: small letters, no accents.

    >>> parts_of("dateOfBirth"), parts_of("Código postal"), parts_of("MARITAL-status")
    (['date', 'of', 'birth'], ['codigo', 'postal'], ['marital', 'status'])
    """
    plain = unicodedata.normalize("NFKD", name.replace("ß", "ss"))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    # Scripts whose letters are made of parts are put together again.
    plain = unicodedata.normalize("NFC", plain)
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", plain)
    return [part for part in re.split(r"[\W_]+", plain.lower()) if part]


def topic_of(name: str) -> Match | None:
    """Find what a column is about by its name, or None.

    The match that covers most parts of the name wins; then one before a preposition ('age at diagnosis'
    is an age); then the last ('patient age'); then the longest word.

    >>> topic_of("age_at_diagnosis").topic.name, topic_of("Hauptdiagnose").word
    ('age', 'diagnose')
    """
    parts = parts_of(name)
    return _best(parts, TOPICS) or (_best(parts, ALONE) if len(parts) == 1 else None)


def _best(parts: list[str], topics: tuple[Topic, ...]) -> Match | None:
    prepositions = _PREPOSITIONS.split()
    head = next((i for i, part in enumerate(parts) if i and part in prepositions), len(parts))
    best: tuple[tuple[int, bool, int, int], Match] | None = None
    for start in range(len(parts)):
        for end in range(start + 1, min(len(parts), start + _MOST_PARTS) + 1):
            run = "".join(parts[start:end])
            for topic in topics:
                word = _word_in(run, topic.words, whole=end - start > 1)
                if word is None:
                    continue
                rank = (end - start, end <= head, end, len(word))
                if best is None or rank > best[0]:
                    best = (rank, Match(topic, " ".join(parts[start:end]) if end - start > 1 else word))
    return best[1] if best else None


def _word_in(run: str, words: frozenset[str], *, whole: bool) -> str | None:
    for candidate in (run, run.removesuffix("s"), run.rstrip("0123456789")):
        if candidate in words:
            return candidate
    if whole:
        return None
    inside = [word for word in words if len(word) >= _LONG and word in run]
    return max(inside, key=lambda word: (len(word), word), default=None)
