#!/usr/bin/env bash
# Installs what the desktop example needs on Linux, if it's missing: setup-desktop.sh [--tests]. With --tests, also a display in
# memory, and a program that presses keys.
set -euo pipefail

missing=()
if ! { command -v pkg-config && pkg-config --exists libadwaita-1; } >/dev/null; then missing+=(pkg-config libadwaita-1-dev); fi
if [ "${1:-}" = --tests ]; then
    for command in xvfb-run:xvfb xauth:xauth xdotool:xdotool; do
        if ! command -v "${command%:*}" >/dev/null; then missing+=("${command#*:}"); fi
    done
fi
if [ ${#missing[@]} = 0 ]; then exit 0; fi
if ! command -v apt-get >/dev/null; then
    echo "Missing: ${missing[*]} (names of Debian and Ubuntu). Install your system's equivalent." >&2
    exit 1
fi
as_root=""
if [ "$(id -u)" != 0 ]; then as_root="sudo "; fi
echo "Missing: ${missing[*]}. Installing:"
for command in "apt-get update -q" "apt-get install -q -y ${missing[*]}"; do
    echo "+ $as_root$command"
    $as_root$command
done
