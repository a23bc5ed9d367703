"""Names: common first names, and surnames of two halves. They belong to nobody, and no two people share one."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.random import Generator

from tacit.arrays import Flags

_FEMALE = """
    Alice Amina Anna Beatriz Carla Chiara Claire Diana Dora Elena Elif Emma Eva Fatima Grace Hana Helen Ines Irene
    Ivana Jana Joan Julia Karin Laura Leila Lena Lucia Maria Marta Mei Mia Naomi Nina Nora Olga Paula Petra Rosa Ruth
    Sara Sofia Sonia Teresa Uma Vera Wendy Yuki Yasmin Zoe
"""
_MALE = """
    Adam Ahmed Alan Andre Anton Boris Bruno Carlos Cesar Daniel David Emil Eric Felix Frank George Hans Hugo Ian Igor
    Ivan Jack James Jan John Jose Kenji Kofi Lars Leo Luca Luis Marco Mark Martin Milan Nils Omar Oscar Paul Peter
    Ravi Robert Samuel Simon Stefan Tariq Thomas Victor Wei
"""
_FIRST_HALVES = """
    Ash Bar Bel Ber Bram Brun Cal Car Cold Dal Dun East Eld Fair Fen Gar Gold Grim Hal Hart Hol Kel Kin Lang Lin Mal
    Mar Mil Nor Oak Or Pen Quar Red Ros Sand Sel Stan Thorn Tor Ul Val Wal Whit Win Wood
"""
_SECOND_HALVES = """
    bach berg borne by cott dale den don ell er ett field ford gate ham hurst ing land ley lin man mer mond ney ning
    rick sen shaw son stead stone ton wald well wick wood worth
"""


def draw_names(generator: Generator, female: Flags) -> pl.Series:
    """Name everybody, with a first name that goes with the sex."""
    women, men = _FEMALE.split(), _MALE.split()
    surnames = [first + second for first in _FIRST_HALVES.split() for second in _SECOND_HALVES.split()]
    chance = generator.random(len(female))
    first = np.where(female, chance * len(women), len(women) + chance * len(men)).astype(np.int64)
    last = generator.integers(0, len(surnames), len(female))
    firsts = pl.Series("name", [*women, *men], dtype=pl.String)
    names = pl.DataFrame({"first": firsts.gather(first), "last": pl.Series(surnames, dtype=pl.String).gather(last)})
    namesakes = pl.int_range(pl.len()).over("first", "last")  # how many had the same names before
    middle = pl.when(namesakes > 0).then(" " + _initials(namesakes)).otherwise(pl.lit(""))
    return names.select((pl.col("first") + middle + " " + pl.col("last")).alias("name")).to_series()


def _initials(number: pl.Expr) -> pl.Expr:
    """Write 1, 2 ... 26, 27 ... as A., B. ... Z., A. A. ..., so that namesakes are told apart."""
    letters = pl.Series([chr(ord("A") + i) + "." for i in range(26)])
    place, times = (number - 1) % 26, (number - 1) // 26
    letter = pl.lit(letters).gather(place)
    before = pl.lit(letters).gather((times - 1) % 26)
    return pl.when(times > 0).then(pl.concat_str([before, letter], separator=" ")).otherwise(letter)
