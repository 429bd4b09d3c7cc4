"""Words that announce a name in English notes, and those that follow one."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.text.detectors.dictionary import LOWER, NUMBER, RAISED, Reading
from sfumato.text.folding import listed
from sfumato.text.lexicon import Mark

TITLES = listed("dr drs mr mrs ms mx messrs prof")
"""nobody writes them but before a name"""
TITLE_WORDS = listed("""
    doctor miss professor rev reverend rabbi pastor father sister brother sgt sergeant capt captain lt
    lieutenant col colonel judge officer attorney nurse hon sir madam chaplain imam deacon detective deputy
    principal cpl pvt maj aunt uncle grandma grandpa midwife dra sra srta don doña ofc det supt coach
""")
"""titles that are words, too"""
CREDENTIALS = listed("""
    md do rn np pa phd dds dmd dpm dvm lpn lvn cna crna cnm aprn arnp fnp pharmd rph lcsw msw lmsw licsw lpc
    lmft psyd dpt otr slp rrt crt emt mph mbbs facs facp facog facc faap frcs frcp mrcp cnp cns anp agnp
    pmhnp dnp rd rdn ldn esq bsn msn scd edd jd ccrn pac ct cst cma rma rdms mlt ascp mba mha ms acnp agacnp
    acnpc cpnp whnp ma mt nd ocn cgc ndtr lac lmhc lcpc cadc mbchb bchir frcpc ccfp cpht rdh rvt rpsgt
""")
"""what stands after a name, in capitals"""
_DOTTED = listed("md do rn np pa phd dds lpn")
_MIXED = frozenset(("PharmD", "PhD", "PsyD", "Esq", "EdD", "DPharm"))
_LOWER_CREDENTIALS = listed("""
    md rn np phd dds dmd dpm lpn lvn cna crna cnm aprn arnp fnp pharmd rph lcsw msw psyd dpt pa
""")
LABELS = listed("""
    patient name pt physician doctor provider attending surgeon surgeons pathologist radiologist
    anesthesiologist anaesthetist anesthetist cardiologist oncologist neurologist urologist hospitalist
    intensivist psychiatrist psychologist dermatologist dentist pediatrician internist resident intern
    fellow pcp nurse rn md np pa lpn cna crna to from attn attention cc contact mother father mom dad spouse
    husband wife son daughter sister brother partner parent parents guardian kin interpreter signed dictated
    transcribed author authors witness consultant consultants referring requesting ordering assistant
    assistants technologist tech preceptor caregiver caller therapist counselor worker coordinator manager
    by first last middle surname maiden alias aka member subscriber insured holder guarantor applicant
    claimant veteran client student employee person individual responsible representative agent proxy poa
    pharmacist dietitian nutritionist recorder scribe examiner reviewer reviewed verified approved
    authorized obstetrician midwife operator performed interpreted read re regarding family given specialist
    clinician practitioner prescriber donor recipient proband informant reporter staff aide sitter courier
    supervisor crew present presenter presenters attendees participants ref req for ob peds pi director host
    medic medics driver teacher lawyer landlord neighbor neighbour friend roommate gp hcp nok attendee inmate
    detainee visitor visitors witnesses officer nephrologist endocrinologist gastroenterologist hematologist
    rheumatologist pulmonologist ophthalmologist optometrist podiatrist gynecologist paramedic
    phlebotomist chaplain navigator handoff covering cosigner registrar houseman matron monitor fob rounding
    recorder attendant leader pmd nickname circ scrub anes anesthesia perfusionist
""")
"""what stands before a colon, and a name after it"""
ACTING = listed("""
    by paged per notified informed contacted called with w spoke to named cc dear attn hi hello regards
    sincerely signed yours thanks respectfully cordially warmly faithfully truly from for and
""")
ADDRESSING = listed("dear attn attention hi hello cc mailto thx thanks")
CLOSING = listed("""
    sincerely regards respectfully cordially truly yours thanks warmly faithfully submitted thx tks cheers
    best love you
""")
_DONE_BY = listed("""
    dictated signed seen evaluated examined reviewed written entered typed transcribed performed ordered
    prescribed referred discussed consulted attested cosigned authored approved verified interpreted read
    reported accompanied obtained provided witnessed given completed recorded prepared assisted delivered
    drawn followed managed treated assessed requested sent electronically supervised staffed checked
    administered collected placed confirmed notified authenticated edited documented called triaged admitted
    cleared relayed received updated scribed registered implanted printed req rev dict
""")
_MEETING = listed("""
    paged notified informed contacted called phoned telephoned texted spoke talked discussed reviewed met
    meeting conferred coordinated visited consulted saw seeing seen evaluating examining treating following
    referring named visiting emailed faxed messaged call contact phone notify inform updated reached reach
    asked ask told thank thanked wants under see sees meet opened followed staffed rounded
""")
"""somebody is met, or something is done with them"""
_MEETINGS = listed("""
    appointment appt visit visits clinic book booked rtc follow followup review rounds round signout handoff
    schedule scheduled back discussion conversation conference conversation call check lives living stays
    staying here home referral letter report care consult refer transferred transfer sent send given gave
""")
"""before "with" or "to" and then a name"""
PERSONAL = listed("""
    spoke speak talked met discussed rounds rounded book booked appointment appt ask asked asking paged called
    notified contacted informed texted phoned emailed conferred consulted staffed
""")
"""what is done with people alone"""
_ASKING = listed("ask asked asking asks look looked looking wait waited waiting call called calling book")
"""before "for" and then a name"""
_SENT = listed("report reports letter note notes call calls referral records message fax recs consult email")
"""before "from" and then a name"""
_CALLED = listed("formerly née nee aka alias nicknamed")
"""before what somebody is called as well"""
_WRITTEN_ON = listed("label labels bottle sticker band wristband bracelet card tag chart sign name badge")
"""what a name may be read from"""
_ROLES = listed("""
    visitor roommate teacher lawyer landlord interpreter supervisor reviewer attending resident fellow aide
    liaison rep representative sitter tech technician therapist navigator coordinator caseworker pharmacist
    dietitian counselor counsellor worker manager gp pcp poa dpoa hcp nok friend neighbor neighbour boss
    fiance fiancee medic
    paramedic surgeon physician anesthesiologist cardiologist oncologist neurologist urologist hospitalist
    intensivist psychiatrist psychologist dermatologist dentist pediatrician internist nephrologist
    endocrinologist gastroenterologist hematologist rheumatologist pulmonologist ophthalmologist optometrist
    podiatrist pathologist radiologist consultant registrar intern preceptor caregiver caretaker carer
    guardian inmate donor witness sponsor employer hospitalist scribe proxy physiotherapist endodontist
    orthodontist hygienist audiologist trainer bystander housemate flatmate godmother godfather stepson
    mgr rep coworker classmate phleb
    attg attnd emt pmd vorb torb rounder recipient attendant recorder leader monitor claimant fob courier
""")
"""what somebody is, right before their name: "Supervisor du Plessis", "roommate Ana"."""
PATIENT = listed("""
    pt patient client resident veteran infant baby child boy girl gentleman lady
""")
SAYING = listed("""
    states stated says said reports reported denies denied complains complained admits endorses endorsed
    notes called calls is was has had presents presented lives resides works agrees agreed verbalized
    verbalizes asks asked requests requested continues continued tolerated appears appeared remains
    underwent will would wants returned returns came arrived visited brought understands understood feels
    felt tells told drove stayed signed does did smokes drinks describes described
""")
DOING = listed("""
    states stated says said reports reported denies denied complains complained admits endorses endorsed
    lives resides works worked agrees agreed verbalized verbalizes asks asked requests requested wants wanted
    returned came arrived visited brought understands understood feels felt tells told drove smokes drinks
    describes described gave gives takes took quit runs ran moved slid heard answers answered explained
    explains paged notified called calls phoned left drives walks walked sleeps slept eats ate likes loves
    enjoys hopes thinks thought believes knows knew sees saw needs refuses refused declined declines prefers
    speaks spoke teaches taught studies attends attended plays retired married divorced lost fell helps
    helped manages cooks mentions mentioned recalls remembers worries worried insists
    insisted wrote writes emailed texted met lives grew went goes wishes
    appears seems sounded sat stood cried laughed yelled became aware lifts smoked drank consented
    counseled pays paid sends sent
""")
"""what people do: after a word that is a name and something else, too, it tells which is meant"""
THINGS = listed("""
    sign test grade type class stage score scale criteria classification procedure maneuver manoeuvre
    extension extensions flexion exercise exercises valve catheter drain jacket collar brace splint cast wrap
    bandage dressing screen screening nodule nodules node nodes lesion lesions fracture disease syndrome
    phenomenon reflex stain tube line needle forceps retractor clamp suture sutures lift chair bed walker
    boot boots sling stocking stockings hose monitor machine mask cannula airway blade scope probe stent
    graft shunt filter pump port device implant lens frame fixator pin pins wire wires screw screws rod plate
    lymphoma sarcoma tumor tumour carcinoma cyst hernia ulcer palsy contracture thyroiditis esophagus
    esophagitis angina index equation formula position incision approach technique method protocol regimen
    diet solution agar culture card chart tests fields field bodies body cells cell anastomosis triad
    titration repair operation tongs pouch ring rings loop flap hallucinations kit straps wrench tank
""")
"""what is named after somebody, or after a place: "McKenzie extension", "Ahmed valve", "Denver screen"."""
SURE_THINGS = listed("""
    sign criteria classification maneuver manoeuvre nodule nodules disease syndrome phenomenon fracture
    esophagitis
""")
"""what hardly belongs to somebody who is named in full"""
GRADES = listed("grade type class stage")
"""what somebody who is named in full may be followed by, in a list of problems"""
OWNED = listed("""
    office chart room family nurse clinic team note notes request permission care practice voicemail son
    daughter husband wife mother father sister brother medications meds insurance appointment condition
    drops pills glasses inhaler walker
""")
"""what somebody has, after "'s\""""
NOT_INITIALS = listed("""
    type grade group class hepatitis vitamin lead plan factor protein stage level part phase section
    appendix vit hep unit ward pod room bed influenza strep streptococcus immunoglobulin complement option
    figure table item point step ld b c
""")
_KIN = int(Mark.RELATIVE)
_OPENING = frozenset("\"“‘'([*_<|")


@dataclass(frozen=True, slots=True)
class Cue:
    """What stands before a name: which sort, how much it is worth, and whose name it makes it."""

    sort: str
    certainty: float
    label: str = ""


_DOCTOR = Cue("title", 0.96, "doctor")
_TITLE = Cue("title", 0.96)
_TITLE_WORD = Cue("title word", 0.88)
_LABEL = Cue("label", 0.92)
_RELATIVE = Cue("relative", 0.9, "relative")
_ACTING = Cue("acting", 0.86)
_MET = Cue("met", 0.8)
_ROLE = Cue("role", 0.86)
_ADDRESS = Cue("address", 0.92)
_PATIENT = Cue("patient", 0.85, "patient")


def cue_before(read: Reading, place: int) -> Cue | None:
    """Return what announces a name at a token, if anything does."""
    at = place - 1
    words = read.tokens.words
    while at >= 0 and words[at] in _OPENING and place - at <= 3:
        at -= 1
    if at < 0:
        return None
    word = words[at].lower()
    if word == "." and at and read.glued(at - 1):
        title = words[at - 1].lower()
        if title == "med" and at > 1:
            title = words[at - 3].lower() if words[at - 2] == "." else words[at - 2].lower()
        wrapped = read.line_start(at + 1) and not _is_street(read, at - 1) and read.word(place + 1) != ":"
        near = read.beside(at) or at + 1 < place or wrapped
        if title in TITLES and near and not _is_unit(read, at - 1):
            return _DOCTOR if title in _DOCTORS else _TITLE
        if title in TITLE_WORDS and len(title) < 5 and read.beside(at):
            return _TITLE
        return None
    if word in TITLES and read.beside(at) and not _is_unit(read, at):
        return _DOCTOR if word in _DOCTORS else _TITLE
    if word in (":", "#", "=") or (word == "-" and at and read.word(at - 1) in LABELS and not read.glued(at)):
        return _labelled(read, at - 1)
    if read.line_start(place):
        return _ADDRESS if _closes(read, at) else None
    if word in _WITHOUT_COLON and (not read.beside(at) or read.word(at - 1) in _NAME_LABELS):
        return _LABEL
    if read.facts[at] & _KIN:
        return _RELATIVE
    if word in TITLE_WORDS:
        return _TITLE_WORD
    if word in ADDRESSING:
        return _ADDRESS
    before = read.word(at - 1)
    if word in _CALLED or (word == "by" and before in ("goes", "went", "go")):
        return _LABEL
    if word in ("by", "per"):
        return _ACTING if word == "per" or before in _DONE_BY or read.line_start(at - 1) else _MET
    if word in ("with", "to", "w") or (word == "/" and before == "w"):
        meets = before in _MEETING or before in _MEETINGS
        return _MET if meets or word in ("w", "/") or _met_up(read, at) else None
    if (word == "for" and before in _ASKING) or (word == "from" and before in _SENT):
        return _MET
    if word in ("says", "reads", "said") and before in _WRITTEN_ON:
        return _ACTING
    if word in _MEETING or (word in ("named", "called")):
        return _MET
    if word in _ROLES and read.beside(at):
        return _ROLE
    if word in PATIENT:
        return _PATIENT
    if word in ("is", "was") and (before in _ROLES or before in TITLE_WORDS or before == "this"):
        return _ROLE
    if word in _LABELLED and at + 1 < place:
        return _LABEL
    if word in _CLOSING_MARKS and before in CLOSING:
        return _ADDRESS
    if word in (",", "is", "(", "named", "name") and at:
        back = at - 1
        while back > 0 and (read.word(back) in _LINKING):
            back -= 1
        if read.facts[back] & _KIN and read.beside(back) and place - back <= 6:
            return _RELATIVE
        if word == "is" and before == "name":
            return _LABEL
    if word in ("of", "to") and read.facts[at - 1] & _KIN:
        return _RELATIVE
    return None


def _is_street(read: Reading, at: int) -> bool:
    """Say whether "Dr." ends a line as the end of a street: "1848 Mill Dr."."""
    return bool(read.fact(at - 1) & RAISED)


def _is_unit(read: Reading, at: int) -> bool:
    """Say whether "ms" after a number is a time, and no title."""
    return read.word(at) == "ms" and read.tokens.words[at].islower() and bool(read.fact(at - 1) & NUMBER)


def _met_up(read: Reading, at: int) -> bool:
    """Say whether "with" or "to" follows "up", "back" or "over" after a word of meeting: "follow up with"."""
    return read.word(at - 1) in ("up", "back", "over", "u") and (
        read.word(at - 2) in _MEETING or read.word(at - 2) in ("/", "follow", "following", "call", "calls")
    )


_LABELLED = frozenset(("labeled", "labelled", "marked", "identified", "reads", "reading", "as"))
_DOCTORS = frozenset(("dr", "drs", "prof"))
_WITHOUT_COLON = frozenset(
    ("name", "patient", "physician", "provider", "attending", "pcp", "surgeon", "mother", "father")
)
_NAME_LABELS = listed("""
    patient first last full legal given family preferred maiden middle pt my whose
""")
_LINKING = frozenset(("is", ",", "(", "named", "name", "whose", "s", "'", "’", "his", "her", "the"))


_CLOSING_MARKS = frozenset(",.!-–—")


def _closes(read: Reading, at: int) -> bool:
    """Say whether the line before closes a letter: "Sincerely," and then the name."""
    if read.tokens.words[at] in _CLOSING_MARKS:
        at -= 1
    return read.word(at) in CLOSING


def _labelled(read: Reading, at: int) -> Cue | None:
    """Judge the words before a colon."""
    back = at
    while back >= 0 and at - back < 6:
        word = read.word(back)
        if word in ("(", ")", "s", "'", "’", "/", "-", ".", "#"):
            back -= 1
            continue
        if word in LABELS or read.facts[back] & _KIN:
            doctor = word in (
                "physician",
                "doctor",
                "attending",
                "surgeon",
                "provider",
                "pathologist",
                "radiologist",
            )
            return Cue(
                "label", _LABEL.certainty, "doctor" if doctor else "patient" if word in PATIENT else ""
            )
        if word in ("name", "names", "id") or (word in _DONE_BY and back == at):
            return _LABEL
        return None
    return None


def credential_at(read: Reading, place: int) -> int:
    """Return where a credential ends that begins at a token (``MD``, ``M.D.``); the token if none does."""
    words = read.tokens.words
    if place >= len(words):
        return place
    word = words[place]
    if word.lower() in CREDENTIALS and (word.isupper() or word in _MIXED):
        return place + 1
    spelt = ""
    at = place
    while at < len(words) and len(spelt) < 4 and len(words[at]) <= 2 and words[at][0].isalpha():
        spelt += words[at].lower()
        if spelt in _DOTTED:
            dotted = at > place or len(words[at]) > 1
            return at + 1 if dotted else place
        if not (at + 1 < len(words) and words[at + 1] == "." and read.glued(at)):
            return place
        at += 2
        if spelt in _DOTTED:
            return at
    return place


_ALSO_WORDS = frozenset(("MS", "CT", "DO", "PA", "CNS", "LD", "MA", "MT", "ND", "OCN"))
"""credentials that are states, tests or words as well, unless a comma stands before them"""


def credential_after(read: Reading, end: int) -> bool:
    """Say whether a credential follows a name: ``, M.D.``, `` RN`` or `` - PhD``."""
    words = read.tokens.words
    at = end
    comma = at < len(words) and words[at] in ",-–("
    if comma:
        at += 1
    if at >= len(words) or not read.beside(at - 1):
        return False
    if credential_at(read, at) == at:
        return comma and words[at] in _LOWER_CREDENTIALS and bool(read.facts[end - 1] & LOWER)
    word = words[at]
    if read.word(at + 1) == "-" and read.fact(at + 2) & NUMBER:
        return False
    return comma or word not in _ALSO_WORDS or read.word(at + 1) in ("-", ",")


def relative_after(read: Reading, end: int) -> bool:
    """Say whether what follows tells who it is: ``, her daughter`` or ``(son)``."""
    words = read.tokens.words
    if end >= len(words) or words[end] not in (",", "("):
        return False
    at = end + 1
    if read.word(at) in ("his", "her", "the", "their", "patient", "pt"):
        at += 1
        if read.word(at) in ("'", "’"):
            at += 2
    return bool(read.fact(at) & _KIN)
