#!/usr/bin/env bash
# Tests CurlTransport over TLS and HTTP/2, with certificates created for the run: tls.sh [ARGUMENTS OF swift test].
set -euo pipefail
cd "$(dirname "$0")"

swift="${SWIFT:-swift}"
certificates="$(mktemp -d)"
trap 'rm -rf "$certificates"' EXIT
./certificates.sh "$certificates"
export BROWSEKIT_TLS_CERTIFICATES="$certificates"

# In the folder of the SDK's own build, so that it isn't compiled again.
"$swift" test --scratch-path ../../.build "$@"
