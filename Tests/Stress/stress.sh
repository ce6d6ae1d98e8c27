#!/usr/bin/env bash
# Builds the tests once, runs all of them repeatedly, and reports which failed and how often.
#
# RUNS: the number of runs, 20 by default.
# LOAD: 1 keeps all cores busy with other processes.
# CPUS: the cores for the tests, such as 0 or 0-1 (Linux).
# LIMIT: the time limit of a run in seconds, 900 by default.
# FILTER: runs only the tests that match.
set -euo pipefail
cd "$(dirname "$0")/../.."

runs="${RUNS:-20}"
limit="${LIMIT:-900}"
swift="${SWIFT:-swift}"
logs="$PWD/.build/stress"
tests=("$swift" test --skip-build)
if [ -n "${FILTER:-}" ]; then tests+=(--filter "$FILTER"); fi
if [ -n "${CPUS:-}" ]; then
    command -v taskset >/dev/null || { echo "CPUS needs taskset, which this system doesn't have." >&2; exit 1; }
    taskset -c "$CPUS" true || { echo "There are no cores $CPUS." >&2; exit 1; }
    tests=(taskset -c "$CPUS" "${tests[@]}")
fi

"$swift" build --build-tests
rm -rf "$logs"
mkdir -p "$logs"

busy=()
current=""
cleanUp() {
    for process in ${busy[@]+"${busy[@]}"} $current; do kill "$process" 2>/dev/null || true; done
    if [ -n "$current" ]; then wait "$current" 2>/dev/null || true; fi
}
trap cleanUp EXIT
trap 'exit 130' INT TERM
if [ "${LOAD:-0}" = 1 ]; then
    for _ in $(seq "$(getconf _NPROCESSORS_ONLN)"); do
        # Ends with this script, even if the script is killed.
        bash -c 'while kill -0 "$1" 2>/dev/null; do for ((i = 0; i < 200000; i++)); do :; done; done' busy $$ &
        busy+=($!)
    done
fi

failed=0
: >"$logs/failures"
for run in $(seq "$runs"); do
    log="$logs/run-$run.log"
    start=$SECONDS
    status=0
    Tests/Stress/run.sh "$limit" "$log" "${tests[@]}" >"$log.hung" &
    current=$!
    wait "$current" || status=$?
    current=""
    if [ "$status" = 0 ]; then
        echo "run $run of $runs: green ($((SECONDS - start)) s)"
        rm -f "$log" "$log.hung"
        continue
    fi
    failed=$((failed + 1))
    # A test counts once per run, even if several of its cases failed.
    {
        sed -nE 's/^✘ Test (.*) failed after .*/\1/p' "$log" | grep -v '^run with' | sed -E 's/ with [0-9]+ test cases?$//'
        sed -nE 's/^Test (.*)/\1 (hung)/p' "$log.hung"
    } | sort -u >"$logs/names" || true
    if [ ! -s "$logs/names" ]; then echo "(exit status $status without a failed test)" >"$logs/names"; fi
    cat "$logs/names" >>"$logs/failures"
    echo "run $run of $runs: RED, status $status ($((SECONDS - start)) s), see $log"
    sed 's/^/    /' "$logs/names"
done

if [ "$failed" = 0 ]; then
    echo "All $runs runs were green."
    exit 0
fi
echo
echo "$failed of $runs runs failed. Failures by test:"
sort "$logs/failures" | uniq -c | sort -rn
exit 1
