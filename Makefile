# Two commands matter: `make demo` (the main job) and `make test` (everything that must hold).
SHELL := /bin/bash
.DEFAULT_GOAL := help
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3; do \
	if "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo "$$p"; break; fi; done)
# The suites run side by side on two processes: that is what a small machine has.
JOBS ?= 2

.PHONY: help demo story case-study text-model test test-all test-golden lint setup setup-dev bench docs clean

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(VENV)/pyvenv.cfg:
	@if [ -z "$(PYTHON)" ]; then echo "sfumato: Python 3.11 or newer is needed and none was found on PATH" >&2; exit 1; fi
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "sfumato: $(PYTHON) cannot make virtual environments: install its venv package (for example python3-venv)" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.core: $(VENV)/pyvenv.cfg pyproject.toml constraints.txt
	@echo "setting up .venv (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.core
	@echo "setting up the development tools (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

setup: $(VENV)/.core  ## .venv with the core only
setup-dev: $(VENV)/.dev  ## .venv with the development tools

demo: $(VENV)/.core  ## a synthetic hospital, from raw file to verified release
	@$(BIN)/sfumato demo --replace

story: $(VENV)/.core  ## which promise ends which attack, told by numbers on a synthetic hospital
	@$(BIN)/sfumato story --out docs/attacks-story.md --replace

case-study: $(VENV)/.core  ## who is found by diagnosis codes, and what each remedy leaves, on public clinical data
	@test -d ../shared/data/codes/clinical || { echo "sfumato: the data of the case study are not there: expected the folder ../shared/data/codes/clinical beside this repository" >&2; exit 1; }
	@$(BIN)/python scripts/case_study.py --data ../shared/data/codes/clinical

text-model: $(VENV)/.core  ## train the English model of text anew, from made-up notes: the same bytes every time
	@$(BIN)/python scripts/train_text_model.py

lint: $(VENV)/.dev  ## format, lint, types, import rules
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache

test: lint  ## everything that must hold, except the slow studies
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup -m "not slow"

test-all: lint  ## the slow studies too, and the kernels once more with their array bounds checked
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup
	@SFUMATO_CACHE=$(CURDIR)/$(VENV)/bounds-checked NUMBA_BOUNDSCHECK=1 \
		$(BIN)/python -m pytest -q -n $(JOBS) --dist loadgroup tests/table tests/codes tests/recipe/test_audit.py

test-golden: $(VENV)/.dev  ## the golden cases alone; fails when they are not there
	@test -d ../shared/golden || { echo "sfumato: the golden cases are not there: expected the folder ../shared/golden beside this repository" >&2; exit 1; }
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup -m golden

docs: $(VENV)/.dev  ## the documentation as HTML in docs/_build/html
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	@$(BIN)/python -m sphinx -W -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

bench: $(VENV)/.dev  ## benchmarks, side by side with the peers
	@$(BIN)/python -m benchmarks

clean:  ## remove .venv and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
