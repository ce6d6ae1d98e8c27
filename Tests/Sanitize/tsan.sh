#!/usr/bin/env bash
# Runs the tests with the thread sanitizer: tsan.sh [OPTIONS OF swift test]. See CONTRIBUTING.md.
set -euo pipefail
cd "$(dirname "$0")/../.."

swift="${SWIFT:-swift}"
scratch=.build/tsan
reports="$PWD/$scratch/reports"
mkdir -p "$scratch"
rm -f "$reports".*

# Expanded with `+`, because an empty array is an error in the bash of macOS.
preload=()
if [ "$(uname)" = Linux ]; then
    clang -O1 -Wall -Werror -shared -fPIC -o "$scratch/libreports.so" Tests/Sanitize/mutex.c Tests/Sanitize/continuation.c
    preload=(LD_PRELOAD="$PWD/$scratch/libreports.so")
fi

# Checks the setup first: it must report exactly the intended races.
"${swift}c" -swift-version 6 -parse-as-library -sanitize=thread Tests/Sanitize/Probe.swift -o "$scratch/probe"
probe() { env ${preload[@]+"${preload[@]}"} TSAN_OPTIONS=exitcode=66 "$scratch/probe" "$1" >"$scratch/probe.log" 2>&1; }
probe guarded || { cat "$scratch/probe.log"; echo "The sanitizer reports a correct use of Mutex." >&2; exit 1; }
probe resumed || { cat "$scratch/probe.log"; echo "The sanitizer reports a correct use of a continuation." >&2; exit 1; }
for part in bare forgotten; do
    if probe "$part"; then echo "The sanitizer doesn't report the race in Probe.swift: $part." >&2; exit 1; fi
done

"$swift" build --build-tests --sanitize=thread --scratch-path "$scratch"
status=0
# Two tests at a time, because tests are several times slower and some have time limits.
env ${preload[@]+"${preload[@]}"} TSAN_OPTIONS="log_path=$reports history_size=4 second_deadlock_stack=1" \
    "$swift" test --skip-build --sanitize=thread --scratch-path "$scratch" \
    --experimental-maximum-parallelization-width 2 "$@" || status=$?
if compgen -G "$reports.*" >/dev/null; then
    cat "$reports".*
    echo "The thread sanitizer reported races; see $reports.*" >&2
    exit 1
fi
exit "$status"
