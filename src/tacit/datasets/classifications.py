"""Classifications: how the values of the census blur."""

from __future__ import annotations

from typing import Any

from tacit.datasets.industries import SECTOR_OF

_EDUCATION = {
    "Without school leaving": {
        "Primary": "Preschool 1st-4th 5th-6th 7th-8th",
        "Some high school": "9th 10th 11th 12th",
    },
    "With school leaving": {"High school": "HS-grad", "College": "Some-college Assoc-voc Assoc-acdm"},
    "University": {"First degree": "Bachelors", "Further degree": "Masters Prof-school Doctorate"},
}
_MARITAL = {
    "Married": {
        "Spouse present": "Married-civ-spouse Married-AF-spouse",
        "Spouse absent": "Married-spouse-absent Separated",
    },
    "Not married": {"Was married": "Divorced Widowed", "Single": "Never-married"},
}
_WORKCLASS = {
    "Employed": {"Company": "Private", "Government": "Federal-gov State-gov Local-gov"},
    "Not employed": {"Own business": "Self-emp-inc Self-emp-not-inc", "No income": "Without-pay Never-worked"},
}
_OCCUPATION = {
    "Office": {
        "Management and professions": "Exec-managerial Prof-specialty",
        "Desk and shop": "Adm-clerical Sales Tech-support",
    },
    "Hands": {
        "Workshop": "Craft-repair Machine-op-inspct Handlers-cleaners",
        "Outdoors": "Farming-fishing Transport-moving",
        "Service": "Other-service Priv-house-serv Protective-serv Armed-Forces",
    },
}
_COUNTRY = {
    "America": {
        "United States": "United-States Puerto-Rico Outlying-US(Guam-USVI-etc)",
        "Canada and Mexico": "Canada Mexico",
        "Caribbean": "Cuba Dominican-Republic Haiti Jamaica Trinadad&Tobago",
        "Central America": "El-Salvador Guatemala Honduras Nicaragua",
        "South America": "Columbia Ecuador Peru",
    },
    "Europe": {
        "West Europe": "England France Germany Holand-Netherlands Ireland Scotland",
        "South and East Europe": "Greece Hungary Italy Poland Portugal Yugoslavia",
    },
    "Asia": {
        "East Asia": "China Hong Japan South Taiwan",
        "South-East Asia": "Cambodia Laos Philippines Thailand Vietnam",
        "South and West Asia": "India Iran",
    },
}


def _paths(groups: dict[str, dict[str, str]]) -> dict[str, tuple[str, str]]:
    return {
        value: (lower, upper)
        for upper, lowers in groups.items()
        for lower, values in lowers.items()
        for value in values.split()
    }


def hierarchies() -> dict[str, Any]:
    """Return a hierarchy for every column of the census."""
    return {
        "age": {"interval": 5},
        "workclass": {"tree": _paths(_WORKCLASS)},
        "education": {"tree": _paths(_EDUCATION)},
        "marital-status": {"tree": _paths(_MARITAL)},
        "occupation": {"tree": _paths(_OCCUPATION)},
        "race": "flat",
        "sex": "flat",
        "native-country": {"tree": _paths(_COUNTRY)},
        "hours-per-week": {"interval": 10},
        "industry": {"tree": SECTOR_OF},
        "salary-class": "flat",
    }
