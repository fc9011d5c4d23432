.DEFAULT_GOAL := help
.PHONY: help run demo test build lint generate bench clean

# npm writes this file last, so it stands for a finished installation.
INSTALLED := node_modules/.package-lock.json

help: ## Show these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Start the server and print commands to try; ACMS_PORT=0 takes a free port
	@node dist/scripts/run.js

demo: build ## Assemble this repository's files under several budgets and strategies
	@node dist/demo/demo.js

test: $(INSTALLED) ## Run every check, unit test and feature, as CI does
	@npm run --silent test

build: $(INSTALLED) ## Compile to dist
	@npm run --silent build

lint: $(INSTALLED) ## Check formatting, code and contract
	@npm run --silent lint

generate: $(INSTALLED) ## Generate gen from proto
	@npm run --silent generate

bench: build ## Measure against other libraries and write bench (takes minutes)
	@npm ci --prefix benchmarks --no-audit --no-fund
	@node dist/benchmarks/run.js

clean: ## Remove what installing and building made
	rm -rf dist coverage .build node_modules benchmarks/node_modules

$(INSTALLED): package-lock.json
	@npm ci --no-audit --no-fund
	@touch $@
