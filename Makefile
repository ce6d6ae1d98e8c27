# Everything that is done with the project, here and in CI. `make` lists it.

SWIFT ?= swift
# CI adds -Xswiftc -warnings-as-errors. Not in the manifest: a user's newer compiler may know more warnings.
FLAGS ?=
TERMINAL := Docs/Examples/Terminal
BENCHMARKS := Tests/Benchmarks
FORMATTED := Package.swift Sources Mocks Tests/BrowseKit Tests/Data Tests/Documentation Tests/Domain Tests/Mocks \
	Tests/Presentation Tests/Support $(TERMINAL)/Package.swift $(TERMINAL)/Sources $(TERMINAL)/Tests \
	$(BENCHMARKS)/Package.swift $(BENCHMARKS)/Sources
BROWSE = $(SWIFT) run --quiet --package-path $(TERMINAL) browse
DOCUMENTED := BrowseDomain BrowseData BrowsePresentation BrowseKit BrowseMocks

.PHONY: help demo test examples bench lint format docs clean

help:
	@echo "make demo      followers, a profile and an error, from the fixtures, in a terminal"
	@echo "make test      every test of the SDK; no network"
	@echo "make examples  builds and tests the example front ends"
	@echo "make bench     speed beside bare Foundation, over a server on this machine"
	@echo "make lint      checks the style; make format mends it"
	@echo "make docs      builds the documentation into .build/BrowseKit.doccarchive"

demo:
	@$(SWIFT) build --quiet --package-path $(TERMINAL)
	@echo "— the followers of octocat whose name contains “ash”, from all pages"
	@$(BROWSE) followers octocat --all --filter ash --locale en
	@echo "— a profile, in Korean"
	@$(BROWSE) profile octocat --locale ko
	@echo "— somebody who does not exist"
	@$(BROWSE) followers nobody-here --locale en || echo "(exit code $$?)"

# The check makes an import against the layers an error. Without it the compiler finds any module that happens to be built.
test:
	$(SWIFT) test --explicit-target-dependency-import-check error $(FLAGS)

examples:
	$(SWIFT) build --package-path $(TERMINAL)
	$(SWIFT) test --package-path $(TERMINAL)

bench:
	$(SWIFT) run -c release --package-path $(BENCHMARKS) bench

lint:
	$(SWIFT) format lint --strict --recursive $(FORMATTED)

format:
	$(SWIFT) format --in-place --recursive $(FORMATTED)

docs:
	$(SWIFT) package dump-symbol-graph --minimum-access-level public --skip-synthesized-members
	@rm -rf .build/symbols && mkdir -p .build/symbols
	@graphs="$$($(SWIFT) build --show-bin-path)/../symbolgraph" && for module in $(DOCUMENTED); do \
		cp "$$graphs/$$module.symbols.json" .build/symbols || exit 1; done
	docc convert Docs/BrowseKit.docc --additional-symbol-graph-dir .build/symbols \
		--fallback-display-name BrowseKit --fallback-bundle-identifier browsekit \
		--warnings-as-errors --output-path .build/BrowseKit.doccarchive

clean:
	rm -rf .build $(TERMINAL)/.build $(BENCHMARKS)/.build
