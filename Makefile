# make lab    sets everything up, copies the notebooks into my_notebooks/ and opens the first
# make test   sets everything up and runs the tests, JOBS=2 at a time
# make site   writes the course as static files for any web server, SITE=path
# make bundle writes one folder for laptops without a network, STICK=path; make lab works from it
PYTHON ?= python3
JOBS   ?= 2
VENV   := .venv
ifeq ($(OS),Windows_NT)
BIN    := $(VENV)/Scripts
else
BIN    := $(VENV)/bin
endif
PY     := $(BIN)/python
ALF    := .venv-alfworld
STEPS  ?= 30
EVERY  ?= 5
STICK  ?= bundle
SITE   ?= site
SIZE   ?= weights
CHOSEN  = $(if $(filter-out weights,$(SIZE)),REACT_LAB_SIZE=$(SIZE))
# inside a bundle, or where BUNDLE=path names one, everything comes from it
BUNDLE ?= $(if $(wildcard ../wheels/*.whl),..)
INSTALL = $(PY) .ci/install.py $(if $(BUNDLE),--no-index --find-links "$(BUNDLE)/wheels")
PARTS  := .ci .jupyter LICENSE Makefile README.md README.zh.md data environment.yml notebooks pyproject.toml react_lab tests

.PHONY: lab lab-headless setup weights bundle data test check test-alfworld test-browser test-bundle test-cluster test-faults \
	test-finetune test-long test-mediawiki test-server test-site test-live site benchmark clean tools mediawiki
.DELETE_ON_ERROR:

lab: setup weights
	$(CHOSEN) $(PY) -m react_lab lab

lab-headless: setup weights
	$(CHOSEN) $(PY) -m react_lab lab --no-browser

setup: $(VENV)/lab.stamp

# The bundled model's weights, once; without network the recorded lessons still run.
weights: setup
	@echo "3 of 3: the model (here already: nothing is fetched)."
	-@$(PY) -m react_lab fetch $(SIZE) $(if $(BUNDLE),--from "$(BUNDLE)/weights")

site: setup $(VENV)/site.stamp
	$(PY) -m react_lab fetch site
	$(PY) -m react_lab site "$(SITE)"

# The packages are those for this kind of computer and this Python: made again on another kind, into
# the same folder, a bundle has both. `lab` is the checkout, without what you changed or ran.
bundle: setup
	$(PY) -m react_lab fetch
	mkdir -p "$(STICK)/wheels" "$(STICK)/weights"
	$(PY) -m pip wheel -q --disable-pip-version-check --wheel-dir "$(STICK)/wheels" pip hatchling editables .
	rm -rf "$(STICK)"/wheels/react_lab-*.whl "$(STICK)/lab"
	cp "$$($(PY) -c 'from react_lab.models import weights; print(weights.path())')" "$(STICK)/weights"
	mkdir "$(STICK)/lab"
	{ git ls-files -z 2>/dev/null || find $(PARTS) -type f ! -name '*.pyc' -print0; } \
		| tar --null -T - -cf - | tar -xf - -C "$(STICK)/lab"
	cp notebooks/teaching/stick.md "$(STICK)/START.md"
	@echo "$(STICK) is ready: START.md in it says what to do."

# That folder as a laptop meets it: copied, an empty home, no network at all (Linux, a few minutes).
test-bundle: tools
	@test -d "$(STICK)/wheels" || { echo "make test-bundle tries the folder that make bundle wrote: STICK=path names it."; exit 1; }
	@unshare -rn true || { echo "make test-bundle cuts the network off with unshare (Linux, util-linux), and this system lets it not."; exit 1; }
	unshare -rn $(PYTHON) tests/offline/try_stick.py "$(STICK)"

test: $(VENV)/test.stamp
	$(PY) -m react_lab fetch 135m
	$(PY) -m pytest -q -n $(JOBS) --dist loadfile --nbval --nbval-current-env \
		--nbval-cell-timeout=600 --nbval-sanitize-with=tests/nbval_sanitize.cfg tests notebooks

# A thousand texts instead of fifty for every test that takes any text, and the costliest tests.
test-long: $(VENV)/test.stamp
	$(PY) -m pytest -q -n $(JOBS) --hypothesis-profile=long -m "hypothesis or long" tests

# What is wrong with pages, questions and claims, and how they measure up.
data: $(VENV)/test.stamp
	$(PY) data/build/check.py

check: $(VENV)/check.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Our household engine beside ALFWorld's own, STEPS steps a game, of every fifth game (its planner is
# compiled); EVERY=1 plays all.
test-alfworld: $(VENV)/test.stamp $(ALF)/stamp
	ALFWORLD_PYTHON="$(CURDIR)/$(ALF)/bin/python" ALFWORLD_STEPS=$(STEPS) ALFWORLD_EVERY=$(EVERY) \
		$(PY) -m pytest -q -s -m alfworld tests/alfworld

test-browser: $(VENV)/browser.stamp
	$(PY) -m pytest -q -m browser tests

test-site: $(VENV)/browser.stamp
	$(PY) -m pytest -q -m site tests/site

test-cluster: $(VENV)/cluster.stamp
	$(PY) -m pytest -q -m cluster tests/test_evaluation.py

test-faults: $(VENV)/test.stamp
	$(PY) -m pytest -q -s -m faults tests/faults

test-finetune: $(VENV)/finetune.stamp
	$(PY) -m react_lab fetch 135m
	$(PY) -m pytest -q -m training tests

test-mediawiki: mediawiki $(VENV)/test.stamp
	$(PY) -m pytest -q -m mediawiki tests/mediawiki

test-server: $(VENV)/test.stamp
	$(PY) -m react_lab fetch 135m
	$(PY) -m react_lab fetch
	$(PY) -m pytest -q -m server tests/test_server.py tests/test_classroom.py

# The live tab as a school serves it, without a network, in Chromium and, where they are, Firefox and node.
test-live: $(VENV)/site.stamp
	$(PY) -m react_lab fetch 135m
	$(PY) -m react_lab fetch site
	$(PY) -m pytest -q -m live tests/live

benchmark: $(VENV)/test.stamp
	$(PY) tests/benchmarks/start.py
	$(PY) tests/benchmarks/calls.py
	$(PY) tests/benchmarks/widgets.py
	$(PY) tests/benchmarks/pages.py

clean:
	rm -rf $(VENV) $(ALF) .pytest_cache .mypy_cache .ruff_cache .hypothesis

# A stamp a set of packages: a second run has nothing to do.
$(VENV)/lab.stamp: pyproject.toml | $(PY)
	@echo "2 of 3: the packages. A few minutes, this once."
	@$(INSTALL) -e .
	@touch $@

$(VENV)/test.stamp: pyproject.toml $(VENV)/lab.stamp
	@echo "Packages for this task ([test]), this once."
	@$(INSTALL) -e ".[test]"
	@touch $@

# check, browser, cluster, finetune, site: the extra of that name, beside the tests'.
WITH_site = browser,site
$(VENV)/%.stamp: pyproject.toml $(VENV)/test.stamp
	@echo "Packages for this task ([test,$(or $(WITH_$*),$*)]), this once."
	@$(INSTALL) -e ".[test,$(or $(WITH_$*),$*)]"
	@touch $@

# ALFWorld's packages have a place of their own, so that they disturb none of ours.
$(ALF)/stamp: pyproject.toml | tools
	@command -v cmake >/dev/null && command -v g++ >/dev/null || { echo "make test-alfworld needs a compiler: install cmake, make and g++ (.ci/run does)."; exit 1; }
	$(PYTHON) -m venv --upgrade-deps $(ALF)
	$(ALF)/bin/pip install -q --disable-pip-version-check $$($(PYTHON) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["alfworld"])')
	@touch $@

$(PY): | tools
	@echo "1 of 3: a place of its own for Python, $(VENV). Half a minute, this once."
	@$(PYTHON) -m venv $(if $(BUNDLE),,--upgrade-deps) $(VENV)

# Each missing tool is named in one sentence.
tools:
	@command -v $(PYTHON) >/dev/null || { echo "react_lab needs Python 3.11 or newer: install python3."; exit 1; }
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || { echo "react_lab needs Python 3.11 or newer; $(PYTHON) is older (make PYTHON=python3.12 names another)."; exit 1; }
	@$(PYTHON) -c "import venv, ensurepip" 2>/dev/null || { echo "Python's venv module is missing: install python3-venv."; exit 1; }

mediawiki:
	@{ test -e /usr/share/mediawiki/api.php && php -r 'exit(!extension_loaded("pdo_sqlite"));'; } 2>/dev/null || { echo "make test-mediawiki needs MediaWiki: install mediawiki, php-cli and php-sqlite3 (.ci/run does)."; exit 1; }
