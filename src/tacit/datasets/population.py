"""Population: age, sex, race, origin, education and family of the people in the census.

The shares are rounded from the complete rows of the Adult table (Becker and Kohavi, UCI Machine Learning Repository,
1996); the values are spelt as there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from tacit.arrays import Floats, Ints
from tacit.datasets.shares import Shares

SEXES = ("Female", "Male")
RACES = Shares.one(
    ["White", "Black", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other"], [0.8598, 0.0934, 0.0297, 0.0095, 0.0076]
)

_AGE_FROM = np.array([17, 20, 23, 26, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 91])
_AGES = Shares.one(
    [f"{low}-" for low in _AGE_FROM[:-1]],
    [1369, 1924, 2375, 3116, 4126, 4085, 3722, 3178, 2443, 1742, 1107, 527, 245, 112, 91],
)
_FEMALE_BY_AGE = np.array([0.48, 0.45, 0.39, 0.34, 0.30, 0.29, 0.29, 0.30, 0.27, 0.28, 0.30, 0.34, 0.34, 0.30, 0.32])

# Of 10,000 people of each race, how many were born where.
_BORN = {
    "White": """
        United-States 9339 Mexico 216 Philippines 3 Germany 46 Puerto-Rico 30 Canada 41 India 3 El-Salvador 37 Cuba 34
        England 30 Jamaica 2 South 1 Italy 26 China 1 Dominican-Republic 14 Vietnam 1 Guatemala 23 Japan 7 Poland 21
        Columbia 19 Iran 13 Taiwan 1 Portugal 13 Nicaragua 10 Peru 11 Greece 11 Ecuador 7 France 10 Ireland 9 Hong 1
        Yugoslavia 6 Outlying-US(Guam-USVI-etc) 3 Hungary 5 Honduras 4 Scotland 4 Holand-Netherlands 0.4""",
    "Black": """
        United-States 9333 Jamaica 263 Haiti 146 Trinadad&Tobago 53 Dominican-Republic 43 Puerto-Rico 32 England 25
        Outlying-US(Guam-USVI-etc) 21 Germany 21 Mexico 14 Cuba 11 Japan 11 India 7 Nicaragua 7 Philippines 4
        El-Salvador 4 France 4 Honduras 4""",
    "Asian-Pac-Islander": """
        United-States 3050 Philippines 1989 India 950 South 760 China 737 Vietnam 693 Taiwan 447 Japan 413 Cambodia 201
        Laos 190 Hong 179 Thailand 168 Iran 67 Germany 22 Trinadad&Tobago 22 Canada 11 England 11 Mexico 11
        Poland 11""",
    "Amer-Indian-Eskimo": """
        United-States 9476 Mexico 280 South 70 Philippines 35 Germany 35 Puerto-Rico 35 Columbia 35 Hong 35""",
    "Other": """
        United-States 4892 Mexico 1645 Puerto-Rico 866 Dominican-Republic 779 Ecuador 390 Columbia 260 India 217
        El-Salvador 173 Guatemala 173 Nicaragua 173 Cuba 87 Iran 87 Germany 43 Canada 43 Jamaica 43 Japan 43 Peru 43""",
}

_EDUCATION_BY_AGE = Shares.read("""
     Preschool 1st-4th 5th-6th 7th-8th 9th 10th 11th 12th HS-grad Some-college Assoc-voc Assoc-acdm Bachelors Masters Prof-school Doctorate
 17          1       1       6      10  39  176  383  107     170          107         0          0         0       0           0         0
 19          2       3       6       9  13   20   40   24     359          480        22         16         4       1           0         0
 22          2       5      10      11  13   20   29   14     308          287        38         38       210      13           1         0
 26          1       4       8      12  12   22   26    9     342          205        54         40       200      41          15         8
 35          1       4       8      10  12   17   20    8     321          207        52         41       191      71          25        12
 45          2       6      11      21  14   21   24    7     325          191        43         32       167      88          24        23
 55          1      10      16      50  27   45   27   10     346          171        30         20       134      66          24        21
 65          4      12      18      70  26   44   34    7     322          173        30          9       133      56          31        30
""")  # noqa: E501 - a table is read by its columns
_EDUCATION_FROM = np.array([19, 22, 26, 35, 45, 55, 65])
# By how much each level of education is more frequent than among those born in the United States, for origins where
# schooling was short, long, or mixed.
_EDUCATION_BY_ORIGIN = np.array(
    [
        [0.3, 0.3, 0.3, 0.9, 0.9, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
        [16.0, 20.0, 19.0, 5.0, 6.0, 1.6, 1.3, 2.4, 0.6, 0.5, 0.3, 0.2, 0.3, 0.3, 0.2, 0.2],
        [4.0, 0.3, 1.2, 0.7, 0.8, 0.4, 0.7, 0.3, 0.5, 0.6, 0.5, 0.8, 1.9, 2.5, 3.2, 4.6],
        [1.7, 3.4, 3.2, 2.0, 1.7, 0.7, 0.8, 1.4, 0.9, 0.9, 0.9, 1.2, 1.0, 0.8, 0.9, 2.1],
    ]
)
_SHORT = ("Mexico", "Guatemala", "El-Salvador", "Honduras", "Nicaragua", "Dominican-Republic", "Portugal")
_LONG = ("India", "Taiwan", "China", "Iran", "Japan", "Hong", "South", "Philippines")

_MARITAL = Shares.read("""
            Married-civ-spouse Never-married Divorced Separated Widowed Married-spouse-absent Married-AF-spouse
 Female-17                  12           964        9         8       0                     4                 3
 Female-20                  30           923       16        17       2                    10                 1
 Female-23                 103           784       65        33       1                    13                 1
 Female-26                 161           634      132        45       5                    23                 0
 Female-30                 190           438      255        82      11                    21                 3
 Female-35                 212           294      365        76      29                    22                 2
 Female-40                 199           193      440        89      53                    24                 1
 Female-50                 187           115      425        69     179                    25                 0
 Female-60                 119            89      283        42     454                    14                 0
 Female-70                  83           138      166        14     586                    14                 0
 Male-17                    17           980        1         0       0                     1                 0
 Male-20                   116           861        8         7       0                     8                 0
 Male-23                   254           702       21        17       0                     7                 0
 Male-26                   467           457       49        18       1                     5                 3
 Male-30                   623           260       84        22       1                    10                 0
 Male-35                   700           160      105        28       2                     6                 0
 Male-40                   752            85      125        20       4                    13                 0
 Male-50                   813            51       99        15      14                     9                 0
 Male-60                   844            34       74        10      29                     9                 0
 Male-70                   743            86       30         7     122                    13                 0
""")
_MARITAL_FROM = np.array([20, 23, 26, 30, 35, 40, 50, 60, 70])


def _born() -> Shares:
    shares = [dict(zip(text.split()[::2], text.split()[1::2], strict=True)) for text in _BORN.values()]
    countries = tuple(dict.fromkeys(country for born in shares for country in born))
    return Shares(countries, np.array([[float(born.get(country, 0)) for country in countries] for born in shares]))


def _education() -> Shares:
    return Shares(
        _EDUCATION_BY_AGE.values,
        (_EDUCATION_BY_AGE.weights[:, None, :] * _EDUCATION_BY_ORIGIN).reshape(-1, len(_EDUCATION_BY_AGE.values)),
    )


COUNTRIES = _born()
EDUCATION = _education()
"""From the shortest schooling to the longest; the code plus 1 is the number of the level."""
MARITAL = _MARITAL


@dataclass(frozen=True, eq=False)
class People:
    """Who the people are: age in years, everything else as codes."""

    age: Ints
    sex: Ints
    race: Ints
    country: Ints
    education: Ints
    marital: Ints

    def __len__(self) -> int:
        return len(self.age)

    @property
    def married(self) -> Floats:
        """1 for those who live with a spouse, else 0."""
        together = [value in {"Married-civ-spouse", "Married-AF-spouse"} for value in MARITAL.values]
        return np.array(together, dtype=np.float64)[self.marital]


def draw_people(generator: Generator, rows: int) -> People:
    """Draw people: age, then sex; race, then origin; education by age and origin; family by age and sex."""
    band = _AGES.alike(generator, rows)
    age = generator.integers(_AGE_FROM[band], _AGE_FROM[band + 1])
    sex = np.where(generator.random(rows) < _FEMALE_BY_AGE[band], 0, 1)
    race = RACES.alike(generator, rows)
    country = COUNTRIES.draw(generator, race)
    schooling = [
        0 if name == "United-States" else 1 if name in _SHORT else 2 if name in _LONG else 3
        for name in COUNTRIES.values
    ]
    origin = np.array(schooling, dtype=np.int64)[country]
    education = EDUCATION.draw(generator, np.searchsorted(_EDUCATION_FROM, age, side="right") * 4 + origin)
    family = np.searchsorted(_MARITAL_FROM, age, side="right") + (len(_MARITAL_FROM) + 1) * sex
    return People(age, sex, race, country, education, MARITAL.draw(generator, family))
