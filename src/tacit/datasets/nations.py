"""Nations: whom the hospital's town is home to, and the continent that a nationality blurs into."""

from __future__ import annotations

CONTINENTS = {
    "North America": {"American": 50.0, "Mexican": 5.5, "Canadian": 2.0, "Cuban": 1.0},
    "South America": {"Brazilian": 2.0, "Colombian": 1.0, "Peruvian": 0.6},
    "Europe": {"German": 4.0, "British": 2.5, "Polish": 1.8, "Italian": 1.6, "Portuguese": 1.2, "Icelandic": 0.0},
    "Asia": {"Japanese": 17.0, "Indian": 3.5, "Chinese": 3.0, "Korean": 1.4, "Vietnamese": 1.0, "Turkish": 0.9},
    "Africa": {"Nigerian": 1.6, "Kenyan": 0.9, "Moroccan": 0.8},
    "Oceania": {"Australian": 0.8, "Samoan": 0.4},
}
"""Continent, nationality and its share of the patients in percent; a share of 0 is kept for a planted person."""

SHARES = {nation: share for nations in CONTINENTS.values() for nation, share in nations.items()}
CONTINENT_OF = {nation: continent for continent, nations in CONTINENTS.items() for nation in nations}
