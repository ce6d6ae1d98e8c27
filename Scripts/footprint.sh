#!/usr/bin/env bash
# Measures the sizes that parts of the SDK add to a static program, and writes them to Tests/Footprint/sizes.
#
# Linux only.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(uname)" != Linux ]; then
    echo "Apple platforms have no static standard library, so the footprint is measured on Linux." >&2
    exit 1
fi
swift="${SWIFT:-swift}"
package=Tests/Footprint

start=$SECONDS
"$swift" build --quiet -c release --static-swift-stdlib --package-path "$package" 2>&1 | { grep -v "mktemp" || true; }
echo "Build of all programs: $((SECONDS - start)) s"
products="$("$swift" build -c release --static-swift-stdlib --package-path "$package" --show-bin-path)"
size() {
    strip -o "$products/$1.stripped" "$products/$1"
    echo $(($(stat -c %s "$products/$1.stripped") / 1024))
}
bare="$(size bare)"
echo "Stripped static program with Foundation alone: $bare KiB"

# The programs are described in Tests/Footprint/Sources.
compiler="$("$swift" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1) $(uname -m)"
measured="$(for program in client core github kit; do echo "$program $(($(size "$program") - bare)) KiB"; done; echo "Swift $compiler")"
echo "$measured" | sed -n 's/ [0-9]* KiB/ adds&/p'
echo "$measured" >"$package/sizes"
