#!/usr/bin/env bash
# Tests the transports over TLS and HTTP/2, with certificates created for the run: tls.sh [ARGUMENTS OF swift test].
set -euo pipefail
cd "$(dirname "$0")"

swift="${SWIFT:-swift}"
certificates="$(mktemp -d)"
trap 'rm -rf "$certificates"' EXIT
./certificates.sh "$certificates"
export BROWSEKIT_TLS_CERTIFICATES="$certificates"

"$swift" build --build-tests
echo "== CurlTransport"
"$swift" test --skip-build "$@"

# Foundation on Linux trusts only the system's authorities. The test authority replaces them in a mount namespace, which doesn't
# affect other processes. That needs a privilege that not all machines grant.
system=/etc/ssl/certs/ca-certificates.crt
if [ -f "$system" ] && unshare --mount true 2>/dev/null; then
    echo "== URLSessionTransport"
    BROWSEKIT_TLS_TRANSPORT=URLSession unshare --mount bash -euc \
        'mount --bind "$1" "$2"; shift 2; exec "$@"' - "$certificates/ca.pem" "$system" "$swift" test --skip-build "$@"
else
    echo "== URLSessionTransport: skipped, because this machine allows no mount namespace or has no $system"
fi
