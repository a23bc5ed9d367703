"""Labour: what the people in the census do, for whom, how long, and whether it pays; shares rounded from Adult."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from tacit.arrays import Ints
from tacit.datasets.population import EDUCATION, People
from tacit.datasets.shares import Shares

_OCCUPATION_BY_SCHOOLING = """
                  Prof-specialty Craft-repair Exec-managerial Adm-clerical Sales Other-service Machine-op-inspct
 Female-primary               12           31               4           23    43           395               271
 Female-some                  21           28              31          120   204           378               116
 Female-high                  32           32              85          309   134           229                87
 Female-college               67           20             116          356   154           169                28
 Female-associate            195           21             128          300    85           127                20
 Female-bachelor             375            9             214          174   106            49                 8
 Female-master               650            4             206           57    41            24                 4
 Female-doctor               804            6             119           18    30             6                 6
 Male-primary                 14          218              27           17    46           129               135
 Male-some                    12          250              30           28    65           156               114
 Male-high                    20          268              79           58    94            80               110
 Male-college                 61          192             139           89   146            82                57
 Male-associate               96          235             126           69   119            55                53
 Male-bachelor               253           58             286           66   179            27                13
 Male-master                 436           17             345           34    97             5                 5
 Male-doctor                 814           11             110           12    27             4                 0
"""
_OCCUPATION_CONTINUED = """
                  Transport-moving Handlers-cleaners Farming-fishing Tech-support Protective-serv Priv-house-serv Armed-Forces
 Female-primary                  0                31              35           16               4             136            0
 Female-some                    12                35               9            6               6              35            0
 Female-high                    16                29               7           19               7              15            0
 Female-college                  8                11               8           46              11               6            0
 Female-associate                7                 7               4           92               8               6            0
 Female-bachelor                 1                 3               2           47               9               3            0
 Female-master                   0                 0               0           14               0               0            0
 Female-doctor                   0                 0               0           12               0               0            0
 Male-primary                  120               121             157            3              13               0            0
 Male-some                     129               136              63            5               9               2          0.5
 Male-high                     114                76              56           15              29               0          0.6
 Male-college                   62                56              37           37              41               0          0.5
 Male-associate                 42                30              43           82              51               1            0
 Male-bachelor                  15                12              21           43              24               1          0.3
 Male-master                     8                 4               9           24              13               0          0.9
 Male-doctor                     5                 0               7            9               1               0            0
"""  # noqa: E501 - a table is read by its columns
_SCHOOLING = {
    "Preschool": 0, "1st-4th": 0, "5th-6th": 0, "7th-8th": 0, "9th": 1, "10th": 1, "11th": 1, "12th": 1, "HS-grad": 2,
    "Some-college": 3, "Assoc-voc": 4, "Assoc-acdm": 4, "Bachelors": 5, "Masters": 6, "Prof-school": 7, "Doctorate": 7,
}  # fmt: skip

WORKCLASS = Shares.read("""
                    Private Self-emp-not-inc Local-gov State-gov Self-emp-inc Federal-gov Without-pay
 Prof-specialty         558               90       171       100           39          41           0
 Craft-repair           781              130        36        14           25          16         0.2
 Exec-managerial        663               96        53        47           96          45           0
 Adm-clerical           751               13        76        68            8          85         0.8
 Sales                  808              105         2         3           78           4           0
 Other-service          830               54        59        38            8          11         0.3
 Machine-op-inspct      957               18         6         7            5           7         0.5
 Transport-moving       793               75        73        26           16          15         0.6
 Handlers-cleaners      930               11        34         7            2          16         0.7
 Farming-fishing        455              435        29        15           52           8           6
 Tech-support           793               28        42        61            3          72           0
 Protective-serv        289                9       472       180            8          42           0
 Priv-house-serv          1                0         0         0            0           0           0
 Armed-Forces             0                0         0         0            0           1           0
""")

_HOURS = Shares.read("""
               1-  20-  30-  35-   40  41-  45-   50  51-   60  61-  80-
 Female-young 226  307  114   75  238    4   11   11    6    7    1    1
 Female-other  36   67   49  118  551   21   60   43   19   20   11    3
 Female-long   47   58   42   87  449   22   85  103   33   42   21   10
 Female-short  71  144  125  150  405    8   29   24   12   10   11   10
 Female-old   280  258   68   68  242    6   19   31    9    3   12    3
 Male-young   165  214  101   75  336    7   35   28   14   13    8    3
 Male-other    13   27   20   43  564   28  101   98   38   41   20    8
 Male-long     13   25   23   38  364   15  105  168   57  109   57   26
 Male-short    28   86   85   83  549   19   39   43   17   26   16    8
 Male-old     185  190   69   61  300    8   38   63   29   23   21   12
""")
_HOURS_FROM = np.array([1, 20, 30, 35, 40, 41, 45, 50, 51, 60, 61, 80, 100])
_LONG_HOURS = ("Farming-fishing", "Exec-managerial", "Transport-moving")
_SHORT_HOURS = ("Other-service", "Priv-house-serv")

SALARIES = ("<=50K", ">50K")
# A logistic model: constant, level of education, spouse, decades of age from 40 and their square, male, tens of hours
# from 40.
_PAY = (-2.26, 0.29, 2.18, 0.54, -0.22, 0.22, 0.25)
_PAY_BY_OCCUPATION = {
    "Craft-repair": -0.59, "Exec-managerial": 0.29, "Adm-clerical": -0.48, "Sales": -0.22, "Other-service": -1.47,
    "Machine-op-inspct": -0.89, "Transport-moving": -0.72, "Handlers-cleaners": -1.26, "Farming-fishing": -1.69,
    "Tech-support": 0.06, "Protective-serv": -0.12, "Priv-house-serv": -3.0, "Armed-Forces": -1.1,
}  # fmt: skip


def _occupations() -> Shares:
    left, right = Shares.read(_OCCUPATION_BY_SCHOOLING), Shares.read(_OCCUPATION_CONTINUED)
    return Shares(left.values + right.values, np.hstack([left.weights, right.weights]))


OCCUPATIONS = _occupations()


@dataclass(frozen=True, eq=False)
class Work:
    """What people do: hours in a week, everything else as codes."""

    occupation: Ints
    workclass: Ints
    hours: Ints
    salary: Ints


def draw_work(generator: Generator, people: People) -> Work:
    """Draw occupation by schooling and sex, employer by occupation, hours by age, sex and job, and salary by all."""
    schooling = np.array([_SCHOOLING[level] for level in EDUCATION.values], dtype=np.int64)
    occupation = OCCUPATIONS.draw(generator, people.sex * 8 + schooling[people.education])
    workclass = WORKCLASS.draw(generator, occupation)
    hours = _draw_hours(generator, people, occupation, workclass)
    level, decades = people.education + 1 - 10, (people.age - 40) / 10
    parts = (np.ones(len(people)), level, people.married, decades, decades**2, people.sex, (hours - 40) / 10)
    score = np.array([_PAY_BY_OCCUPATION.get(name, 0.0) for name in OCCUPATIONS.values])[occupation]
    for weight, part in zip(_PAY, parts, strict=True):
        score += weight * part
    salary = (generator.random(len(people)) < 1 / (1 + np.exp(-score))).astype(np.int64)
    return Work(occupation, workclass, hours, salary)


def _draw_hours(generator: Generator, people: People, occupation: Ints, workclass: Ints) -> Ints:
    job = np.array([2 if name in _LONG_HOURS else 3 if name in _SHORT_HOURS else 1 for name in OCCUPATIONS.values])
    own = np.array([name.startswith("Self-emp") for name in WORKCLASS.values])
    kind = np.where(own[workclass], 2, job[occupation])
    kind = np.where(people.age < 22, 0, np.where(people.age >= 65, 4, kind))
    band = _HOURS.draw(generator, people.sex * 5 + kind)
    return generator.integers(_HOURS_FROM[band], _HOURS_FROM[band + 1])
