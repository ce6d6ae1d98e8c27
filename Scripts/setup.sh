#!/usr/bin/env bash
# Checks for the C headers that the build needs on Linux (Apple's SDKs contain them), and installs missing ones:
# setup.sh [--check | --web]. With --check it installs nothing: a missing header is an error. --web includes the example website.
set -euo pipefail

if [ "$(uname)" != Linux ]; then exit 0; fi

# Header, its package in Debian and Ubuntu, its package in Fedora and Red Hat.
headers=(
    "sqlite3.h libsqlite3-dev sqlite-devel"
    "curl/curl.h libcurl4-openssl-dev libcurl-devel"
    "zlib.h zlib1g-dev zlib-devel"
)

if [ "${1:-}" = --web ]; then headers+=("hiredis/hiredis.h libhiredis-dev hiredis-devel"); fi

missing=()
apt=()
dnf=()
for line in "${headers[@]}"; do
    read -r header apt_package dnf_package <<<"$line"
    if message="$(LC_ALL=C clang -fsyntax-only -include "$header" -x c /dev/null 2>&1)"; then continue; fi
    if ! grep -qF "'$header' file not found" <<<"$message"; then
        printf 'Checking for %s failed:\n%s\n' "$header" "$message" >&2
        exit 1
    fi
    missing+=("$header")
    apt+=("$apt_package")
    dnf+=("$dnf_package")
done
if [ ${#missing[@]} = 0 ]; then exit 0; fi

if command -v apt-get >/dev/null; then
    commands=("apt-get update -q" "apt-get install -q -y ${apt[*]}")
elif command -v dnf >/dev/null; then
    commands=("dnf install -q -y ${dnf[*]}")
else
    commands=()
fi
if [ "${1:-}" = --check ] || [ ${#commands[@]} = 0 ]; then
    echo "Missing: ${missing[*]}. Install ${apt[*]} (Debian, Ubuntu), ${dnf[*]} (Fedora, Red Hat), or your system's" \
        "equivalent; \`make setup\` does it where there is apt-get or dnf." >&2
    exit 1
fi
as_root=""
if [ "$(id -u)" != 0 ]; then as_root="sudo "; fi
echo "Missing: ${missing[*]}. Installing:"
for command in "${commands[@]}"; do
    echo "+ $as_root$command"
    if ! $as_root$command; then
        echo "Could not install ${missing[*]}." >&2
        exit 1
    fi
done
