#!/usr/bin/env bash
# Tests the transport with mutated responses, and with these and the fault run repeatedly: soak.sh. Exits with 1 if a result is wrong, or if memory or descriptors grow.
#
# MINUTES: the duration of the last part, 15 by default. SEED: the seed of responses and cancellations, 1 by default.
# BROWSEKIT_TRANSPORT=URLSession: uses URLSession, which crashes on Linux.
set -euo pipefail
cd "$(dirname "$0")/../.."

swift="${SWIFT:-swift}"
minutes="${MINUTES:-15}"
seed="${SEED:-1}"
"$swift" build -c release --product TestChild
child="$("$swift" build -c release --product TestChild --show-bin-path)/TestChild"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

# run NAME ARGUMENTS…: prints and checks the output of a TestChild command.
run() {
    echo "== $*"
    "$child" "$@" | tee "$folder/log"
    awk '/^wrong:/ { bad = 1 }
        /^memory/ && $3 > $2 + 16 * 1024 { print "Memory grew by more than 16 MiB."; bad = 1 }
        /^descriptors/ && $3 > $2 { print "Descriptors are left open."; bad = 1 }
        /^done$/ { done = 1 }
        END { exit bad || !done }' "$folder/log"
}

run mutations 20000 "$seed"
run soak "$minutes" "$seed" "$folder/cache"
