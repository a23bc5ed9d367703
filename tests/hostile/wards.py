"""Whole jobs by a grammar: a table about a ward, and recipes that use every section, mostly as they are meant."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.hostile.mutation import changed_bytes, changed_text

ILLS = ("flu", "cold", "gout", "mumps")
SIGNS = ("cough", "fever", "rash", "")
LABELS = "label,items\nflu,cough;fever\ncold,cough\nmumps,fever;rash\n"
ILLNESSES = "flu;airways;*\ncold;airways;*\ngout;joints;*\nmumps;glands;*\n"
FORMATS = ("csv", "parquet", "arrow", "csv", "parquet", "xlsx", "stata", "spss")

GUARANTEES = (
    '{ name = "k-anonymity", k = 2 }', '{ name = "k-anonymity", k = 3, of = "published" }',
    '{ name = "l-diversity", l = 2 }', '{ name = "l-diversity", l = 2, kind = "entropy" }',
    '{ name = "l-diversity", l = 2, kind = "recursive", c = 3 }', '{ name = "t-closeness", t = 0.6 }',
    '{ name = "beta-likeness", beta = 3 }', '{ name = "delta-disclosure", delta = 3 }',
    '{ name = "alpha-k", alpha = 0.6, k = 2 }', '{ name = "eligibility", l = 2 }',
    '{ name = "ke-anonymity", k = 2, e = 5 }', '{ name = "r-robustness", r = 1.5 }',
)  # fmt: skip
STEPS = (
    'method = "small-groups"\nguarantee = {g}', 'method = "mondrian"\nguarantees = [{g}]',
    'method = "mondrian"\nguarantees = [{g}, {g}]\nrecode = "sets"',
    'method = "mondrian"\nguarantees = [{g}]\nbounds = "snapped"\nallow_withheld = 0.2', 'method = "anatomy"\nl = 2',
    'method = "anatomy"\nl = 3\nbuckets = "random"', 'method = "shift-suppression"\nl = 3\nhide = "top"',
    'method = "shift-suppression"\nl = 2', 'method = "r-suppression"\nl = 3', 'method = "safe-d-suppression"\nl = 3',
    'method = "unsafe-d-suppression"\nl = 3', 'method = "suppress-all"\nl = 3', 'method = "art"\nr = 1.5',
    'method = "art"\nr = 2\ngain = 1.5\nmin_support = 3', 'method = "injector"\nl = 2',
    'method = "mask"\nk = 2\nl = 2\nprotected = ["gout"]', 'method = "angel"\nl = 2\nmarginals = [["zip"], ["sex"]]',
    'method = "invariant-marginals"\nm = 2\nmarginals = {{ a = ["zip"], b = ["sex"] }}',
    'method = "invariant-marginals"\nm = 2\ncounterfeits = "newcomers"', 'method = "ke-permutation"\nk = 2\ne = 2',
    'method = "value-suppression"\ndelta = 0.4\nrisk = {{ known = {{ sex = 0.8, zip = 0.3 }} }}',
    'method = "quasi-sensitive"\nguarantee = {{ name = "qs-diversity", c = 1, l = 2, knowledge = "labels.csv" }}'
    "\ntime_bound = 0.05",
)  # fmt: skip
SECTIONS = (
    '[kinds]\nzip = "categorical"', '[kinds]\nsex = ["F", "M"]', '[kinds]\nborn = "date"',
    "[hierarchies]\nzip = { prefix = 2 }",
    '[hierarchies]\nborn = "calendar"', "[hierarchies]\npay = { interval = 50 }", '[hierarchies]\nill = "ill.csv"',
    '[hierarchies]\nzip = "flat"\npay = { interval = 10, factor = 3, origin = 5 }', '[ledger]\npath = "w.ledger"',
    '[batches]\ncolumn = "sex"', '[batches]\ncolumn = "day"', '[read]\nnulls = ["", "NA"]', "[read]\nround = 1",
    "[read]\nround = -400",
    '[read]\ndecimal = "."', '[engine]\nname = "auto"', '[engine]\nname = "streaming"', '[engine]\nname = "local"',
    '[engine]\nname = "streaming"\nfragment_rows = 1000\nscratch = "scratch"', '[engine]\nscratch = "out/x"',
    '[engine]\nname = "streaming"\nscratch = "ward.csv"', '[engine]\nfragment_rows = 1', '[engine]\nthreads = 1',
    '[changing]\nill = ["flu", "cold"]', '[changing]\npay = ["1"]', '[changing]\nodd = []', '[ledger]\npath = "out"',
    '[report]\nprofile = "ema-0070"', '[report]\nprofile = "cms"\nbaseline = true', '[report]\nprofile = "odd"',
    '[report]\noutside = "labels.csv"', '[report]\npopulation = "ward.csv"', '[report]\nweights = "pay"',
    '[report]\nmodels = ["sensitive"]', '[report]\ntitle = "<b>\\u001b[31m"',
)  # fmt: skip
"""Sections of today and of other versions: what a version does not know it must refuse in a sentence."""


def table(rng: Random) -> bytes:
    """A csv of people with every kind of column; some have several rows, and some cells are missing."""
    rows = rng.choice((6, 20, 40, 60, 60))
    several = rng.random() < 0.2
    lines = ["pid,name,born,zip,sex,day,pay,signs,ill"]
    for at in range(rows):
        person = at % (rows // 2 + 1) if several else at
        ill = "" if rng.random() < 0.01 else ILLS[rng.choice((0, 0, 1, 2, 3))]
        signs = ";".join(rng.sample(SIGNS, rng.randrange(3)))
        lines.append(
            f"{person},n{person},19{50 + person % 40}-0{1 + person % 9}-11,{100 + person % 4},{'FM'[person % 2]},"
            f"d{at % 2},{rng.randrange(90)}.5,{signs},{ill}"
        )
    content = "\n".join(lines).encode() + b"\n"
    return changed_bytes(content, rng) if rng.random() < 0.15 else content


def recipe(rng: Random) -> str:
    """A recipe for it."""
    steps = "".join(
        f"[[steps]]\n{rng.choice(STEPS).format(g=rng.choice(GUARANTEES))}\n" for _ in range(rng.choice((1, 1, 1, 2)))
    )
    known = rng.choice(('["born", "zip", "sex"]', '["zip", "sex"]', '["zip", "sex", "pay"]', '["zip"]'))
    sensitive = rng.choice(('["ill"]', '["ill"]', '["ill"]', '["pay"]', '["ill", "pay"]'))
    roles = f'identifiers = ["name"]\nquasi_identifiers = {known}\nsensitive = {sensitive}\n'
    more = ('person = "pid"', 'items = ["signs"]', 'others = "publish"', 'missing = "withhold"', 'missing = "value"')
    roles += "".join(f"{line}\n" for line in rng.sample(more, rng.choice((0, 0, 1, 2))))
    sections = "\n".join(rng.sample(SECTIONS, rng.choice((0, 0, 1, 2))))
    certificate = "" if rng.random() < 0.04 or "[report]" in sections else "[report]\ncertificate = false\n"
    text = (
        f'[table]\nsource = "ward.csv"\n[roles]\n{roles}{sections}\n{steps}[output]\nfolder = "out"\n'
        f'format = "{rng.choice(FORMATS)}"\n{certificate}'
    )
    return changed_text(text, rng) if rng.random() < 0.25 else text


def prepare(rng: Random, place: Path) -> Path:
    """Write a whole job into a folder; return its recipe."""
    (place / "ward.csv").write_bytes(table(rng))
    (place / "labels.csv").write_text(LABELS)
    (place / "ill.csv").write_text(ILLNESSES)
    path = place / "r.toml"
    path.write_bytes(recipe(rng).encode("utf-8", "replace"))
    return path
