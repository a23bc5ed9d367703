PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEVELOP := $(VENV)/.developing
STUDIO := $(VENV)/.studio
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable

.PHONY: help install develop demo studio check test spark hostile lint types layers docs figures bench wheel clean

help:
	@echo "make demo     set everything up and run the main job on built-in data"
	@echo "make studio   set everything up and open it in a browser, with the built-in hospital"
	@echo "make check    lint, types, layers, and the tests of what was changed"
	@echo "make test     set everything up and pass the tests, linters, types and layer contracts"
	@echo "make spark    the tests of the Spark engine on a cluster of this machine, 20 tables per method (needs Java 17 or 21)"
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
	$(INSTALL) .
	$(BIN)/python -m tacit.jobs.warm
	@touch $@

develop: $(DEVELOP)

$(DEVELOP): $(STAMP)
	$(INSTALL) '.[dev]'
	@touch $@

demo: install
	$(BIN)/tacit demo --folder demo-out --overwrite

studio: $(STUDIO)
	$(BIN)/tacit studio hospital

$(STUDIO): $(STAMP)
	$(INSTALL) '.[studio]'
	@touch $@

check: develop lint types layers
	$(BIN)/python -m tests.changed

test: develop lint types layers
	$(BIN)/python -m pytest -n 2 -q

spark: develop
	$(INSTALL) '.[spark]'
	TACIT_SPARK_TABLES=20 $(BIN)/python -m pytest -q tests/engines/test_spark.py

N ?= 10000
SEED ?= 1
LOG ?= hostile.log

hostile: develop
	$(BIN)/python -m tests.hostile.campaign --inputs $(N) --commands $$(($(N) / 40)) --kills $$(($(N) / 400)) --seed $(SEED) --log $(LOG)

lint: develop
	$(BIN)/ruff check src tests benchmarks examples
	$(BIN)/ruff format --check src tests benchmarks examples

types: develop
	$(BIN)/mypy

layers: develop
	$(BIN)/lint-imports

docs: develop
	$(BIN)/mkdocs build --strict --site-dir site
	@echo "written  site/index.html"

figures: develop
	$(BIN)/python -m benchmarks.figures $(if $(QUICK),--quick)

bench: develop
	$(BIN)/python -m benchmarks

wheel: develop
	$(BIN)/python packaging/wheel.py dist

clean:
	rm -rf $(VENV) dist site demo-out demo-out.private example-out benchmarks/results benchmarks/.environments
