#!/usr/bin/env bash
# Tests CurlTransport over TLS and HTTP/2, with certificates created for the run: tls.sh [ARGUMENTS OF swift test].
set -euo pipefail
cd "$(dirname "$0")"

swift="${SWIFT:-swift}"
certificates="$(mktemp -d)"
trap 'rm -rf "$certificates"' EXIT
./certificates.sh "$certificates"
export BROWSEKIT_TLS_CERTIFICATES="$certificates"

"$swift" build --build-tests
"$swift" test --skip-build "$@"
