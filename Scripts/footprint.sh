#!/usr/bin/env bash
# Measures the size that the SDK adds to a static program, and checks it and the number of package dependencies.
#
# Compares with Tests/Footprint/baseline, which `footprint.sh update` replaces. Linux only.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(uname)" != Linux ]; then
    echo "Apple platforms have no static standard library, so the footprint is measured on Linux." >&2
    exit 1
fi
swift="${SWIFT:-swift}"
package=Tests/Footprint
baseline="$package/baseline"

dependencies="$("$swift" package show-dependencies --format flatlist | grep -c . || true)"
echo "Package dependencies: $dependencies"
if [ "$dependencies" != 0 ]; then
    echo "The SDK must have no package dependencies." >&2
    exit 1
fi

start=$SECONDS
"$swift" build --quiet -c release --static-swift-stdlib --package-path "$package" 2>&1 | { grep -v "mktemp" || true; }
echo "Build of both programs: $((SECONDS - start)) s"
products="$("$swift" build -c release --static-swift-stdlib --package-path "$package" --show-bin-path)"
size() {
    strip -o "$products/$1.stripped" "$products/$1"
    echo $(($(stat -c %s "$products/$1.stripped") / 1024))
}
bare="$(size bare)"
kit="$(size kit)"
added=$((kit - bare))
echo "Stripped static program: $bare KiB with Foundation alone, $kit KiB with BrowseKit, $added KiB added"

compiler="$("$swift" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1) $(uname -m)"
if [ "${1:-}" = update ]; then
    echo "$added KiB, Swift $compiler" >"$baseline"
    exit
fi
expected="$(cat "$baseline")"
if [ "${expected#*Swift }" != "$compiler" ]; then
    echo "Not compared: the baseline is of Swift ${expected#*Swift }, and this is Swift $compiler."
    exit
fi
limit=$((${expected%% *} * 103 / 100))
if [ "$added" -gt "$limit" ]; then
    echo "That is more than 3 % above the baseline of ${expected%%,*}. If that is intended, run \`make footprint-baseline\`." >&2
    exit 1
fi
