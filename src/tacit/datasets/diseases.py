"""Diseases: the chapter each belongs to and its symptoms, the most typical first.

The symptoms are what anybody can read in a book, and so what an outsider may hold against a published set of symptoms.
No disease's symptoms are all among another's: a complete set names one disease.
"""

from __future__ import annotations

from dataclasses import dataclass

_BOOK = """
influenza         | respiratory   | fever, cough, muscle ache, headache, chills, fatigue, sore throat
common cold       | respiratory   | runny nose, sneezing, sore throat, cough, headache
bronchitis        | respiratory   | cough, wheezing, hoarseness, sore throat, fatigue
pneumonia         | respiratory   | cough, fever, shortness of breath, chest pain, chills, fatigue
asthma            | respiratory   | wheezing, shortness of breath, chest tightness, cough
chronic bronchial obstruction | respiratory | shortness of breath, cough, wheezing, swollen legs, fatigue
hay fever         | respiratory   | sneezing, runny nose, itching, watery eyes, cough
heart disease     | circulation   | chest pain, shortness of breath, palpitations, swollen legs, fatigue
hypertension      | circulation   | headache, dizziness, blurred vision, nosebleed
stroke            | circulation   | numbness, slurred speech, confusion, dizziness, headache, blurred vision
arrhythmia        | circulation   | palpitations, dizziness, fainting, shortness of breath
thrombosis        | circulation   | leg pain, swollen legs, shortness of breath, chest pain
gastritis         | digestion     | stomach ache, nausea, heartburn, loss of appetite, vomiting
gastroenteritis   | digestion     | diarrhoea, vomiting, nausea, stomach ache, fever
stomach ulcer     | digestion     | stomach ache, heartburn, black stool, nausea, weight loss
appendicitis      | digestion     | stomach ache, fever, nausea, loss of appetite, constipation
gallstones        | digestion     | stomach ache, nausea, vomiting, jaundice, back pain
diabetes          | metabolism    | thirst, frequent urination, fatigue, blurred vision, weight loss, numbness
thyroid disorder  | metabolism    | weight loss, palpitations, sweating, tremor, insomnia
anaemia           | metabolism    | fatigue, pale skin, dizziness, shortness of breath, palpitations
kidney stones     | kidney        | back pain, blood in urine, nausea, vomiting, frequent urination
kidney infection  | kidney        | back pain, fever, frequent urination, chills, nausea
migraine          | nerves        | headache, sensitivity to light, nausea, vomiting, blurred vision
epilepsy          | nerves        | seizures, confusion, fainting, memory loss
depression        | mind          | low mood, insomnia, fatigue, loss of appetite, weight loss
anxiety disorder  | mind          | restlessness, palpitations, sweating, insomnia, tremor, chest tightness
schizophrenia     | mind          | hallucinations, low mood, confusion, insomnia, restlessness
arthritis         | bones         | joint pain, stiffness, swollen joints, fatigue
fracture          | bones         | bone pain, bruising, swelling, numbness
breast cancer     | cancer        | breast lump, skin dimpling, swollen glands, weight loss, fatigue
prostate cancer   | cancer        | frequent urination, blood in urine, bone pain, weight loss
lung cancer       | cancer        | coughing blood, cough, weight loss, chest pain, hoarseness, fatigue
tuberculosis      | infection     | coughing blood, night sweats, cough, weight loss, fever, fatigue
hepatitis B       | infection     | jaundice, dark urine, loss of appetite, vomiting, fatigue, joint pain
HIV infection     | infection     | swollen glands, night sweats, mouth ulcers, rash, weight loss, fever, fatigue
syphilis          | infection     | genital sore, rash, swollen glands, hair loss, fever
malaria           | infection     | fever, chills, sweating, headache, vomiting, jaundice
leprosy           | rare          | pale skin patches, numbness, muscle weakness, nosebleed
porphyria         | rare          | stomach ache, red urine, sensitivity to light, confusion, muscle weakness
Huntington disease | rare         | jerky movements, slurred speech, memory loss, low mood, restlessness
"""


@dataclass(frozen=True)
class Disease:
    """A disease as books describe it."""

    name: str
    chapter: str
    symptoms: tuple[str, ...]


def _read(book: str) -> tuple[Disease, ...]:
    diseases = []
    for line in book.strip().splitlines():
        name, chapter, symptoms = (cell.strip() for cell in line.split("|"))
        diseases.append(Disease(name, chapter, tuple(symptoms.split(", "))))
    return tuple(diseases)


DISEASES = _read(_BOOK)
CODE_OF = {disease.name: code for code, disease in enumerate(DISEASES)}


def knowledge() -> dict[str, tuple[str, ...]]:
    """Return the label table that an outsider may hold: every disease and its symptoms, the most typical first.

    The symptoms of `hospital` are drawn from it.

    Examples
    --------
    >>> knowledge()["asthma"]
    ('wheezing', 'shortness of breath', 'chest tightness', 'cough')
    """
    return {disease.name: disease.symptoms for disease in DISEASES}
