# Everything that is done with the project, here and in CI. `make` lists it.

SWIFT ?= swift
# CI adds -Xswiftc -warnings-as-errors. Not in the manifest: a user's newer compiler may know more warnings.
FLAGS ?=
TERMINAL := Docs/Examples/Terminal
BOOKS := Docs/Examples/Books
BENCHMARKS := Tests/Benchmarks
FUZZ := Tests/Fuzz
APPLE := Tests/ApplePlatforms
TLS := Tests/TLS
FORMATTED := Package.swift Sources Mocks Tests/BrowseKit Tests/Data Tests/Documentation Tests/Domain Tests/Mocks \
	Tests/Presentation Tests/Support $(TERMINAL)/Package.swift $(TERMINAL)/Sources $(TERMINAL)/Tests \
	$(BOOKS)/Package.swift $(BOOKS)/Sources $(BOOKS)/Tests \
	$(BENCHMARKS)/Package.swift $(BENCHMARKS)/Sources $(FUZZ)/Package.swift $(FUZZ)/Sources \
	$(APPLE)/Package.swift $(APPLE)/Sources $(APPLE)/Probes $(APPLE)/ThirtyTwoBits \
	$(TLS)/Package.swift $(TLS)/Sources $(TLS)/Tests Tests/Sanitize
BROWSE = $(SWIFT) run --quiet --package-path $(TERMINAL) browse
# Xcode's tools are not in the path.
DOCC := $(if $(filter Darwin,$(shell uname)),xcrun )docc
DOCUMENTED := BrowseDomain BrowseData BrowsePresentation BrowseKit BrowseMocks

.PHONY: help setup demo test tls apple tsan fuzz soak examples bench lint format docs clean

help:
	@echo "make setup     installs the C headers that the build needs, where they are missing"
	@echo "make demo      followers, a profile, a search, favorites, a star, no network and an error, from the fixtures"
	@echo "make test      every test of the SDK; no network"
	@echo "make tls       tests the transports over TLS and HTTP/2, with certificates that are made for the run"
	@echo "make apple     compiles everything as Apple platforms do; on Linux, without an Apple SDK"
	@echo "make stress    every test 20 times; RUNS=50, LOAD=1 for busy cores, CPUS=0 for one core"
	@echo "make tsan      the same tests under the thread sanitizer"
	@echo "make fuzz      a minute of arbitrary input for each reader of what others wrote"
	@echo "make soak      mutated responses, redirects, and faults for 15 minutes; MINUTES=1 for one"
	@echo "make examples  builds and tests the examples: a terminal front end, and a service of one's own"
	@echo "make bench     speed beside bare Foundation, over a server on this machine"
	@echo "make lint      checks the style; make format mends it"
	@echo "make docs      builds the documentation into .build/BrowseKit.doccarchive"

# Installs the C headers that a fresh Linux machine lacks; prints each command before running it.
setup:
	@Scripts/setup.sh

# SwiftPM identifies packages by their folder's name, so $(1) can't depend on a clone in a folder of the same name.
distinct = @if [ "$$(basename "$(CURDIR)" | tr A-Z a-z)" = "$$(basename "$(1)" | tr A-Z a-z)" ]; then \
	echo "SwiftPM identifies packages by their folder's name, and can't tell $(1) from the clone in $(CURDIR)." \
	"Rename the clone's folder." >&2; exit 1; fi

demo: setup
	$(call distinct,$(TERMINAL))
	@$(SWIFT) build --quiet --package-path $(TERMINAL)
	@echo "— the followers of octocat whose name contains “ash”, from all pages"
	@$(BROWSE) followers octocat --all --filter ash --locale en
	@echo "— a profile, in Korean"
	@$(BROWSE) profile octocat --locale ko
	@echo "— a search for code repositories, for a program"
	@$(BROWSE) search repos octocat --sort stars --locale en | head -3
	@echo "— favorites, kept in a folder and listed by letter"
	@folder="$$(mktemp -d)" && trap 'rm -rf "$$folder"' EXIT && export BROWSE_STORAGE="$$folder" && \
		$(BROWSE) favorites add octocat --locale en && $(BROWSE) favorites add haneul-kim --locale en && \
		$(BROWSE) favorites --locale en
	@echo "— signing in by a code, a star, and signing out"
	@folder="$$(mktemp -d)" && trap 'rm -rf "$$folder"' EXIT && export BROWSE_STORAGE="$$folder" && \
		$(BROWSE) login --locale en && $(BROWSE) star octocat/hello-tentacles --locale en && \
		$(BROWSE) logout --locale en
	@echo "— what was seen before, without a network, and what GitHub still takes"
	@folder="$$(mktemp -d)" && trap 'rm -rf "$$folder"' EXIT && export BROWSE_STORAGE="$$folder" && \
		$(BROWSE) repos mockworks --locale en | head -1 && $(BROWSE) repos mockworks --offline --locale en | head -1
	@$(BROWSE) limits --locale en
	@echo "— somebody who does not exist"
	@$(BROWSE) followers nobody-here --locale en || echo "(exit code $$?)"

# The check makes an import against the layers an error. Without it the compiler finds any module that happens to be built.
test: setup
	$(SWIFT) test --explicit-target-dependency-import-check error $(FLAGS)

# On a Mac, Xcode does this with the real SDKs.
apple: setup
	@if [ "$$(uname)" = Linux ]; then $(SWIFT) run --quiet --package-path $(APPLE) apple "$(CURDIR)"; \
		else echo "Build the scheme BrowseKit-Package with Xcode instead: see .github/workflows/ci.yml."; fi

# More often with RUNS=50; with every core busy: LOAD=1; on one core: CPUS=0.
stress: setup
	SWIFT="$(SWIFT)" RUNS="$(RUNS)" LOAD="$(LOAD)" CPUS="$(CPUS)" FILTER="$(FILTER)" LIMIT="$(LIMIT)" Tests/Stress/stress.sh

# Longer with FUZZ_SECONDS=600; only some with TARGETS="link-header excerpt".
fuzz: setup
	$(call distinct,$(FUZZ))
	SWIFT="$(SWIFT)" $(FUZZ)/fuzz.sh $(TARGETS)

tls: setup
	$(call distinct,$(TLS))
	SWIFT="$(SWIFT)" $(TLS)/tls.sh

soak: setup
	SWIFT="$(SWIFT)" MINUTES="$(MINUTES)" Tests/Stress/soak.sh

# Only some with FILTER=PaginatedFetch.
tsan: setup
	SWIFT="$(SWIFT)" Tests/Sanitize/tsan.sh $(if $(FILTER),--filter "$(FILTER)")

examples: setup
	$(call distinct,$(TERMINAL))
	$(SWIFT) build --package-path $(TERMINAL)
	$(SWIFT) test --package-path $(TERMINAL)
	$(SWIFT) build --package-path $(BOOKS)
	$(SWIFT) test --package-path $(BOOKS)

bench: setup
	$(call distinct,$(BENCHMARKS))
	$(SWIFT) run -c release --package-path $(BENCHMARKS) bench

lint:
	$(SWIFT) format lint --strict --recursive $(FORMATTED)

format:
	$(SWIFT) format --in-place --recursive $(FORMATTED)

# Installs nothing.
docs:
	@Scripts/setup.sh --check
	$(SWIFT) package dump-symbol-graph --minimum-access-level public --skip-synthesized-members
	@rm -rf .build/symbols && mkdir -p .build/symbols
	@graphs="$$($(SWIFT) build --show-bin-path)/../symbolgraph" && for module in $(DOCUMENTED); do \
		cp "$$graphs/$$module.symbols.json" .build/symbols || exit 1; done
	$(DOCC) convert Docs/BrowseKit.docc --additional-symbol-graph-dir .build/symbols \
		--fallback-display-name BrowseKit --fallback-bundle-identifier browsekit \
		--warnings-as-errors --output-path .build/BrowseKit.doccarchive

clean:
	rm -rf .build $(TERMINAL)/.build $(BOOKS)/.build $(BENCHMARKS)/.build $(FUZZ)/.build $(TLS)/.build $(APPLE)/.build
