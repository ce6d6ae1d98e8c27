#!/usr/bin/env bash
# Runs tests in a new session with a time limit: run.sh LIMIT LOG COMMAND…
#
# LIMIT is in seconds; LOG receives the output. The exit status is the command's, or 124 after the limit, with the names of the
# tests that hung. The test runner and xctest are in different process groups, so the whole session is killed.
# Without setsid and pkill (macOS), only the time limit of a suite ends a hung test.
set -euo pipefail

limit=$1
log=$2
shift 2

if ! command -v setsid >/dev/null || ! command -v pkill >/dev/null; then
    exec "$@" >"$log" 2>&1
fi

# Line-buffered, so that no output is lost when the session is killed.
buffer=()
if command -v stdbuf >/dev/null; then buffer=(stdbuf -oL -eL); fi
setsid ${buffer[@]+"${buffer[@]}"} "$@" >"$log" 2>&1 &
session=$!
expired="$log.expired"
rm -f "$expired"
# The test runner, which buffers, can write the last lines if it outlives the tests.
setsid bash -c 'sleep "$1" && : >"$2" && { pkill -KILL -s "$3" -f "[.]xctest"; sleep 2; pkill -KILL -s "$3"; }' watch "$limit" "$expired" "$session" >/dev/null 2>&1 &
watch=$!
disown "$watch"

cleanUp() {
    for leader in "$session" "$watch"; do
        kill -KILL "$leader" 2>/dev/null || true
        pkill -KILL -s "$leader" || true
    done
}
trap 'cleanUp; exit 130' INT TERM
status=0
wait "$session" 2>/dev/null || status=$?
cleanUp

if [ -e "$expired" ]; then
    rm -f "$expired"
    echo "Not done after $limit s. Tests that started and did not end:"
    # Tests of different suites can have the same name, so each end cancels one start.
    comm -23 \
        <(sed -n 's/^◇ \(Test .*\) started\.$/\1/p' "$log" | grep -vE '^Test (run$|case )' | sort) \
        <(sed -nE 's/^(✔|✘|➜|━) (Test .*) (passed|failed) after .*/\2/p; s/^➜ (Test .*) skipped.*/\1/p' "$log" \
            | sed -E 's/ with [0-9]+ test cases?$//' | sort)
    exit 124
fi
exit "$status"
