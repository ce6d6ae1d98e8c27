#!/usr/bin/env bash
# Shows the main screens on bundled data, as a person sees them. BROWSE is the path of the terminal front end.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
export BROWSE_STORAGE="$folder"
# As a person sees them, also in a pipe.
export COLUMNS="${COLUMNS:-80}"

step() { printf '\n▸ %s\n' "$1"; }
# Prints a command and its output.
run() {
  printf '$ browse %s\n' "$*"
  "$BROWSE" "$@" --table --locale "$locale"
}

locale=en
step "Followers of octocat whose name contains “ash”, from all pages"
run followers octocat --all --filter ash
step "A profile in Korean"
locale=ko
run profile haneul-kim
locale=en
step "Repositories whose name or description contains “kettle”, by stars"
run search repos kettle --sort stars
step "Favorites, in groups by letter"
run favorites add octocat
run favorites add haneul-kim
run favorites
step "Sign in with a code, star a repository, sign out"
run login
run star octocat/hello-tentacles
run logout
step "The same profile with a network, and from the cache without one, with its age"
run profile octocat
run profile octocat --offline
step "Apps in the App Store"
run apps tea
step "GitHub’s rate limits"
run limits
step "An account that doesn’t exist"
run followers nobody-here || echo "(exit code $?)"
