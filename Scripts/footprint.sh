#!/usr/bin/env bash
# Measures the sizes that parts of the SDK add to a static program, and checks it and the number of package dependencies.
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
if [ "${1:-}" = update ]; then
    echo "$measured" >"$baseline"
    exit
fi
if [ "$(tail -n 1 "$baseline")" != "Swift $compiler" ]; then
    echo "Not compared: the baseline is of $(tail -n 1 "$baseline"), and this is Swift $compiler."
    exit
fi
status=0
while read -r program added _; do
    expected="$(sed -n "s/^$program \([0-9]*\) KiB/\1/p" "$baseline")"
    if [ "$program" != Swift ] && [ "$added" -gt $((${expected:-0} * 103 / 100)) ]; then
        echo "$program adds more than 3 % above the baseline of ${expected:-0} KiB. If that is intended, run" \
            "\`make footprint-baseline\`." >&2
        status=1
    fi
done <<<"$measured"
exit "$status"
