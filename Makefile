# Stepmark: `make help` lists what there is.
.DEFAULT_GOAL := help
SHELL := /bin/bash
# The system's own first: distributions build it with profile-guided optimisation, and pyenv's needs up to half as long
# again. One without ensurepip can make no environment.
PYTHON ?= $(or $(firstword $(shell for each in /usr/bin/python3.11 python3.11 python3; do \
    $$each -c 'import ensurepip' 2>/dev/null && echo $$each; done)),python3)
BIN := .venv/bin
PORT ?= 8000
WORKERS ?= 2

# PyTorch's package index. Unset: its CPU index on a machine without an NVIDIA driver, unless pip is set up with
# wheels of its own; PyPI's CUDA build with one. `make setup TORCH_INDEX_URL=https://download.pytorch.org/whl/cu128`
# names another.
ifeq ($(origin TORCH_INDEX_URL),undefined)
TORCH_INDEX_URL := $(shell command -v nvidia-smi >/dev/null || $(PYTHON) -m pip config list 2>/dev/null | grep -q find-links || echo https://download.pytorch.org/whl/cpu)
endif

NO_INDEX = PyTorch's package index $(TORCH_INDEX_URL) can't be reached. Name one that can, with make setup TORCH_INDEX_URL=https://…, or none, with make setup TORCH_INDEX_URL=, for what PyPI or your pip's settings have.

.PHONY: help
help: ## List the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

.PHONY: setup
setup: .venv/.installed stepmark/dist/.compressed ## Build .venv and the client, and nothing else
	@echo ".venv has $$($(BIN)/python -V) ($$($(BIN)/python -c 'import sys; print(sys.base_prefix)'))."

.venv/.installed: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(if $(TORCH_INDEX_URL),$(BIN)/python -m pip index versions torch --index-url $(TORCH_INDEX_URL) --retries 0 >/dev/null 2>&1 || { echo "$(NO_INDEX)" >&2; exit 1; })
	$(BIN)/python -m pip install -qq --upgrade pip
	$(BIN)/python -m pip install -qq -c constraints.txt $(if $(TORCH_INDEX_URL),--extra-index-url $(TORCH_INDEX_URL)) torch
	$(BIN)/python -m pip install -qq -c constraints.txt -e ".[dev]"
	touch $@

frontend/node_modules/.installed: frontend/package.json frontend/package-lock.json
	cd frontend && npm ci --no-audit --no-fund --loglevel=error
	touch $@

# After the installation: pip looks through the package meanwhile.
stepmark/dist/.built: frontend/node_modules/.installed frontend/index.html frontend/vite.config.ts $(shell find frontend/src frontend/public -type f 2>/dev/null) | .venv/.installed
	cd frontend && npm run --silent build
	touch $@

stepmark/dist/.compressed: stepmark/dist/.built .venv/.installed
	$(BIN)/python -m whitenoise.compress --quiet stepmark/dist
	touch $@

.PHONY: demo
demo: setup ## Two labelled rounds, a reward model of each and a third round, on 127.0.0.1:8000
	$(BIN)/stepmark demo --port $(PORT) --workers $(WORKERS)

.PHONY: run
run: setup ## Run the product (web and two workers) on what is in var/ or in DATABASE_URL
	$(BIN)/stepmark migrate --verbosity 0
	$(BIN)/stepmark run --port $(PORT) --workers $(WORKERS)

.PHONY: loop
loop: setup ## Two rounds of the loop over HTTP, with scripted annotators (DATA=folder: on real input)
	$(BIN)/python -m benchmarks.loop $(if $(DATA),--data $(DATA))

.PHONY: bench-annotate
bench-annotate: setup ## What an annotator waits for, in a slowed-down Chromium, against its budgets
	$(BIN)/python -m benchmarks.annotate

.PHONY: bench-grading
bench-grading: setup ## Hostile answers, agreement with real verdicts, grades a second
	$(BIN)/python -m benchmarks.grading

.PHONY: bench-consensus
bench-consensus: setup ## How often each way to a consensus finds the true first error, on simulated annotators
	$(BIN)/python -m benchmarks.consensus

.PHONY: bench-train
bench-train: setup ## Training on trees against a row per rated completion (DATA=folder with prm800k/)
	$(BIN)/python -m benchmarks.reward_model.train --data $(DATA)

.PHONY: bench-score
bench-score: setup ## Scoring against a pass per prefix and per solution (DATA=folder with prm800k/ and processbench/)
	$(BIN)/python -m benchmarks.reward_model.score --data $(DATA) $(ARGS)

# As stepmark/supervisor.py sets them for its workers.
bench-train bench-score bench-prm bench-traces lab: export MALLOC_MMAP_THRESHOLD_ := 33554432
bench-train bench-score bench-prm bench-traces lab: export MALLOC_TRIM_THRESHOLD_ := 67108864

.PHONY: bench-load
bench-load: setup ## Many annotators on a round of many open tasks, beside Label Studio (ARGS="--tasks 1000000 --label-studio venv-folder")
	$(BIN)/python -m benchmarks.load $(ARGS)

.PHONY: bench-gpu
bench-gpu: setup ## Training and scoring on this machine's GPU at three sizes, without network (ARGS=--small: on any machine)
	$(BIN)/python -m benchmarks.reward_model.gpu $(ARGS)

.PHONY: bench-workers
bench-workers: setup ## One scoring run by one worker and by two, on servers of its own (ARGS=--small: a pool of seconds)
	$(BIN)/python -m benchmarks.workers $(ARGS)

.PHONY: bench-select
bench-select: setup ## The best of a million scored solutions, on a PostgreSQL of its own
	$(BIN)/python -m benchmarks.select_top

.PHONY: bench-prm
bench-prm: setup ## A reward model against baselines (DATA=folder with prm800k/ and processbench/; ARGS="--base …")
	$(BIN)/python -m benchmarks.reward_model.prm --data $(DATA) $(ARGS)

.PHONY: bench-traces
bench-traces: setup ## A reward model on people's labels of agents' traces, against baselines (DATA=folder with agents/)
	$(BIN)/python -m benchmarks.reward_model.traces --data $(DATA) $(ARGS)

.PHONY: bench-io
bench-io: setup ## Import and export of 75,000 solutions beside Label Studio's (ARGS="--label-studio venv-folder")
	$(BIN)/python -m benchmarks.data_io $(ARGS)

.PHONY: faults
faults: setup ## A hundred faults under load: programs, links, disks, clocks (ARGS="--faults 12 --only kill")
	$(BIN)/python -m benchmarks.faults --trains --result benchmarks/results/faults.json $(ARGS)

.PHONY: lab
lab: setup ## The paper's experiments in small: PRM, outcome models and votes (hours; ARGS=--redraw: plots and tables only)
	$(BIN)/python -m benchmarks.lab $(ARGS)

.PHONY: lab-quick
lab-quick: setup ## The same on a few problems, in minutes; proves that it runs, not who wins
	$(BIN)/python -m benchmarks.lab --quick --seeds 2 --work var/lab-quick

.PHONY: shape
shape: setup ## How long files and functions are, how full packages; fails on a full package or an import cycle
	$(BIN)/python -m benchmarks.shape

.PHONY: tree
tree: setup ## Write docs/packages.md from the packages' docstrings
	$(BIN)/python -m benchmarks.tree

.PHONY: reference
reference: setup ## Write the site's pages of commands and of the API from the code
	DJANGO_SETTINGS_MODULE=stepmark.settings $(BIN)/python -m docs.generated

.PHONY: docs
docs: setup reference ## Build the site into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

# An image would be made of older wheels, too, and a wheel of modules that are gone.
.PHONY: wheel
wheel: setup ## Build the wheel into dist/
	rm -rf build dist/stepmark-*.whl
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

.PHONY: test
test: setup ## Everything that CI runs
	$(BIN)/python -m tests.everything

.PHONY: quick
quick: setup ## What a change needs, in two minutes: lint, and the tests that mirror it (SINCE=revision; default: HEAD)
	$(BIN)/python -m tests.quick $(SINCE)

# In an environment of its own, so that what is audited does not change by it.
.venv-audit/.installed: Makefile
	$(PYTHON) -m venv .venv-audit
	.venv-audit/bin/python -m pip install -qq pip-audit==2.10.1 cyclonedx-bom==7.5.0
	touch $@

.PHONY: audit
audit: setup .venv-audit/.installed ## Compare what is installed, Python and client, with the databases of known holes
	.venv-audit/bin/pip-audit --path $$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') --skip-editable
	cd frontend && npm audit --omit=dev

.venv-lock/.installed: Makefile
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install -qq pip-tools==7.6.2
	touch $@

.PHONY: lock
lock: .venv-lock/.installed ## Write deploy/requirements.txt: what a web server is installed from, with hashes for every platform
	CUSTOM_COMPILE_COMMAND="make lock" .venv-lock/bin/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras \
	    --no-annotate --no-emit-index-url --no-emit-find-links \
	    --extra s3 --constraint constraints.txt --output-file deploy/requirements.txt pyproject.toml

.PHONY: sbom
sbom: setup .venv-audit/.installed ## List what the server and the client consist of, in var/sbom-*.json (CycloneDX)
	mkdir -p var
	.venv-audit/bin/cyclonedx-py environment $(BIN)/python --of JSON --output-file var/sbom-server.json
	cd frontend && npm sbom --sbom-format cyclonedx --omit dev >../var/sbom-client.json

.PHONY: check
check: setup ## Formatting, lint, types, import rules: Python and client
	$(BIN)/python -m tests.everything check

.PHONY: openapi
openapi: setup ## Write the API's schema and generate the client's types from it
	$(BIN)/python manage.py spectacular --format openapi-json --file stepmark/schema/openapi.json --validate --fail-on-warn
	cd frontend && npm run --silent generate

.PHONY: format
format: setup ## Format the code, Python and client
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	cd frontend && npm run --silent format
