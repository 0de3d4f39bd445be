# Each target sets up what it needs in .venv; nothing else on the machine is touched.
PYTHON ?= python3
BIN := .venv/bin
CODE := src tests experiments tools
# Our matrices are small: threads of the linear algebra library only get in each other's way.
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1
# Tests start Python some hundred times: what is compiled is kept, whatever the environment says.
export PYTHONDONTWRITEBYTECODE =

# Tests wait for processes and servers now and then: five for two processors keep these busy.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(max(2, (os.cpu_count() or 1) * 5 // 2))')

# Of what is installed only a part is ever imported: that is compiled then, and the rest never.
INSTALL = install --no-compile --disable-pip-version-check
# The lines of pip are for those who wait for them: the demo's first minute is installing.
PIP_QUIET = --quiet

.PHONY: demo ready services test browser-test pictures check replay coverage bench docs picture figures site clean
.DEFAULT_GOAL := demo

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Filon needs Python 3.11 or later.")'
	$(PYTHON) -m venv .venv

# One stamp an extra: pip runs again only when pyproject.toml changes.
.venv/.%: pyproject.toml .venv/bin/python
	@echo "Installing Filon and what it needs ($*) into .venv: a minute or two, once."
	$(BIN)/python -m pip $(INSTALL) $(PIP_QUIET) --editable ".[$*]"
	@touch $@

# Who wants all of these at once has them by one call.
TOGETHER = test check browser
.venv/.together: pyproject.toml .venv/bin/python
	@echo "Installing Filon and what its tests and checks need into .venv: a minute or two, once."
	$(BIN)/python -m pip $(INSTALL) $(PIP_QUIET) --editable ".[$(shell echo $(TOGETHER) | tr ' ' ,)]"
	@touch $(TOGETHER:%=.venv/.%) $@
	@$(MAKE) .venv/.compiled

# Compiled once beforehand, not by all processes of the tests at the same time, each for itself.
# What cannot be read is told by the tests.
.venv/.compiled: .venv/.test
	@$(BIN)/python -m pytest --collect-only --quiet >/dev/null 2>&1 || true
	@touch $@

demo: PIP_QUIET =
demo: .venv/.tables
	$(BIN)/filon demo

# All that `make test check browser-test` needs: `make --jobs ready` installs it side by side.
ready: .venv/.debian .venv/s3/bin/moto_server .venv/.together

# One after the other: of two calls of apt-get at the same time one fails.
.venv/.debian: | .venv/bin/python
	sh tools/postgresql.sh
	sh tools/chromium.sh
	@touch $@

# What tests of the fleet start: PostgreSQL of the system, and an S3 server. That has an environment
# of its own, since it holds back what others use.
services: .venv/s3/bin/moto_server
	sh tools/postgresql.sh

.venv/s3/bin/moto_server: | .venv/bin/python
	$(PYTHON) -m venv --without-pip .venv/s3
	$(BIN)/python -m pip --python .venv/s3/bin/python $(INSTALL) --quiet 'moto[server]>=5'

# TESTS=tests/unit/page runs these alone.
# A file of tests stays in one process, so that what is made once for it is made once; the order is
# that of tests/conftest.py, long files first.
test: .venv/.compiled
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(TESTS)

# The pages of filon serve in a Chromium, which is installed where that is allowed.
browser-test: .venv/.test .venv/.browser
	sh tools/chromium.sh
	FILON_BROWSER=1 $(BIN)/python -m pytest -n 2 --dist loadfile tests/browser

# The pictures of these pages in the documentation.
pictures: .venv/.test .venv/.browser
	FILON_BROWSER=1 FILON_PICTURES=1 $(BIN)/python -m pytest tests/browser -k wide

check: .venv/.test .venv/.check
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy
# Once more as Windows would have it: what the standard library lacks there is an error.
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32 src
	$(BIN)/lint-imports

# Exported archives in pywb and wacz, which have an environment of their own: pywb brings another
# brotli along, and what wacz stands on is under another kind of licence.
replay: .venv/.test
	test -x .venv/pywb/bin/wacz || ($(PYTHON) -m venv .venv/pywb && .venv/pywb/bin/pip $(INSTALL) --quiet pywb wacz)
	FILON_PYWB=$(CURDIR)/.venv/pywb/bin $(BIN)/python -m pytest tests/end_to_end/test_replay.py

# What the tests run, line by line and branch by branch: a table here, pages in htmlcov/.
coverage: .venv/.test .venv/.coverage
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(TESTS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage html --quiet
	$(BIN)/coverage report

bench: .venv/.test .venv/.bench
	$(BIN)/python -m experiments
	$(BIN)/python -m experiments.profile score
	$(BIN)/python -m experiments.profile cut
	$(BIN)/python -m experiments.profile speed

docs: .venv/.test
	$(BIN)/python -m tools.reference > docs/reference.md
	$(BIN)/python -m tools.words
	$(BIN)/python -m tools.api > docs/api.md

# The picture of a report in the README, by a Chromium.
picture: .venv/.test
	$(BIN)/python -m tools.picture

# Lines in the wheel, and the files that a run of each verb enters before its first request.
figures: .venv/.test
	$(BIN)/python -m tools.weight
	$(BIN)/python -m tools.entered

# The documentation as a site, in site/; a warning is an error. The variable is about a notice of
# the theme's makers on its successor, which is no word on our pages.
site: .venv/.site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:
	rm -rf .venv build dist site htmlcov .coverage .coverage.*
	rm -rf .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
