# Every target installs what it needs first (tools/setup); nothing has to be set up by hand.

# One flag set everywhere: each set of tags compiles the OpenGL binding anew, which takes minutes.
TAGS      ?= x11,no_animations
FUZZTIME  ?= 30s
SEQUENCES ?= 100000
WALK      ?= 100000

export TAGS
export PATH := $(CURDIR)/.tools/go/bin:$(PATH)
export GOTOOLCHAIN := local
export GOFLAGS ?= -buildvcs=false
export LANG := en_US.UTF-8

LINT     := .tools/bin/golangci-lint-2.15.0
LINT_PKG := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
TALLY    := out/test/tally
TESTSUM  := .tools/bin/testsum -tally $(TALLY)
FOLDERS  := $(patsubst %,./%/...,$(wildcard core widgets ui cmd tools))
UNIT      = $$(go list $(FOLDERS) | grep -v tools/readme)
RACE     := $(patsubst %,./%/...,$(wildcard core ui))

.DEFAULT_GOAL := help
.PHONY: help run demo tools build bench test lint reqs unit race e2e matrix readme mutants fuzz walk chaos windows clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' Makefile

run: build ## build, and open the window on your own Codex
	@tools/run

demo: build ## open the window on a real app-server with a scripted model
	@tools/setup node $(if $(DISPLAY),,display)
	@tools/codex/install 0.159.1
	@tools/demo/run.sh

tools: ## install the pinned Codex command lines into .tools/codex
	@tools/setup node
	@tools/codex/install

build: ## bin/holdfast and bin/holdfast-headless
	@tools/setup go build
	go build -tags $(TAGS) -o bin/holdfast .
	CGO_ENABLED=0 go build -o bin/holdfast-headless ./cmd/holdfast-headless

bench: build tools ## measure what the bounds are about, one line each, or those that BENCH names
	@tools/setup display
	@tools/xvfb go run ./tools/bench $(BENCH)

test: ## lint, import rules, every test and the build for Windows
	@tools/setup go build node display test windows
	@rm -rf out/test && mkdir -p out/test
	@$(MAKE) --no-print-directory lint unit race e2e readme mutants windows
	@.tools/bin/testsum -total $(TALLY)

lint: $(LINT) ## go vet, golangci-lint, and whether it builds for the other systems
	@tools/setup build
	go vet -tags $(TAGS) ./...
	$(LINT) run --allow-parallel-runners ./...
	GOOS=windows CGO_ENABLED=0 go build ./core/... ./cmd/... ./widgets/... ./ui/...
	GOOS=darwin CGO_ENABLED=0 go build ./core/... ./cmd/...

windows: ## bin/holdfast.exe, with a cross compiler
	@tools/setup go windows
	GOOS=windows CGO_ENABLED=1 CC=x86_64-w64-mingw32-gcc go build -tags no_animations -ldflags '-H windowsgui' -o bin/holdfast.exe .

reqs: ## list the requirements that no test names
	@tools/setup go
	@go run ./tools/reqs

unit: tools $(LINT) .tools/bin/testsum ## every test that needs no C compiler, import rules included
	CGO_ENABLED=0 $(TESTSUM) -- -timeout 20m -tags $(TAGS) $(UNIT)

race: tools .tools/bin/testsum ## core and ui under the race detector
	$(TESTSUM) -- -race -timeout 20m -tags $(TAGS) $(RACE)

e2e: build tools ## the real window under Xvfb, by keyboard alone
	@tools/setup display
	@tools/e2e/run.sh

matrix: build tools ## a loss, and a long conversation, in each theme, with pictures in out/matrix
	@tools/setup display
	@tools/e2e/run.sh -run TestMatrix

readme: build tools .tools/bin/testsum ## every command of the README
	$(TESTSUM) -- -count=1 -timeout 20m ./tools/readme

mutants: ## break each rule in a copy; its test must fail
	@tools/setup go test
	go run ./tools/mutants

fuzz: ## run each fuzz target for FUZZTIME, and SEQUENCES sequences of the history's model
	@tools/setup go
	CGO_ENABLED=0 go test -tags $(TAGS) -timeout 60m -run '^TestModel$$' ./core/history -sequences $(SEQUENCES)
	@tools/fuzz $(FUZZTIME)

walk: tools ## walk a conversation of WALK items of 5 KB to its oldest and back, twice, on both servers
	CGO_ENABLED=0 go test -tags $(TAGS) -timeout 4h -count=1 -v -run '^TestRealWalk$$' ./core/history -walk $(WALK)

SEEDS ?= 1..20

chaos: tools ## random faults on real servers: SEEDS=1..20 VERSION=0.159.1, added to out/chaos/report.md
	@tools/setup go
	go run ./tools/chaos -seeds $(SEEDS) -version "$(VERSION)"

clean: ## remove what was built; the fetched tools stay
	rm -rf bin out

$(LINT):
	@tools/setup go
	@mkdir -p .tools/bin
	GOBIN=$(CURDIR)/.tools/bin go install $(LINT_PKG)
	@mv .tools/bin/golangci-lint $@

.tools/bin/testsum: $(wildcard tools/testsum/*.go)
	@tools/setup go test
	@mkdir -p .tools/bin
	CGO_ENABLED=0 go build -o $@ ./tools/testsum
