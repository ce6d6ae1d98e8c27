#!/usr/bin/env bash
# Sends the transport mutated responses and redirects that race with cancellation, and repeats both with the fault run:
# soak.sh. Ends with 1 if a result is wrong, or memory or descriptors grow.
#
# MINUTES: how long the last part takes, 15 by default. SEED: which responses and moments, 1 by default.
# BROWSEKIT_TRANSPORT=URLSession: that transport, which ends the process on Linux.
set -euo pipefail
cd "$(dirname "$0")/../.."

swift="${SWIFT:-swift}"
minutes="${MINUTES:-15}"
seed="${SEED:-1}"
"$swift" build -c release --product TestChild
child="$("$swift" build -c release --product TestChild --show-bin-path)/TestChild"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

# run NAME ARGUMENTS…: prints what the program writes, and checks it.
run() {
    echo "== $*"
    "$child" "$@" | tee "$folder/log"
    awk '/^wrong:/ { bad = 1 }
        /^memory/ && $3 > $2 + 16 * 1024 { print "Memory grew by more than 16 MiB."; bad = 1 }
        /^descriptors/ && $3 > $2 { print "Descriptors are left open."; bad = 1 }
        /^done$/ { done = 1 }
        END { exit bad || !done }' "$folder/log"
}

run chunks 64
run mutations 20000 "$seed"
run redirects 50000 "$seed"
run soak "$minutes" "$seed" "$folder/cache"
