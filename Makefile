# The tasks of the project, also for CI. `make` lists them.

SWIFT ?= swift
# An optimized build that rejects warnings and imports against the layers, for which the compiler would find modules built before.
# Neither is in the manifest: a newer compiler may have new warnings.
STRICT := -c release -Xswiftc -enable-testing -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error
TERMINAL := Docs/Examples/Terminal
BOOKS := Docs/Examples/Books
LETTERS := Docs/Examples/Letters
VIEWS := Docs/Examples/SwiftUI
EXPORT := Docs/Examples/Export
STORES := Docs/Examples/SharedStores
WEB := Docs/Examples/Web
DESKTOP := Docs/Examples/Desktop
BENCHMARKS := Tests/Benchmarks
FUZZ := Tests/Fuzz
APPLE := Tests/ApplePlatforms
TLS := Tests/TLS
# The folder of the SDK's own build, so that packages on it don't compile it again.
SHARED := --scratch-path $(CURDIR)/.build
FORMATTED := Package.swift Sources Mocks Testing Tests/BrowseKit Tests/Data Tests/Documentation Tests/Domain \
	Tests/Mocks Tests/Presentation Tests/Reports Tests/Support Tests/Testing $(TERMINAL)/Package.swift $(TERMINAL)/Sources \
	$(TERMINAL)/Tests $(BOOKS)/Package.swift $(BOOKS)/Sources $(BOOKS)/Tests $(LETTERS)/Package.swift $(LETTERS)/Sources \
	$(LETTERS)/Tests $(VIEWS)/Package.swift $(VIEWS)/Sources \
	$(EXPORT)/Package.swift $(EXPORT)/Sources $(EXPORT)/Tests \
	$(STORES)/Package.swift $(STORES)/Sources $(STORES)/Tests \
	$(DESKTOP)/Package.swift $(DESKTOP)/Sources $(DESKTOP)/Tests \
	$(WEB)/Package.swift $(WEB)/Sources $(WEB)/Tests $(BENCHMARKS)/Package.swift $(BENCHMARKS)/Sources Tests/Footprint/Package.swift Tests/Footprint/Sources $(FUZZ)/Package.swift $(FUZZ)/Sources \
	$(APPLE)/Package.swift $(APPLE)/Sources $(APPLE)/Probes $(APPLE)/ThirtyTwoBits \
	Tests/Services/Package.swift $(TLS)/Package.swift $(TLS)/Sources $(TLS)/Tests Tests/Sanitize
# Xcode's tools aren't in the path.
DOCC := $(if $(filter Darwin,$(shell uname)),xcrun )docc
MODULES := BrowseDomain BrowseData BrowsePresentation BrowseCore BrowseSwiftUI $(foreach service,GitHub RickAndMorty AppStore,\
	$(addprefix Browse$(service),Domain Data Presentation Mocks) Browse$(service)) BrowseKit BrowseCoreMocks BrowseMocks \
	BrowseCoreTesting BrowseTesting

.PHONY: help setup demo desktop desktop-tests web web-load test strict test-strict services tls apple stress tsan fuzz soak examples bench bench-report bench-check api api-baseline footprint errors lint format docs docs-preview clean

help:
	@echo "make setup     installs missing C headers"
	@echo "make demo      shows the main screens in a terminal, from fixtures"
	@echo "make desktop   opens a window on bundled data, on Linux with GTK 4; ARGUMENTS=--live for the real services"
	@echo "make desktop-tests  tests the window, on a display in memory"
	@echo "make web       starts a website on bundled data, at http://127.0.0.1:8080; PORT=9000 for another port"
	@echo "make web-load  measures the website with 200 visitors, next to an empty handler, on Linux"
	@echo "make test      runs all tests of the SDK, without network access"
	@echo "make strict    rejects warnings and imports against the layers; make test-strict also tests the optimized SDK"
	@echo "make services compiles the services, and the samples of the documentation, with what another package can use"
	@echo "make tls       tests the transports over TLS and HTTP/2, with certificates made for the run"
	@echo "make apple     compiles the code for Apple platforms on Linux, without an Apple SDK"
	@echo "make stress    runs all tests 20 times; RUNS=50, LOAD=1 for busy cores, CPUS=0 for one core"
	@echo "make tsan      runs all tests with the thread sanitizer"
	@echo "make fuzz      runs each fuzz target for a minute; FUZZ_SECONDS=600 for longer"
	@echo "make soak      sends mutated responses, then repeats them, with faults, for 15 minutes; MINUTES=1 for one"
	@echo "make examples  builds and tests all examples but the SwiftUI one"
	@echo "make bench     measures performance next to bare code; make bench-check checks the bounds, make bench-report updates Docs/Benchmarks.md"
	@echo "make footprint measures the size that the SDK adds to a program, on Linux, for the README"
	@echo "make lint      checks the style; make format fixes the layout"
	@echo "make errors    updates Docs/Errors.md from the texts"
	@echo "make docs      builds the documentation into .build/BrowseKit.doccarchive; make docs-preview serves it"
	@echo "make api       finds changes that break code that uses the SDK; make api-baseline accepts them"
	@echo "make clean     deletes the build folders"

# Installs missing C headers on Linux; prints each command before running it.
setup:
	@Scripts/setup.sh

# SwiftPM identifies packages by their folder's name, so $(1) can't depend on a clone in a folder of the same name.
distinct = @if [ "$$(basename "$(CURDIR)" | tr A-Z a-z)" = "$$(basename "$(1)" | tr A-Z a-z)" ]; then \
	echo "SwiftPM identifies packages by their folder's name, and can't tell $(1) from the clone in $(CURDIR)." \
	"Rename the clone's folder." >&2; exit 1; fi

demo: setup
	$(call distinct,$(TERMINAL))
	$(call distinct,$(EXPORT))
	@echo "Building the terminal front end, for a few minutes the first time"
	@$(SWIFT) build --quiet $(SHARED) --package-path $(TERMINAL)
	@BROWSE="$$($(SWIFT) build $(SHARED) --package-path $(TERMINAL) --show-bin-path)/browse" Scripts/demo.sh

# ARGUMENTS="--live --language ko --style dark" are those of browse-desktop.
desktop: setup
	@Scripts/setup-desktop.sh
	$(call distinct,$(DESKTOP))
	@$(SWIFT) build --quiet $(SHARED) --package-path $(DESKTOP) --product browse-desktop
	@exec "$$($(SWIFT) build $(SHARED) --package-path $(DESKTOP) --show-bin-path)/browse-desktop" $(ARGUMENTS)

desktop-tests: setup
	@Scripts/setup-desktop.sh --tests
	$(call distinct,$(DESKTOP))
	$(SWIFT) build $(SHARED) --package-path $(DESKTOP)
	SWIFT="$(SWIFT)" $(DESKTOP)/tests.sh

web:
	@Scripts/setup.sh --web
	$(call distinct,$(WEB))
	$(call distinct,$(STORES))
	@$(SWIFT) build --quiet $(SHARED) --package-path $(WEB) --product browse-web
	@PORT="$(or $(PORT),8080)" exec "$$($(SWIFT) build $(SHARED) --package-path $(WEB) --show-bin-path)/browse-web"

# Optimized, with the server in a process of its own.
web-load:
	@Scripts/setup.sh --web
	$(call distinct,$(WEB))
	$(call distinct,$(STORES))
	@$(SWIFT) build --quiet -c release --package-path $(WEB) --product browse-web
	@$(SWIFT) build --quiet -c release --package-path $(WEB) --product WebLoad
	@"$$($(SWIFT) build -c release --package-path $(WEB) --show-bin-path)/WebLoad"

test: setup
	$(SWIFT) test

# Compiles everything that `test-strict` runs.
strict: setup
	BROWSEKIT_STRICT=1 $(SWIFT) build --build-tests $(STRICT)

# Tests of the optimized SDK repeat random operations more often.
# `swift test` alone would compile everything again.
test-strict: strict
	BROWSEKIT_STRICT=1 $(SWIFT) test --skip-build $(STRICT)

# On macOS, Xcode does this with the real SDKs.
apple: setup
	@if [ "$$(uname)" = Linux ]; then $(SWIFT) run --quiet --package-path $(APPLE) apple "$(CURDIR)"; \
		else echo "Build the scheme BrowseKit-Package with Xcode instead: see .github/workflows/ci.yml."; fi

# RUNS=50 repeats more often; LOAD=1 keeps every core busy; CPUS=0 uses one core.
stress: setup
	SWIFT="$(SWIFT)" RUNS="$(RUNS)" LOAD="$(LOAD)" CPUS="$(CPUS)" FILTER="$(FILTER)" LIMIT="$(LIMIT)" Tests/Stress/stress.sh

# FUZZ_SECONDS=600 runs longer; TARGETS="link-header shown-text" selects targets.
fuzz: setup
	$(call distinct,$(FUZZ))
	SWIFT="$(SWIFT)" $(FUZZ)/fuzz.sh $(TARGETS)

# The services and the samples can't use what is `package` in the SDK, like code of another package.
services: setup
	SWIFT="$(SWIFT)" Scripts/services.sh
	$(call distinct,samples)
	SWIFT="$(SWIFT)" Scripts/samples.sh

tls: setup
	$(call distinct,$(TLS))
	SWIFT="$(SWIFT)" $(TLS)/tls.sh

soak: setup
	SWIFT="$(SWIFT)" MINUTES="$(MINUTES)" Tests/Stress/soak.sh

# FILTER=PaginatedFetch selects tests.
tsan: setup
	SWIFT="$(SWIFT)" Tests/Sanitize/tsan.sh $(if $(FILTER),--filter "$(FILTER)")

examples:
	@Scripts/setup.sh --web
	$(call distinct,$(TERMINAL))
	$(call distinct,$(BOOKS))
	$(call distinct,$(LETTERS))
	$(call distinct,$(EXPORT))
	$(call distinct,$(STORES))
	$(call distinct,$(WEB))
	$(SWIFT) test $(SHARED) --package-path $(TERMINAL)
	$(SWIFT) test $(SHARED) --package-path $(BOOKS)
	$(SWIFT) test $(SHARED) --package-path $(LETTERS)
	$(SWIFT) test $(SHARED) --package-path $(EXPORT)
	$(SWIFT) test $(SHARED) --package-path $(STORES)
	$(SWIFT) test $(SHARED) --package-path $(WEB)

# The report is for a quiet machine. `bench-check` fails if a line exceeds its bound.
bench bench-report bench-check: setup
	$(call distinct,$(BENCHMARKS))
	$(SWIFT) run -c release -Xswiftc -enable-testing --package-path $(BENCHMARKS) bench \
		$(if $(filter bench-report,$@),--report Docs)$(if $(filter bench-check,$@),--check)
	$(if $(filter bench-report,$@),SWIFT="$(SWIFT)" Scripts/builds.sh Docs/Benchmarks.md)

# Measures the size that the SDK adds to a static program, which the README states.
footprint: setup
	SWIFT="$(SWIFT)" Scripts/footprint.sh

# Updates the table of error messages.
errors: setup
	BROWSEKIT_WRITE_ERRORS=1 $(SWIFT) test --filter 'The table of error messages'

lint:
	@missing="$$(grep -rlE '^ *@Test' --include='*.swift' $(addprefix Tests/,BrowseKit Data Documentation Domain Mocks Presentation \
		Reports Testing) | xargs grep -L '[.]bounded')"; \
		if [ -n "$$missing" ]; then echo "Suites without the trait .bounded:" $$missing >&2; exit 1; fi
	@Scripts/files.sh
	$(SWIFT) format lint --strict --recursive $(FORMATTED)
	@Scripts/prose.sh

format:
	$(SWIFT) format --in-place --recursive $(FORMATTED)

# Fails with a hint instead of installing missing headers.
docs:
	@Scripts/setup.sh --check
	SWIFT="$(SWIFT)" Scripts/docs.sh .build/BrowseKit.doccarchive $(MODULES)

# Serves the documentation on this computer.
docs-preview: docs
	$(DOCC) preview Docs/BrowseKit.docc --additional-symbol-graph-dir .build/symbols \
		--fallback-display-name BrowseKit --fallback-bundle-identifier browsekit --output-path .build/preview

api: setup
	SWIFT="$(SWIFT)" Scripts/api.sh check $(MODULES)

api-baseline: setup
	SWIFT="$(SWIFT)" Scripts/api.sh update $(MODULES)

clean:
	rm -rf .build $(wildcard Docs/Examples/*/.build Tests/*/.build)
