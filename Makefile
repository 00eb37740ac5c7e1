# Needs Python 3.11 or later and make; everything else is put into .venv. See README.md.
PORT ?= 8000
DATA ?= .data
SPEED ?= 1
SEEDS ?= 200
MEMBERS ?= 200
DAYS ?= 365
SEED ?= 1
JOBS ?= 2
PYTHON ?=

PY := .venv/bin/python
export AWS_EC2_METADATA_DISABLED := true
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: play demo test check bench sim year build deploy clean

play: .venv/local build
	@PORT=$(PORT) DATA=$(DATA) SPEED=$(SPEED) $(PY) -m functions.serve

demo: .venv/local build
	@$(PY) -m functions.demo

test: .venv/dev build
	@$(PY) -m pytest -n $(JOBS) --dist loadfile $(TESTS)

check: .venv/dev build
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@.venv/bin/lint-imports --no-cache > .venv/imports.txt || { cat .venv/imports.txt; exit 1; }
	@$(PY) -m mypy
	@$(PY) -m pytest tests/lint

bench: .venv/dev build
	@$(PY) -m bench

sim: .venv/dev build
	@$(PY) -m tests.sim --seeds $(SEEDS)

year: .venv/dev build
	@$(PY) -m tests.club.year --members $(MEMBERS) --days $(DAYS) --seed $(SEED)

build: .venv/local
	@$(PY) -m infra.build

deploy: .venv/dev .venv-sam/bin/sam
	@$(PY) -m infra.package
	@SAM_CLI_TELEMETRY=0 .venv-sam/bin/sam deploy $(if $(PARAMETERS),--parameter-overrides $(PARAMETERS))

clean:
	rm -rf .venv .venv-cloud .venv-sam build

.venv/bin/python:
	@for p in $(PYTHON) python3 python3.13 python3.12 python3.11; do \
	  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && exec $$p -m venv .venv; \
	done; echo "Python 3.11 or later is needed: make PYTHON=/where/it/is" >&2; exit 1

.venv/local: pyproject.toml | .venv/bin/python
	@echo "Installing what the site needs into .venv …" >&2
	@$(call install,local)

.venv/dev: pyproject.toml | .venv/local
	@echo "Installing what the tests need into .venv …" >&2
	@$(call install,local dev)

define install
$(PY) -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
print(*p["dependencies"], *(d for e in "$(1)".split() for d in p["optional-dependencies"][e]), sep="\n")' > $@.txt \
&& $(PY) -m pip install -qq --requirement $@.txt && touch $@
endef

# It pins other versions of botocore than the site and MiniStack do, so it has an environment of its own.
.venv-sam/bin/sam:
	@echo "Installing the SAM CLI into .venv-sam …" >&2
	@$(PY) -m venv .venv-sam && .venv-sam/bin/python -m pip install -qq aws-sam-cli==1.170.0
