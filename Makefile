# Krig: `make run` plays, `make test` proves, `make help` lists the rest.
# Needs make, and a Python of 3.11 or newer that has pip; tools/environment.py sees to it.

PYTHON ?= python3
ARGS ?=
OFFLINE ?=
BROWSER ?= yes
WORKERS ?= 2

VENV := .venv
IN_VENV := $(VENV)/bin/python
JS := tests/client
JS_TOOLS := $(JS)/node_modules/.bin
JS_TESTS := $(wildcard $(JS)/*.test.js $(JS)/*/*.test.js)
LOCK_FLAGS := --quiet --generate-hashes --allow-unsafe --strip-extras --no-header \
  --no-emit-index-url --no-emit-trusted-host --no-emit-find-links

# A Python named by hand gets a .venv of its own kind; else one that works is kept.
CHOSEN := $(if $(filter file,$(origin PYTHON)),,--for-this-python)
prepare = @command -v $(PYTHON) >/dev/null || { \
    echo "krig: there is no $(PYTHON) here. This installs one:  apt install python3 python3-pip" >&2; \
    exit 1; }; \
  $(PYTHON) tools/environment.py $(CHOSEN) $(if $(OFFLINE),--offline)

.DEFAULT_GOAL := help
.PHONY: help run test check format venv dev wheels lock cover figures model mutants withholding \
  bench-engine faults powerloss kill9 storm soak leak pictures bench-client browser node clean \
  check-server check-client test-client hostile fuzz

help: ## list the verbs
	@echo "Usage: make VERB [PYTHON=python3.12] [OFFLINE=1] [ARGS=...]"; echo
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1~\2/p' $(firstword $(MAKEFILE_LIST)) \
	  | while IFS='~' read -r verb what; do printf '%-14s %s\n' "  $$verb" "$$what"; done

run: venv ## play: start the server (ARGS="--port 9000" goes to `krig serve`)
	@exec $(IN_VENV) -m krig serve $(ARGS)

test: dev node browser test-client ## prove: every test (ARGS="-k war"; BROWSER=no leaves out Chromium)
	@KRIG_BROWSER=$(BROWSER) $(IN_VENV) -m pytest -n $(WORKERS) $(ARGS)

check: check-server check-client ## format, lint, types and layers, in Python and JavaScript

format: dev node ## put code into its form: ruff, and prettier where there is npm
	$(IN_VENV) -m ruff check --fix-only --quiet
	$(IN_VENV) -m ruff format
	@test ! -x $(JS_TOOLS)/prettier || $(JS_TOOLS)/prettier --write --log-level warn \
	  --config $(JS)/prettier.json 'client/**/*.js' '$(JS)/**/*.js'

venv: ## only prepare what `make run` needs
	$(prepare) requirements.lock

dev: ## only prepare what `make test` and `make check` need
	$(prepare) $(if $(filter no,$(BROWSER)),requirements-dev.lock,requirements-e2e.lock)

wheels: ## fill wheels/, from which `make run OFFLINE=1` installs with no network
	$(prepare) --wheels requirements.lock

lock: ## make the three locks anew (UPGRADE=1 takes the newest versions)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11) and \
	  "krig: locks are made with the oldest Python they must hold on: make lock PYTHON=python3.11")'
	@set -e; tools=$$(mktemp -d); trap 'rm -rf "$$tools"' EXIT; \
	$(PYTHON) -m venv --without-pip "$$tools"; \
	$(PYTHON) -m pip --python "$$tools/bin/python" install --quiet pip==26.2 pip-tools==7.6.2; \
	compile() { "$$tools/bin/python" -m piptools compile $(LOCK_FLAGS) \
	  $(if $(UPGRADE),--upgrade) "$$@" pyproject.toml; }; \
	compile -o requirements.lock; \
	compile -o requirements-dev.lock --extra dev -c requirements.lock; \
	compile -o requirements-e2e.lock --extra dev --extra e2e -c requirements-dev.lock

figures: dev ## measure every figure of the rules, 20,000 games each (ARGS="--games 2000")
	@$(IN_VENV) -m tests.bench.figures $(ARGS)

model: dev ## steps of the engine beside an independent model of it (SIZE=1000000 ARGS="--seed 1")
	@$(IN_VENV) -m tests.bench.model --steps $(or $(SIZE),1000000) $(ARGS)

mutants: dev ## plant forty faults in a copy of the engine: each must turn a test red
	@$(IN_VENV) -m tests.bench.mutate $(ARGS)

withholding: dev ## what it gains to be silent when the cards are bad
	@$(IN_VENV) -m tests.bench.withholding $(ARGS)

bench-engine: dev ## rounds a second in simulate, and how long a long game takes to fold
	@$(IN_VENV) -m tests.bench.engine $(ARGS)

pictures: dev browser ## take the pictures of the table anew; then look at each of them
	@KRIG_PICTURES=take $(IN_VENV) -m pytest -q -n 0 tests/e2e/test_pictures.py

bench-client: dev browser ## weigh the client and time it, as on a slow phone
	@$(IN_VENV) -m tests.bench.client

faults: dev ## live through unlucky worlds on a virtual clock (FIRST=0 SEEDS=1000 STEPS=600)
	@PYTHONPATH=server:. $(IN_VENV) -m tests.faults --first $(or $(FIRST),0) \
	  --seeds $(or $(SEEDS),1000) --steps $(or $(STEPS),600)

powerloss: dev ## let the power go while the log is written (POINTS=100000; SEED=1)
	@PYTHONPATH=server:. $(IN_VENV) -m tests.programme.powerloss \
	  --points $(or $(POINTS),100000) $(if $(SEED),--seed $(SEED)) $(ARGS)

kill9: dev ## kill the server while rooms play (KILLS=10000; SEED=1)
	@PYTHONPATH=server:. $(IN_VENV) -m tests.programme.kill9 \
	  --kills $(or $(KILLS),10000) $(if $(SEED),--seed $(SEED)) $(ARGS)

storm: dev ## lose the server under thousands of players (SOCKETS=5000; SEED=1)
	@PYTHONPATH=server:. $(IN_VENV) -m tests.programme.storm \
	  --sockets $(or $(SOCKETS),5000) $(if $(SEED),--seed $(SEED)) $(ARGS)

soak: dev ## let rooms come and go (SECONDS=3600; SEED=1)
	@PYTHONPATH=server:. $(IN_VENV) -m tests.programme.soak \
	  --seconds $(or $(SECONDS),3600) $(if $(SEED),--seed $(SEED)) $(ARGS)

leak: dev ## scan every byte told in whole games for secrets (FIRST=0 GAMES=10000)
	@PYTHONPATH=server:. $(IN_VENV) -m tests.faults.leak --first $(or $(FIRST),0) \
	  --games $(or $(GAMES),10000)

hostile: dev ## hostile peers at a real server, and what others notice (SIZE=20 SECONDS=60)
	PYTHONPATH=server:. $(IN_VENV) -m tests.hostile.measure --size $(or $(SIZE),2) --seconds $(or $(SECONDS),10)
	PYTHONPATH=server:. $(IN_VENV) -m tests.hostile.vanish

fuzz: dev ## messages and frames by chance (SIZE=10000000; SEED=7 does one again)
	PYTHONPATH=server:. $(IN_VENV) -m tests.hostile.fuzz --size $(or $(SIZE),$(if $(SEED),1000,100000)) --seed $(or $(SEED),1)

cover: dev ## which lines no test reaches (without the browser tests)
	$(IN_VENV) -m coverage run -m pytest -q -p no:xdist --ignore=tests/e2e $(ARGS)
	$(IN_VENV) -m coverage report

clean: ## remove what the other verbs made (never data/)
	rm -rf $(VENV) $(JS)/node_modules wheels dist .coverage \
	  .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache

# Chromium is Debian's: no download of a browser, so that security updates come by apt.
browser:
ifneq ($(BROWSER),no)
	@if [ -n "$$CHROMIUM" ] || command -v chromium chromium-browser google-chrome >/dev/null; then :; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
	    apt-get install -qq -y --no-install-recommends chromium fonts-dejavu-core >/dev/null; \
	elif command -v apt-get >/dev/null && [ -n "$$CI" ]; then \
	  sudo apt-get update -qq && sudo apt-get install -qq -y chromium >/dev/null; \
	elif [ -n "$$CI" ]; then echo "krig: CI has no Chromium to test with" >&2; exit 1; \
	else echo "krig: THE BROWSER TESTS ARE LEFT OUT: there is no Chromium." \
	  "This installs it:  sudo apt install chromium  (or name one: CHROMIUM=/path)" >&2; fi
endif

# The client's tools: the newest that Node 20.19 carries, from a lock of their own.
node:
	@if ! command -v npm >/dev/null; then \
	  echo "krig: THE CLIENT'S CHECKS ARE LEFT OUT: there is no npm." \
	    "This installs it:  apt install nodejs npm" >&2; test -z "$$CI"; \
	elif ! cmp -s $(JS)/package-lock.json $(JS)/node_modules/.lock; then \
	  (cd $(JS) && npm ci --silent --no-audit --no-fund) && \
	  cp $(JS)/package-lock.json $(JS)/node_modules/.lock; fi

check-server: dev
	$(IN_VENV) -m ruff format --check
	$(IN_VENV) -m ruff check
	$(IN_VENV) -m mypy
	$(IN_VENV) -c 'from importlinter.cli import lint_imports_command as c; c()'

check-client: node
	@test ! -d $(JS)/node_modules || { set -ex; \
	$(JS_TOOLS)/tsc --project $(JS); \
	$(JS_TOOLS)/eslint --config $(JS)/eslint.config.js --max-warnings 0 client $(JS); \
	$(JS_TOOLS)/prettier --check --log-level warn --config $(JS)/prettier.json \
	  'client/**/*.js' '$(JS)/**/*.js'; }

test-client:
	@if ! command -v node >/dev/null; then \
	  echo "krig: THE CLIENT'S TESTS ARE LEFT OUT: there is no node." \
	    "This installs it:  apt install nodejs" >&2; test -z "$$CI"; \
	elif [ -n "$(JS_TESTS)" ]; then node --test --test-reporter=spec $(JS_TESTS); \
	else echo "krig: there are no client tests yet" >&2; fi
