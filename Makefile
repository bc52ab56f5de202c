# Sets up a fresh checkout, and contains the commands that every developer needs.
# setup.cfg lists the dependencies; setup.cfg and pyproject.toml configure the checks.

VENV := .venv
BIN := $(VENV)/bin

# Many tests wait for a process, so one test process more than there are cores keeps all cores busy.
CORES := $(shell getconf _NPROCESSORS_ONLN)
PARALLEL := -n $(shell expr $(CORES) + 1) --dist worksteal

# Without its bytecode on the disk, each start of the command compiles all of harness: it takes twice as long.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test test-near coverage setup lint format types docs pictures site scripts languages bench bench-compare soak fuzz release clean FORCE
.NOTPARALLEL:

help:
	@echo 'make demo    play a Sevens tournament between bots in several languages'
	@echo 'make test    all checks: lint, types and tests'
	@echo 'make test-near  lint, types, and the tests of what differs from the main branch'
	@echo
	@echo 'make lint    check the code with ruff'
	@echo 'make types   check the types with mypy'
	@echo 'make scripts check the scripts of the pages and the workflow files'
	@echo 'make format  format the code with ruff'
	@echo 'make docs    write the pages and tables that follow from the code'
	@echo 'make pictures  the pictures of the documentation, after make demo'
	@echo 'make site    the documentation as web pages, in build/site'
	@echo 'make coverage  run the tests and show the lines that they leave out'
	@echo 'make languages  the tests of starters and hints, in each language that this machine has'
	@echo 'make soak    the tests that take minutes or more'
	@echo 'make fuzz    search ten minutes for input that crashes a reader'
	@echo 'make bench   measure the speed (make bench-compare: beside the last results)'
	@echo 'make release  build, check, try and tag the packages of this version'
	@echo 'make setup   make .venv and nothing else'
	@echo 'make clean   remove .venv and caches, never logs/'
	@echo
	@echo 'Each command sets up .venv as it needs, with PYTHON=... or the first Python >= 3.11 on the path.'

demo: $(VENV)/.installed
	@$(BIN)/harness run tournaments/sevens-demo.toml

test: lint types
	@$(BIN)/pytest $(PARALLEL)

# While you work; tests/near.py says which tests these are. `make test` runs all before a change is merged.
test-near: lint types
	@$(BIN)/python -m tests.near $(PARALLEL)

# It is no part of `make test`, because measured tests take two to three times as long.
coverage: setup
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest $(PARALLEL)
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report

setup: $(VENV)/.installed-test

lint: setup
	@$(BIN)/ruff check --quiet --output-format=concise
	@$(BIN)/ruff format --check --quiet || { \
	echo 'lint: files are not formatted; `make format` does it' >&2; exit 1; }
	@echo 'lint: clean'

format: setup
	@$(BIN)/ruff check --quiet --fix --select I
	@$(BIN)/ruff format

types: setup
	@$(BIN)/mypy --no-error-summary $(wildcard harness tests benchmarks studies) && echo 'types: clean'

# The pages stay where they are; docs/site/conf.py lists them. A warning is an error.
site: $(VENV)/.installed-site
	@$(BIN)/sphinx-build -q -W --keep-going -c docs/site -d build/site-trees -b html . build/site
	@echo 'site: open build/site/index.html'

# Needs npm, which loads tsc and eslint with the first call.
scripts:
	@.ci/scripts/check && echo 'scripts: clean'

docs: setup
	@$(BIN)/python -m tests.docs.commands_page
	@$(BIN)/python -m tests.docs.manual_page
	@$(BIN)/python -m tests.docs.mistakes_page
	@$(BIN)/python -m tests.docs.formats_page
	@$(BIN)/python -m tests.docs.languages_page
	@$(BIN)/python -m tests.docs.json_schemas

# It needs Chromium, and the record that `make demo` leaves.
pictures: setup
	@$(BIN)/python -m tests.docs.pictures logs/sevens-demo

bench: setup
	@$(BIN)/python -m benchmarks

bench-compare: setup
	@$(BIN)/python -m benchmarks
	@cd benchmarks/results && $(CURDIR)/$(BIN)/python -m pyperf compare_to --table $$(ls *.json | tail -n 2)

languages: setup
	@$(BIN)/pytest -q $(PARALLEL) -m languages -rs tests/bots/test_starters.py tests/checking/test_hints_languages.py

soak: setup
	@$(BIN)/pytest -m soak -o faulthandler_timeout=0

fuzz: $(VENV)/.installed-fuzz
	@$(BIN)/python -m tests.fuzz 60

# The version has one home, harness/__init__.py; the tag follows from it.
release:
	@.ci/release

clean:
	@rm -rf $(VENV) build dist *.egg-info .*_cache .hypothesis .coverage .coverage.*
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# -- the environment -------------------------------------------------------------------------------

$(VENV)/.installed: setup.cfg pyproject.toml $(VENV)/.tree
	$(call install,.)

$(VENV)/.installed-test: setup.cfg pyproject.toml $(VENV)/.tree
	$(call install,.[test])
	@touch $(VENV)/.installed

$(VENV)/.installed-site: $(VENV)/.installed-test
	$(call install,.[site])

$(VENV)/.installed-fuzz: $(VENV)/.installed-test
	$(call install,.[test,fuzz])

define install
@PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install -qq --no-input -e '$(1)' || { \
echo 'pip could not install the dependencies in setup.cfg, see above: is this machine online?' \
'PIP_INDEX_URL names a mirror, HTTPS_PROXY a proxy.' >&2; exit 1; }
@touch $@
endef

# .tree names the checkout that the environment belongs to. A copied or moved environment would run the code of
# the old checkout, and an environment whose Python was removed would not run at all. Both are made again.
ifneq ($(CURDIR),$(shell test -x $(BIN)/python && cat $(VENV)/.tree 2>/dev/null))

runs = $(shell $(1) -c '$(2)' >/dev/null 2>&1 && echo yes)
has = $(shell command -v $(1) 2>/dev/null)

NAMES := $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11)
NEW := import sys; sys.exit(sys.version_info < (3, 11))
FOUND := $(firstword $(foreach name,$(NAMES),$(if $(call runs,$(name),$(NEW)),$(name))))
FOUND_OLD = $(shell $(firstword $(NAMES)) --version 2>&1 | grep '^Python')
AS_ROOT = $(if $(filter-out 0,$(shell id -u)),sudo )

# The command that installs a Python, or only its venv module if that is a separate package (Debian, Ubuntu).
DEBIAN_PYTHON = $(if $(FOUND_OLD),python3.11-venv,python3-venv)
DEBIAN_VENV = python$(shell $(FOUND) -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv
INSTALL_PYTHON = $(or \
	$(if $(call has,apt-get),$(AS_ROOT)apt-get install $(DEBIAN_PYTHON)), \
	$(if $(call has,dnf),$(AS_ROOT)dnf install python3.12), \
	$(if $(call has,brew),brew install python3), \
	get it from https://www.python.org/downloads)
INSTALL_VENV = $(if $(call has,apt-get),$(AS_ROOT)apt-get install $(DEBIAN_VENV),$(INSTALL_PYTHON))

$(VENV)/.tree: FORCE
	$(if $(FOUND),,$(error harness needs Python 3.11 or newer, and $(firstword $(NAMES)) is \
	$(or $(FOUND_OLD),not there): $(INSTALL_PYTHON)   (or name one: make PYTHON=python3.12)))
	$(if $(call runs,$(FOUND),import venv; import ensurepip),,$(error \
	$(FOUND) lacks the venv module: $(INSTALL_VENV)   (then make again)))
	@echo 'setting up $(VENV) with $(shell $(FOUND) --version) ...'
	@rm -rf $(VENV)
	@$(FOUND) -m venv $(VENV)
	@echo '$(CURDIR)' > $@
endif
