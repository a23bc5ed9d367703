import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tacit import cli

ROWS = "name,age,zip,sex,disease\n" + "".join(
    f"p{i},{30 + i % 3},{'01234' if i % 2 else '01299'},{'FM'[i % 2]},{('flu', 'cold', 'gout', 'measles')[i % 4]}\n"
    for i in range(48)
)
RECIPE = """
[table]
source = "patients.csv"
[roles]
identifiers = ["name"]
quasi_identifiers = ["age", "zip", "sex"]
sensitive = ["disease"]
[[steps]]
method = "small-groups"
guarantee = { name = "k-anonymity", k = 2 }
[output]
folder = "out"
format = "csv"
"""


@dataclass
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def clinic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "patients.csv").write_text(ROWS)
    (tmp_path / "clinic.toml").write_text(RECIPE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def tacit(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    def run(*arguments: object) -> Outcome:
        code = cli.run([str(argument) for argument in arguments])
        caught = capsys.readouterr()
        return Outcome(code, caught.out, caught.err)

    return run
