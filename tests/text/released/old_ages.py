"""Ages over 89 in many wordings, and numbers of the same size that are none."""

from __future__ import annotations


def listed(block: str) -> list[str]:
    """Return the phrases of a block."""
    return [phrase.strip() for line in block.strip().split("\n") for phrase in line.split(" | ")]


ENGLISH = """
Eleanor is 93. | She is 93. | He was 97 when he fell. | Pt is 91 and frail.
The patient, 94, lives alone. | Age 92. | Age: 101 | Aged 95 | A 90-year-old woman
a 90 year old man | 99 y/o male | 99yo F | 99 y.o. female | 102 yrs | 102 yrs old | 102 yrs.
Patient is 102 yrs. | 101 years of age | 101 years old | ninety three | ninety-three
She is ninety three. | He is ninety-four years old. | a ninety-five-year-old man | ninety six yo
one hundred and two years old | one hundred two | She turned one hundred. | He is a hundred and one.
GM deceased 101 | father d. 94 | mother d. 97 of CHF | Father died 93. | Father died at 93.
Father died at age 93 | Mother died aged 96 | Mother passed at 98
mother passed away at the age of 91 | Grandmother lived to 103. | Grandfather lived to be 100
Father (d. 92) | Mother (deceased, 95) | Mother, 96, has dementia | mother 96 alive
Mother alive at 94 | MGM 98, healthy | PGF d. 91 MI | MGF died 99 | Father: 93, HTN
Mother - 91 - DM | Father, deceased (94) | Dad is 92 and has HTN | Mom 95 | sister 90, alive and well
Brother, age 91 | Husband is 93 and demented | wife (94) | Eleanor Whitfield, 93, was seen.
Mrs. Whitfield is 93. | Whitfield is 93 and weak. | Mr. Brown (95) | Ada, 99 | Ada is now 99.
Ada just turned 99 | Ada is almost 100. | Ada is nearly 98 | Ada will be 95 next month
she'll be 95 in May | his 95th birthday | celebrated her 100th birthday | his ninetieth birthday
her ninety-fifth birthday | in her 90s | in his nineties | in her early nineties
a man in his mid 90s | a nonagenarian | centenarian | a man in his 10th decade | 96F | 96M with cough
96 F presents | F 96 | male, 96 | Female, 91 | M/92 | 92/M | F, 97 y | 97 y F | 97y | 97yr | 97 yr F
97 year-old | 97-yr-old | 97 yo. | a 97 y o man | DOB 1/1/1930 (96) | 91 y.o. | 91 years
is 91 years | He is 91 years young | age of 91 | at 91 years of age | at age 95 | since age 91
until age 93 | at 92, she fell | At 92 he was still driving. | by 93 he could not walk
when she was 94 | when he was 94 | now 94 | currently 94 | who is 94 | aged ninety | age ninety-two
over 90 years old | older than 95 | 90-something woman | Pt's age is 95 | patient age 95
Age (years): 95 | Age/Sex: 95/F | Sex/Age: F/95 | Age=95 | AGE 95 Y | 95 Y F | 95Y | 95 Y/O
95 y / o | 95-y-o | 95-yo | 95 or so years | Elderly lady of 96 | a woman of 97 | a lady aged 98
a frail 94 F | this 94 M | 94 WF | 94 BM | 94 yo WM | 94yoWF | Eleanor (93) | Eleanor, age 93,
Eleanor, aged 93 | the 93-yo | the 94-year old | grandmother, 97, died | great-grandmother is 101.
aunt died age 99 | uncle 92 d. stroke | FH: father 94 CAD, mother 91
Family history: mother 97, father d. 90 | Mother d. age 97 | M: 93 (dec.) | F: d. 96
parents 91 and 93 | parents are 91 and 94 | her parents, 92 and 95, live nearby
siblings aged 90, 92 and 95 | sons 65 and 67, mother 96 | Patient reports being 93 | claims to be 101
says he is 104 | reported age 96 | stated age 95 | appears younger than her 93 years
looks younger than 94 | At the age of ninety-one he moved. | Ninety-year-old male | 91-year-old-male
The 96 year-old | a 98 years old gentleman | 108 y/o | 110-year-old | 112 years old | resident, 95
caregiver is 91 | the spouse is 90 | her husband of 95 | Mother (95, DM) | Mother: 95 y | mother 95yo
Mother - age 95 | dec'd age 96 | expired at 97 | expired at age 97 | deceased at 97 | deceased age 97
DOD age 97 | survived by wife, 91 | lives with mother, 95 | lives with her 97 mother
cares for mother (98) | Lived until 96 | lived to the age of 97 | She reached 100 | made it to 101
Mr. Lewis, now 97, | Ms Jones, who is 95, | Mrs. Vega is a spry 96. | She's 95 | he's 93. | I'm 92
I am 92 years | I'm 92 years old | turning 95 | turns 95 in June | turned 90 last week
nearly ninety | almost ninety-two | just shy of 100 | 95 + yo | 95 (F) | (95F) | [95 F] | 95 y.o.w.m.
93 AA F | HPI: 93 F w/ CP | CC: 95 M s/p fall | Pt 95 y F | Pt: 95 | Patient: 95 F
Harold is 94 and lives independently. | Mrs. Okafor, a widow of 92, presents today.
My mother is 99. | Her mom, 93, has Alzheimer's. | His dad died at ninety-one.
Pt's mother died of a stroke at 95. | Pt's father died of MI at 97. | Father died of old age (96).
Grandma passed away last year at 101. | Mother still living, 94. | Mother living, age 98.
Father deceased at age 92, CVA. | Mother deceased @ 95. | Father deceased, 91, lung ca
The patient is a 93 year old | The pt is a very pleasant 95-year-old
95 year old right-handed female | This 96-year-old | Pleasant 97 yo lady | elderly 92 y/o
92-year-old's | a 91-y/o | Age: 93 years | Age: 93y | Age 93 yrs | AGE: 93 YO | Age - 93
age approx 95 | age approximately ninety | aged about 95 | aged 91-92 | ages 91 and 94
Her age is 92. | Given her age of 94, surgery was declined.
Given age (94), conservative management. | given advanced age of 96 | due to age (97)
at the advanced age of 98 | Considering that she is 95, we will not operate.
Because he is 96 we defer. | Since she is 91, no screening. | Although 93, she is active.
Despite being 94, he drives. | Even at 95 he gardens. | Now 96, she uses a walker.
At 97 she remains sharp. | she turned 98 yesterday | he turns 90 on Friday | will turn 93 in March
about to turn 100 | She recently turned 91. | celebrating his 92nd birthday | on her 99th birthday
her hundredth birthday | hundred year old man | a hundred-year-old woman
a one-hundred-year-old woman | one-hundred-and-one-year-old | He is one hundred years old.
he's ninety-two | She is ninety. | She's almost ninety. | He was ninety-nine when he died.
died in his nineties | lived into her nineties | lived into his 90s | mother died in her late 90s
in her mid-nineties | in his late nineties | mid-90s female | early-90s man | 90s female
a woman in her tenth decade | a supercentenarian | a centenarian woman | nonagenarian male
three nonagenarian siblings | 93 y.o. M | 93-yo M | 93yo | 93 YO M | 93YOF | 93y F | 93y/o | 93 Y M
M 93Y | 93 yr old | 93yr old | 93 yrs of age | 93 yrs young | F/93 | M, 93 | 93, M | 93, male
93 male | 93 female with | (93 M) | 93/F/white | 93 y white F | Dr. Smith saw Edith (93).
Edith Whitfield (age 93) | Edith Whitfield [93] | Edith, who is 93, fell. | Edith turned 93.
Edith was 93 at the time. | Edith, at 93, is well. | Edith will be 94 soon. | Neighbor Edith is 93.
Sister Ruth, 91, visits. | Brother John (94) drives her. | Two sisters, 90 and 93. | Siblings: 91, 93
Parents: mother 92, father deceased 96 | mother dec. 94 | father dec 95 | MGF: d 93
PGM: d. 99 "old age" | mat gm 97 | maternal grandmother, 98, breast ca
paternal grandfather died age 90 | gfather lived to 94 | great aunt 103 | husband d. 2019 at 91
spouse age 90 | Wife 91 in SNF | wife, 90yo, at home | Caregiver: wife (91) | Lives w/ husband (95)
Lives with 92 yo wife | lives with her husband, who is 96 | cares for 98-year-old mother | I am 93.
I'm 94 years old | "I'm 95," she says | states "I am 96" | he told me he was 97 | reports she is 98
patient says she's 101 | claims he's 105 | she will be 100 | a patient aged 103
a resident aged 104 years | the 105-year-old resident | oldest patient, 107 | Age at death: 92
age at diagnosis 91 | age at onset: 90 | diagnosed at 91 | diagnosed at age 92 | had a stroke at 93
widowed at 90 | retired driver license at 91 | onset at ninety | first seizure at age ninety-one
admitted at 94 years | Patient Age: 99 | Pt age=98 | Age(y) 97 | Age, y: 96 | Age [95]
DOB 3/4/1930 age 96 | DOB: 03/04/1931, 95 yo | born 1930, now 95 | b. 1930 (age 95) | 95 years-old
95 years-young | 95years | 95 yrs/old | 95 year young | 95 summers old | 95 yo/F | 95 y.o F
pt is 95. | Pt 95 yo | pt, 95, c/o pain | Patient (95) c/o | The patient is 95 | This patient is 91.
Our patient is 92. | The gentleman is 93. | the lady is 94 | he is 95! | She is a 96
she is 97, frail | She is 98; frail | he is 99 - frail | she is 100 now | He is now 101
He will soon be 102 | Ms. Lee is 103 today | Mr. Ode was 104 | Mr Park, 105, fell | Mrs Kim (106)
Miss Chu is aged 107 | over 95 years of age | more than 90 years old | > 90 years old | >95 yo
greater than 90 years of age | well over 90 | well into her 90s | pushing 100 | nearing 95
approaching 96 | PATIENT IS 93. | MOTHER DIED AT 94. | ELEANOR IS 93.
THE PATIENT IS A 95 YEAR OLD MALE | 93 YEAR-OLD WITH COPD | FATHER: 96, LIVING
HPI: Mrs. Vance is 91, lives alone | FHx: mother d.97, father d.94 | FHx - M 95 A&W, F dec 91
Mother A&W at 93 | Mother a/w 94 | mo 95, fa 97 | Grandmother (maternal): died 97
Maternal GM: 99, DM2 | Sib: bro 90 | wife is 90 yrs | spouse 93 yrs old | her 93-year-old sister
a sister of 94 | his older brother, 97 | an aunt, age 101 | Ms. Ito turned 95.
Ms. Ito, 95 yrs, fell | Ito is 95 years | Wekesa, 91, fell. | Wekesa (91) fell.
Wekesa, age 91, fell | Name: Ada Wekesa  Age: 91 | Name: Ada Wekesa, 91 | Ada Wekesa 91 F
Ada Wekesa, 91F | Ada Wekesa 91yo | Pt Ada Wekesa age 91 c/o | 91-year-old Ada
the 91-year-old Ms. Wekesa | our 92-year-old patient | this ninety-two-year-old
Ninety-two-year-old woman | A ninety two yo | She is ninety-two and well. | He is ninety
at ninety-three | at age ninety three | age: ninety-four | mother died at ninety-seven
lived to ninety-eight | lived to be a hundred | lived to be one hundred and four
turned one hundred and one | she is a hundred | over a hundred years old | 102 year old
102-year-old | 102 y.o. | 103 yo M | 104yF | 105 years | 106 yrs | 107 y/o F | 108 years old
at 109 years of age | aged 110 | patient is 111 years old | Patient, age 92, was admitted
92 year old admitted | admitted a 92 yo | This is a 92 yo | Ms. A is a 92 yo | s/p fall, 92 yo
92yo s/p fall | 92 F s/p fall | 92M | 92 M | 92-M | 92 y M | (92 y) | 92 y, F | 92a | Age 92 Sex F
Sex F Age 92 | F 92y | 92 years; female | female of 92 years | female aged 92 | woman, 92 years
man (92 years) | gentleman, 92 | a lady, 92, | old man of 92 | patient of 92 years
on his 92 birthday | her 92nd year | in his 93rd year | in the 94th year of life | 95th year
has lived 95 years | 95 years on this earth | in her 95 years | at her age (95) | at your age of 95
you are 95 | You're 95 | Your mother is 95 | you will be 96 | since you are 97 | he is ~95
she is approx. 95 | she is approximately 96 years | age ~95 | age >95
"""
"""as clinicians write them: family histories, letters, headings, direct speech"""
SPANISH = """
Paciente de 91 años | mujer de 95 años | varón de noventa y tres años | Edad: 97 | edad de 92 años
a los 94 años | con 96 años | tiene 93 años | Tiene 98 | cumplió 100 años | cumple 95
su madre, de 97 años, | padre fallecido a los 91 | madre falleció con 96 años | abuela de 101 años
nonagenaria | centenario | a sus 95 años | Paciente 93 a. | noventa años | cien años
ciento dos años | noventa y cinco años | murió a los 99 | Mujer, 92 | Mujer (92 años)
92 años de edad | Edad 92 a | de 90 años | 90 años
"""
"""with and without their unit"""
NO_AGES = """
BP 95/60 | BP was 110/95 today | blood pressure of 98 over 60 | HR 95 | HR is 95 and regular
heart rate was 102 | pulse 98 and regular | Pulse: 96 | P 97 | RR 16, HR 101 | O2 sat 97% on RA
sat is 95 | She is 97% on room air | He is 94 on room air | Pt is 95 on 2L | satting 96 on RA
SpO2 98 | sats in the low 90s | systolic in the 90s | SBP 90s-100s | temp 99 | Temp 101 F | T 98.6
Tmax 101 | T 99.1, P 98 | fever to 102 | febrile to 103 | Temperature: 98 F | glucose 95
Glucose is 97 | Blood sugar was 110 | fasting sugar of 98 | FSBG 101 | Na 139, Cl 101 | Chloride 99
Cl: 102 | K 4.1, BUN 95 | LDL 99 | LDL 110, HDL 90 | HDL of 91 | Ferritin was 92 | platelets 98
Plt 101 | WBC 9.5 | Hgb 9.8 | MCV 92 | MCV 95, MCH 30 | GFR 92 | eGFR > 90 | creatinine clearance 91
CK 120 | AST 95 ALT 101 | alk phos 99 | amylase 92 | lipase 110 | PSA 91 | TSH 1.2 | troponin 95
BNP 98 | weight 98 kg | Weight was 95 | wt 101 | weighs 105 pounds | she weighs 110 lbs
He was 98 kg last year | height 95 cm | BMI 29, weight 99 | gained 95 pounds over years
100 mg daily | take 100 mg | aspirin 100 | Lantus 95 units | 95 units of insulin | metoprolol 100 mg
gabapentin 100 | Synthroid 112 mcg | levothyroxine 100 mcg | Tylenol 100 mg | Room 95 | Room 112
room 101, bed 2 | in room 99 | bed 95 | Unit 96 | Apt 101 | lot 95 | extension 112 | Highway 95
I-95 | Route 101 | Interstate 90 | page 95 | case 101 | #95 | No. 95 | code 99 | 99 percent
ninety percent | ninety degrees | ninety minutes | ninety days | one hundred percent | one hundred mg
a hundred times | over one hundred feet | ambulated 100 feet | walks 95 steps | 95 minutes
100 minutes of exercise | 95 days | 90 days | 90-day supply | for 90 days | 90 tablets | dispense 90
#90 with 3 refills | quantity 90 | qty 100 | 90 degrees of flexion | flexion to 110
flexion 0 to 110 | ROM 0-110 | range of motion is 95 | abduction 95 degrees | knee flexion is 120
flexed to 95 | 120 ml | 100 cc of fluid | EBL 100 | estimated blood loss 95 cc | drained 110
output of 95 | UOP 95 | FiO2 100 | on 100 oxygen | PEEP 5 rate 95 | EF 95 | score of 95 | IQ of 95
IQ 101 | percentile 95 | 95th percentile | 90th percentile | 95 CI | 95% confidence
anion gap 9, Cl 105 | gap 95 | pCO2 95 | PO2 92 | pO2 is 95 | pH 7.4, pCO2 40, pO2 98
bicarb 24, glucose 98 | CO2 101 | dated '95 | back in '95 | since '98 | 1 in 100 | out of 100 | 1995
95 patients | 110 people | 100 calories | 95 grams | he smoked 100 packs | 100 pack years
pack-years: 95 | 100 years ago | 90 years ago | The tank is 95 gallons | The rate is 95
The dose was 100 | dose is 100 | His heart rate is 95. | Her glucose was 110. | Her weight is 99.
His BP is 98/60. | Her temperature was 99. | his pulse is 92 and regular | Her sat was 96.
The patient's pulse is 98. | The patient's weight was 101. | patient's temp was 99. | Pain is 95
mother's glucose 95 | father's BP 110/95 | mother 120/80 | father 95% occlusion
sister weighs 95 lbs | husband 98 kg | mother lives at 97 Main Street | wife drove 100 miles
son walked 95 blocks | brother had 100 seizures | Mother takes 100 mg of metoprolol | Potassium is 93
Sodium is 120 | Albumin was 95 | Cholesterol is 101 | Triglycerides 95 | Total cholesterol 110
CSF glucose 92 | PT 95 | INR 1.1 PT 101 | PTT 95 | ESR 95 | ESR was 110 | CRP 98 | DLCO 95 | FEV1 92
FEV1 is 95 | FVC 101 | peak flow 110 | MMSE 25 | Apgar 9 and 9 | CIWA 9 | PHQ-9 score
Rate 95, rhythm regular | ventricular rate of 98 | QRS 98 | QTc 95 | PR 120, QRS 95 | axis 95
He is 95 pounds | She is 110 lbs | he was 101 degrees | She was 99 this morning in triage
lives at 112 Oak Street | call 911 | dial 101 | flight 95 | bus 101 | channel 95
Vitals: 98, 101, 95 | 98 102 95 18 | T98 HR95 BP110 | HR now 95. | Temp currently 99.
weight is now 98 | Weight currently 101. | HR 88, now 95. | temp almost 101 | glucose nearly 120
pulse has turned 95 | BP down, now 98 systolic | insulin now 100 | Sugar was 140, currently 98.
Pressure almost 100. | His weight is nearly 95. | oxygen level now 92 | Lantus now 95
heart rate when she was seen was 95 | her pulse when he was seen was 98
Weight when she was admitted: 95 | dose turned up to 100 | she reached 100 feet | HR reached 110
temperature reached 101 | O2 made it to 95 | He scored 95 | She scored 100 on the test
he is 98 today on oximetry | Her age-matched score was 95 | normal for age, pulse 98
appropriate for age. HR 95 | age 45, HR 95 | mother reports temp 101 | mother states temp was 102
mom says fever 101 | mother gave 100 of ibuprofen | father notes sugar 110 | Husband reports pulse 95
Patient reports glucose 110 | pt reports sugars 95-110 | Pt reports BP 98/60 | pt with HR 95
Patient with sat 92 | pt on 100 mg | Patient on 120 daily | Dad: 911 | Mom 555-0195 | mother cell 95
died on 95 | seen by NP, 95 | Sex: F, HR 95 | Female, HR 95 | male, BP 95/60 | man with 95 percent
woman of 5 feet 95 pounds | Foley to gravity 95 cc | Bell 95 | Vitals: T 98, P 95, R 18
T: 98 P: 101 | M 98 T 95
"""
"""pressures, pulses, laboratory values, doses, rooms, weights, times, streets"""
