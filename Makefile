# Each target sets up what it needs in .venv; nothing else on the machine is touched.
PYTHON ?= python3
BIN := .venv/bin
# Our matrices are small: threads of the linear algebra library only get in each other's way.
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1

.PHONY: demo test check bench docs clean
.DEFAULT_GOAL := demo

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Filon needs Python 3.11 or later.")'
	$(PYTHON) -m venv .venv

# One stamp an extra: pip runs again only when pyproject.toml changes.
.venv/.%: pyproject.toml .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[$*]"
	@touch $@

demo: .venv/.plots
	$(BIN)/filon demo

# A file of tests stays in one process, so that what is made once for it is made once.
test: .venv/.test
	$(BIN)/python -m pytest -n auto --dist loadfile

check: .venv/.test .venv/.check
	$(BIN)/ruff check src tests
	$(BIN)/ruff format --check src tests
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/.test .venv/.bench
	$(BIN)/python -m filon.bench

docs: .venv/.test
	$(BIN)/python -m filon.cli.reference > docs/reference.md

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
