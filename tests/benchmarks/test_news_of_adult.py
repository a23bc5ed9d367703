"""Figures about Adult are of Adult: without the file nothing else is measured under its name."""

from pathlib import Path

import pytest

from benchmarks import leaves_open, news


@pytest.mark.parametrize("script", [news, leaves_open])
def test_without_adult_nothing_is_measured_in_its_name(script, monkeypatch, capsys):
    monkeypatch.setattr(script, "ADULT", Path("nowhere.csv.gz"))
    with pytest.raises(SystemExit):
        script.main([])
    assert "Adult is not at nowhere.csv.gz" in capsys.readouterr().err
