# The two commands a newcomer needs: `make demo` and `make test`. `make help` lists the rest.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help setup demo test check bench fmt lock diagram clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup: $(READY) ## make .venv with the mazewave command in it, and find or install a Chromium

$(READY): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "mazewave needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V). Try: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 3; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "setup: installing the locked packages into $(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@$(BIN)/mazewave doctor --install-browser
	@touch $@

demo: $(READY) ## explore the bundled shop and print what was found against what was planted
	@$(BIN)/mazewave demo

test: $(READY) ## all tests, against a real broker and a real browser
	@$(BIN)/python -m pytest

check: $(READY) ## style, types, import rules, generated files
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m coordinator.machines.diagram --check ARCHITECTURE.md

bench: $(READY) ## every benchmark, each printing its own figures
	@for f in benchmarks/bench_*.py; do $(BIN)/python $$f || exit 1; done

fmt: $(READY) ## format the code
	@$(BIN)/ruff check --fix-only .
	@$(BIN)/ruff format .

diagram: $(READY) ## write the state diagrams into ARCHITECTURE.md
	@$(BIN)/python -m coordinator.machines.diagram --write ARCHITECTURE.md

lock: ## pin every package again (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --extra dev pyproject.toml -o requirements.lock

clean: ## remove what setup and runs left here
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
