#!/usr/bin/env bash
# Builds the documentation of all modules as one site, and checks it.
#
# Fails if the documentation has a warning, if a public symbol lacks documentation, or if a symbol of a module or namespace
# belongs to no topic.
# Usage: docs.sh ARCHIVE MODULE...
set -euo pipefail
cd "$(dirname "$0")/.."

archive="$1"
shift
source Scripts/modules.sh
docc=(docc)
# Xcode's tools aren't in the path.
if [ "$(uname)" = Darwin ]; then docc=(xcrun docc); fi

# Not `swift package dump-symbol-graph`: it needs the tests to be built, and omits extensions of other modules' types.
symbols=.build/symbols
rm -rf "$symbols" && mkdir -p "$symbols"
for module in "$@"; do
    found=()
    while IFS= read -r option; do found+=("$option"); done < <(options_for "$module")
    "$swift" symbolgraph-extract -module-name "$module" "${found[@]}" -output-dir "$symbols" \
        -minimum-access-level public -skip-synthesized-members -emit-extension-block-symbols
done

# The tutorial's steps: each file alone, except that a program's last version uses the view model.
tutorial=Docs/BrowseKit.docc/Resources/first-screen
for step in "$tutorial-1.swift" "$tutorial-2.swift" "$tutorial-3.swift $tutorial-4.swift"; do
    # shellcheck disable=SC2086 # The last step has two files.
    "${swift}c" -typecheck -parse-as-library -swift-version 6 -warnings-as-errors "${options[@]}" $step
done

report=.build/coverage.txt
"${docc[@]}" convert Docs/BrowseKit.docc --additional-symbol-graph-dir "$symbols" \
    --fallback-display-name BrowseKit --fallback-bundle-identifier browsekit \
    --experimental-documentation-coverage --coverage-summary-level detailed \
    --warnings-as-errors --output-path "$archive" >"$report" || { cat "$report"; exit 1; }

status=0
# The columns: name, kind, whether it has an abstract, …, path. The compiler writes some members, which have no comments.
if awk -F' *[|] *' '$3 == "false" && $2 !~ /^(CollectionGroup|Article|Module|Tutorial.*|Extended .*)$/ \
    && $1 !~ /^(init\(from:\)|init\(rawValue:\)|\$.*)$/ { print $8; found = 1 } END { exit !found }' "$report" >&2; then
    echo "These public symbols have no documentation." >&2
    status=1
fi
for page in "$@" BrowseGitHubDomain/GitHub BrowseRickAndMortyDomain/RickAndMorty BrowseAppStoreDomain/AppStore; do
    # Symbols without a topic are in generated sections, such as Structures.
    perl -MJSON::PP -0777 -ne 'exit scalar grep $_->{generated}, @{decode_json($_)->{topicSections}}' \
        "$archive/data/documentation/$(tr '[:upper:]' '[:lower:]' <<<"$page").json" && continue
    echo "Some symbols of $page have no topic: see the last sections of its page." >&2
    status=1
done
exit "$status"
