"""Industries: fifty of them, none with a tenth of the people, so that a sensitive column of them is 10-eligible."""

from __future__ import annotations

import numpy as np

from tacit.datasets.labour import OCCUPATIONS
from tacit.datasets.shares import Shares

# Per industry: its weight, and the occupations that are more frequent there, by `_GATHERS` unless a factor is given.
_SECTORS = """
Agriculture:    crops 9 Farming-fishing; livestock 7 Farming-fishing; forestry 2 Farming-fishing Handlers-cleaners;
                fishing 1 Farming-fishing
Mining:         oil-and-gas 4 Craft-repair Machine-op-inspct; quarrying 2 Transport-moving Machine-op-inspct
Utilities:      electricity 8 Craft-repair Tech-support; water-and-waste 5 Craft-repair Transport-moving
Construction:   housing 24 Craft-repair Handlers-cleaners; roads-and-bridges 9 Craft-repair Transport-moving;
                installation 14 Craft-repair
Manufacturing:  food-products 14 Machine-op-inspct Handlers-cleaners; clothing 9 Machine-op-inspct;
                furniture 7 Machine-op-inspct Craft-repair; paper-and-printing 11 Machine-op-inspct Craft-repair;
                chemicals 10 Machine-op-inspct Tech-support Prof-specialty; plastics 6 Machine-op-inspct;
                metal-products 12 Machine-op-inspct Craft-repair; machinery 13 Machine-op-inspct Craft-repair;
                electronics 14 Machine-op-inspct Tech-support Prof-specialty; vehicles 13 Machine-op-inspct
Trade:          wholesale 22 Sales Handlers-cleaners Transport-moving; groceries 20 Sales Handlers-cleaners;
                department-stores 14 Sales Adm-clerical; clothing-stores 8 Sales; car-dealers 12 Sales Craft-repair
Transport:      trucking 14 Transport-moving; railways 4 Transport-moving Craft-repair; airlines 6 Transport-moving;
                warehousing 6 Handlers-cleaners Transport-moving; postal-service 8 Adm-clerical
Information:    telecommunications 10 Tech-support Adm-clerical; publishing 6 Prof-specialty Sales;
                software 12 Tech-support Prof-specialty
Finance:        banking 22 Adm-clerical Exec-managerial; insurance 18 Adm-clerical Sales; real-estate 14 Sales
Services:       hotels 10 Other-service; restaurants 34 Other-service;
                cleaning-services 10 Other-service Handlers-cleaners;
                private-households 0.1 Priv-house-serv=50000; security-services 7 Protective-serv;
                legal-services 12 Prof-specialty Adm-clerical; consulting 18 Exec-managerial Prof-specialty
Health:         hospitals 30 Prof-specialty Other-service Tech-support;
                doctors-and-clinics 18 Prof-specialty Adm-clerical;
                nursing-homes 12 Other-service
Public:         schools 36 Prof-specialty; public-administration 22 Adm-clerical Exec-managerial Protective-serv;
                defence 6 Armed-Forces=2000 Protective-serv Exec-managerial
"""
_GATHERS = 9.0
"""By how much an industry is more frequent among the occupations that it names; chosen by hand."""


def _read() -> tuple[dict[str, str], Shares]:
    sector_of: dict[str, str] = {}
    weights = []
    for block in _SECTORS.replace("\n  ", " ").strip().splitlines():
        sector, _, entries = block.partition(":")
        for entry in entries.split(";"):
            name, weight, *gathers = entry.split()
            sector_of[name] = sector
            factor = {
                occupation: float(times or _GATHERS) for occupation, _, times in (g.partition("=") for g in gathers)
            }
            weights.append([float(weight) * factor.get(occupation, 1.0) for occupation in OCCUPATIONS.values])
    return sector_of, Shares(tuple(sector_of), np.array(weights).T)


SECTOR_OF, INDUSTRIES = _read()
