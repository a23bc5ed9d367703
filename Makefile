PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: help install demo check test hostile lint types layers docs figures bench wheel clean

help:
	@echo "make demo     set everything up and run the main job on built-in data"
	@echo "make check    lint, types, layers, and the tests of what was changed"
	@echo "make test     set everything up and pass the tests, linters, types and layer contracts"
	@echo "make hostile  generated input, command lines and kills (N=1000000: how many, SEED=1, LOG=hostile.log to resume from)"
	@echo "make docs     build the documentation as a static site in site/"
	@echo "make figures  draw the figures of the papers beside what they claim (QUICK=1: a taste of it)"
	@echo "make bench    speed, as ratios against a yardstick in the same run"
	@echo "make wheel    the package and its compiled kernels for this platform, in dist/"
	@echo "make clean    remove the environment and what was made"

install: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "tacit needs Python 3.11 or newer; $(PYTHON) is `$(PYTHON) --version`. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	$(BIN)/python -m tacit.jobs.warm
	@touch $@

demo: install
	$(BIN)/tacit demo --folder demo-out --overwrite

check: install lint types layers
	$(BIN)/python -m tests.changed

test: install lint types layers
	$(BIN)/python -m pytest -n 2 -q

N ?= 10000
SEED ?= 1
LOG ?= hostile.log

hostile: install
	$(BIN)/python -m tests.hostile.campaign --inputs $(N) --commands $$(($(N) / 40)) --kills $$(($(N) / 400)) --seed $(SEED) --log $(LOG)

lint: install
	$(BIN)/ruff check src tests benchmarks examples
	$(BIN)/ruff format --check src tests benchmarks examples

types: install
	$(BIN)/mypy

layers: install
	$(BIN)/lint-imports

docs: install
	$(BIN)/mkdocs build --strict --site-dir site
	@echo "written  site/index.html"

figures: install
	$(BIN)/python -m benchmarks.figures $(if $(QUICK),--quick)

bench: install
	$(BIN)/python -m benchmarks

wheel: install
	$(BIN)/python packaging/wheel.py dist

clean:
	rm -rf $(VENV) dist site demo-out demo-out.private example-out benchmarks/results benchmarks/.environments
