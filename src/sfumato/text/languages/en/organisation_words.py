"""Words in and before the names of organisations in English notes."""

from __future__ import annotations

from sfumato.text.folding import listed

CORE = listed("""
    hospital hospitals hosp clinic clinics infirmary sanatorium sanitarium hospice center centre centers
    healthcare rehabilitation rehab pharmacy pharmacies polyclinic system vamc medical health nursing home
    laboratory laboratories
""")
"""ends of names of places where people are treated"""
WEAK = listed("medical health nursing rehabilitation rehab system laboratory laboratories")
"""of these, those that stand in other phrases as well"""
COMPANY_ENDS = listed("""
    ltd limited inc incorporated llc llp plc corp corporation co company gmbh ag bv nv pty holdings group
    sons bros partners associates enterprises industries
""")
OF_FIRST = listed("""
    university college hospital school institute department bank church clinic center centre academy
    ministry foundation city
""")
"""words after which "of" goes on: University of …"""
OF_A_PLACE = listed("""
    university univ college bank city town village county diocese archdiocese borough township port parish
""")
"""of these, those that a place follows, so that any word of its own is telling"""
MORE_ENDS = listed("""
    district foundry mill mills factory plant garage farm farms ranch press studio studios salon gym
    dealership depot warehouse shipyard winery nursery cannery tannery distillery quarry utilities freight
    trucking transit telecom media software technologies technology electronics foods dairy orchards
    textiles chemicals steel lumber roofing paving landscaping catering cleaners laundry florist realty
    properties capital ventures investments securities works yard yards docks ironworks steelworks sawmill
    refinery mine mines colliery boatyard bottling packing printing publishing hardware auto tire tires
    appliance furniture outfitters charter cooperative co-op coop poultry diner endodontics orthodontics
    snf ltac alf daycare living residence gardens estates commons retirement
    periodontics diagnostics dental police drug drugs dispatch ambulance airlines cab taxi movers storage
""")
"""ends of names of employers that are ordinary words: believed only with a word of its own before them"""
ABBREVIATED = listed("""
    univ hosp med ctr reg mem gen comm natl dept inst bros st ste mt ft assoc intl mfg dist
""")
"""words of names that are cut short with a full stop"""
NAMED_ENDS = listed("memorial general regional baptist methodist presbyterian lutheran sinai vamc")
"""words that names of hospitals end with when "Hospital" is left out"""
LOWER_HEADS = listed("clinic hospital pharmacy practice ranch shelter office nursery bakery store school")
"""what a place is called after a name in running text: the Selby clinic"""
FIRM_CUES = frozenset(("from", "at", "for", "by", "with", "to", "of", "("))
"""before a firm that is called after its partners"""
TWO_WORD_LABELS = frozenset((("funeral", "home"), ("donor", "center"), ("donor", "centre"), ("care", "home")))
CONNECTING = frozenset(("of", "the", "and", "for", "&", "de", "la"))
EMPLOYING = listed("""
    hauls flies runs foreman welder cook mechanic electrician carpenter plumber clerks machinist baker
    waitress waiter
    works work worked working drives drove clerk employed volunteers volunteered consults manager driver
    technician contractor interned cashier nurse teacher engineer supervisor accountant plays sells played
""")
ANNOUNCING = listed("""
    works work worked working employed retired employee job position volunteers volunteered hired laid fired
    student studies teaches taught studied graduated attends attended enrolled school
""")
LABELS = listed("""
    employer employers company school hospital facility clinic workplace pharmacy organization organisation
    institution agency employment occupation work university site practice lab laboratory
""")
NEVER_FIRST = listed("""
    the a an at to from in on by for with and or of if as is was were has had be seen see patient pt
    admitted admit transfer transferred transferring discharge discharged discharging referred referring per
    via our your his her their this that these those he she they we i you it admission date phone fax name
    address employer he's she's please call called contact visit visited follow followed presented sent
    received performed dr mr mrs ms dear re cc sincerely attn location facility site hospital: when while
    after before during since until once will may can could would should also then there here today
    yesterday tomorrow no not none
""")
GENERAL = listed("""
    study trial blinded rescue investigational illicit street
    unified consolidated independent joint regional metropolitan metro
    general regional memorial community university medical health healthcare system systems center centre
    clinic hospital hospitals department emergency urgent primary secondary tertiary care unit intensive
    surgical surgery ambulatory outpatient inpatient family internal medicine pediatric pediatrics
    paediatric children's children childrens women womens women's men mens men's veterans va county state
    city national federal public private local rehabilitation rehab nursing home homes skilled facility
    assisted living long term short acute sub subacute hospice palliative physical occupational speech
    therapy mental behavioral psychiatric psychiatry psychology substance abuse cancer oncology hematology
    cardiology cardiac heart vascular stroke trauma burn wound pain sleep diabetes endocrine endocrinology
    renal kidney dialysis transplant liver lung pulmonary eye ear nose throat dental dermatology skin bone
    joint spine orthopedic orthopaedic orthopedics sports neurology neurosurgery neuro brain birth birthing
    maternity labor delivery obstetrics gynecology ob gyn neonatal imaging radiology mri ct diagnostic
    diagnostics laboratory laboratories lab labs pathology blood bank pharmacy specialty specialists
    specialist physicians doctors group associates services service office program programs project division
    section ward floor room suite building tower pavilion wing campus annex north south east west main
    central first second third fourth new old free-standing outside same day walk in infusion chemotherapy
    radiation nuclear teaching academic research education educational school college elementary middle high
    adult senior elder youth child adolescent student staff employee company insurance life plan management
    case social work worker infection control quality risk information records record registration
    admissions admitting billing financial international american united states us usa u.s. human resources
    travel anticoagulation coumadin preop preoperative postop anesthesia procedure endoscopy gi urology
    nephrology rheumatology allergy immunology infectious disease diseases fertility immunization vaccine
    vaccination covid flu testing screening wellness prevention preventive weight loss nutrition bariatric
    hand foot ankle hip knee shoulder back neck head breast prostate colon rectal thyroid foundation trust
    society association institute agency council authority church temple ministry bureau army navy air force
    military police fire red cross blue shield store stores market nurse nurses visiting chronic critical
    access crisis shelter correctional jail prison justice court legal custody support housing resource
    recovery detox rehabilitative restorative geriatric respiratory transitional step down stepdown
    telemetry observation progressive holding operating
""")
