"""Incidence: who gets which disease, and when.

Influenza and heart disease have exact shares, since two of the planted threats rest on them: influenza is too frequent
for 3-diversity, and heart disease is common among Americans and almost unknown among Japanese. Everything else follows
age, sex, season and origin.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from tacit.arrays import Flags, FloatGrid, Floats, Ints
from tacit.datasets.diseases import CODE_OF, DISEASES
from tacit.datasets.draws import choose
from tacit.datasets.nations import CONTINENT_OF, SHARES
from tacit.datasets.shares import Shares

INFLUENZA_SHARE = 0.41
HEART_SHARES = {"American": 0.1, "Japanese": 0.003}
HEART_SHARE_ELSEWHERE = 0.05

_AGES = np.array([18, 45, 70])
# Log weights: how much likelier the disease is in a month, in a band of age, and for men. Made up, so that the table
# looks like one of a hospital.
_INFLUENZA_BY_MONTH = np.array([1.7, 1.6, 0.9, -0.3, -1.2, -2.0, -2.4, -2.4, -1.4, -0.4, 0.6, 1.5])
_INFLUENZA_BY_AGE = np.array([0.5, 0.1, -0.1, 0.1])
_HEART_BY_AGE = np.array([-4.0, -1.6, 0.5, 1.3])
_HEART_OF_MEN = 0.5

# Per line: a disease, its weight, then factors by age (up to 17, 44, 69, older), by sex (women, men), by season
# (winter, spring, summer, autumn) and by origin.
_RATES = """
common cold       | 90 | 3 1 .7 .6    | 1 1     | 3 1.5 .4 1.5  |
bronchitis        | 50 | 1.5 .6 1 1.5 | 1 1     | 2 1 .4 1.2    |
pneumonia         | 520 | 1.5 .3 1 2.5 | 1 1.3   | 2 1 .5 1      |
asthma            | 40 | 2.5 1 .7 .5  | 1.2 1   | .8 1.6 1 .9   |
chronic bronchial obstruction | 40 | 0 .1 1.5 2 | .8 1.3 | 1.3 1 .8 1 | European 1.2
hay fever         | 30 | 2 1.5 .6 .3  | 1 1     | .1 3.5 2 .3   | Japanese 1.5
hypertension      | 70 | 0 .5 1.5 1.5 | 1 1     | 1 1 1 1       | African 2, Japanese 1.3
stroke            | 35 | 0 .1 1 2.5   | 1 1.1   | 1.2 1 .9 1    | Japanese 1.6
arrhythmia        | 30 | .1 .4 1 2    | 1 1     | 1 1 1 1       |
thrombosis        | 20 | 0 .7 1.2 1.3 | 1.2 1   | 1 1 1.2 1     | Asian .4
gastritis         | 45 | .5 1 1.1 .9  | 1 1     | 1 1 1 1       | Asian 1.8
gastroenteritis   | 420 | 2.5 1 .7 .7  | 1 1     | 1.3 .8 1.4 .8 |
stomach ulcer     | 25 | .1 .8 1.4 1  | .8 1.3  | 1 1 1 1       | Asian 2
appendicitis      | 30 | 2 1.4 .5 .2  | 1 1.2   | 1 1 1.2 1     |
gallstones        | 30 | 0 1 1.3 1    | 2 1     | 1 1 1 1       | South American 1.8, Mexican 1.8
diabetes          | 60 | .3 .6 1.6 1.3 | 1 1.1  | 1 1 1 1       | Mexican 2, Indian 2.2, Samoan 3
thyroid disorder  | 20 | .1 1.2 1.2 .8 | 4 1    | 1 1 1 1       |
anaemia           | 25 | 1 1.3 .7 1.3 | 2 1     | 1 1 1 1       | African 1.8
kidney stones     | 25 | .1 1.2 1.2 .7 | .7 1.5 | .9 1 1.5 1    |
kidney infection  | 30 | .8 1.2 .8 1.3 | 3 1    | 1 1 1.2 1     |
migraine          | 30 | .8 1.8 .8 .2 | 2.5 1   | 1 1 1 1       |
epilepsy          | 12 | 1.5 1 .8 1   | 1 1     | 1 1 1 1       |
depression        | 35 | .5 1.5 1.1 .6 | 1.8 1  | 1.4 1 .7 1.3  |
anxiety disorder  | 25 | .8 1.8 .8 .3 | 1.7 1   | 1 1 1 1       |
schizophrenia     | 8  | .1 1.8 .9 .3 | 1 1.3   | 1 1 1 1       |
arthritis         | 40 | .1 .3 1.4 2  | 1.7 1   | 1.1 1 .9 1.1  |
fracture          | 70 | 1.6 .9 .7 1.6 | 1 1.2  | 1.3 .9 1.2 .8 |
breast cancer     | 18 | 0 .4 1.6 1.3 | 1 .01   | 1 1 1 1       | Asian .6
prostate cancer   | 18 | 0 .02 1.5 2.2 | 0 1    | 1 1 1 1       | African 1.7, Asian .4
lung cancer       | 18 | 0 .1 1.7 1.6 | .8 1.3  | 1 1 1 1       |
tuberculosis      | 7  | .5 1 1 1.2   | .8 1.3  | 1 1.2 1 1     | African 6, Asian 3, South American 3
hepatitis B       | 7  | .2 1.3 1.2 .5 | .8 1.2 | 1 1 1 1       | African 4, Asian 3
HIV infection     | 6  | .1 1.7 1 .1  | .5 1.5  | 1 1 1 1       | African 5
syphilis          | 4  | 0 1.8 .8 .1  | .6 1.4  | 1 1 1 1       |
malaria           | 4  | 1 1.3 .9 .5  | 1 1.2   | .6 .8 1.8 1   | African 25, Indian 5
leprosy           | .1 | .2 1 1 1     | 1 1     | 1 1 1 1       | South American 4, Indian 4
porphyria         | .2 | .2 1.5 1 .4  | 2 1     | 1 1 1 1       |
Huntington disease | .2 | 0 1 1.5 .3  | 1 1     | 1 1 1 1       |
"""
_PEOPLE_OF = {
    "North American": "North America",
    "South American": "South America",
    "European": "Europe",
    "Asian": "Asia",
    "African": "Africa",
}


def draw_diagnoses(
    generator: Generator, *, age: Ints, female: Flags, nation: Ints, month: Ints, influenza: int
) -> Ints:
    """Draw everybody's disease, as a code into the diseases; exactly ``influenza`` rows have influenza.

    Parameters
    ----------
    generator
        The stream of random numbers.
    age, female, nation, month
        Who the people are (nation: a code into the nations' shares) and when they came (month: 0 to 11).
    influenza
        How many have influenza.
    """
    band = np.searchsorted(_AGES, age, side="right")
    season = (month + 1) // 3 % 4  # December to February, March to May, ...
    sex = np.where(female, 0, 1)
    rates = _rates()
    classes = ((band * 2 + sex) * 4 + season) * len(SHARES) + nation
    diagnosis = Shares(tuple(disease.name for disease in DISEASES), rates).draw(generator, classes)
    ill = choose(generator, _INFLUENZA_BY_MONTH[month] + _INFLUENZA_BY_AGE[band], influenza)
    diagnosis[ill] = CODE_OF["influenza"]
    heart = _HEART_BY_AGE[band] + _HEART_OF_MEN * sex
    for code, name in enumerate(SHARES):
        people = nation == code
        share = HEART_SHARES.get(name, HEART_SHARE_ELSEWHERE)
        without_influenza = np.flatnonzero(people & ~ill)
        chosen = choose(generator, heart[without_influenza], round(share * int(people.sum())))
        diagnosis[without_influenza[chosen]] = CODE_OF["heart disease"]
    return diagnosis


def _rates() -> FloatGrid:
    """Return the weight of every disease in every class: age, then sex, then season, then nation."""
    weights = np.zeros((4, 2, 4, len(SHARES), len(DISEASES)))
    for line in _RATES.strip().splitlines():
        name, weight, ages, sexes, seasons, origins = (cell.strip() for cell in line.split("|"))
        by_age, by_sex, by_season = (np.array(cell.split(), dtype=np.float64) for cell in (ages, sexes, seasons))
        outer = np.einsum("a,s,t,n->astn", by_age, by_sex, by_season, _by_nation(origins))
        weights[..., CODE_OF[name]] = float(weight) * outer
    return weights.reshape(-1, len(DISEASES))


def _by_nation(origins: str) -> Floats:
    """Read factors such as "African 2, Japanese 1.3"; a nation's own comes after its continent's."""
    factor = np.ones(len(SHARES))
    for entry in origins.split(", ") if origins else ():
        people, _, times = entry.rpartition(" ")
        home = _PEOPLE_OF.get(people)
        factor *= [float(times) if people == name or home == CONTINENT_OF[name] else 1.0 for name in SHARES]
    return factor
