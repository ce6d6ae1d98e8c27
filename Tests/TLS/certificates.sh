#!/usr/bin/env bash
# Creates the certificates of a test run in a folder: certificates.sh FOLDER. Nothing is installed; the caller deletes the keys.
#
# ca.pem             the test authority, which the transport trusts
# server.pem         valid for localhost and 127.0.0.1
# expired.pem        valid until 2020
# not-yet-valid.pem  valid from 2090
# wrong-host.pem     valid for example.com only
# self-signed.pem    for localhost, issued by no authority
# unknown-ca.pem     for localhost, issued by an authority that the transport doesn't trust
#
# Each has its private key in NAME.key.
set -euo pipefail
cd "${1:?folder}"

cat >openssl.cnf <<'END'
[req]
distinguished_name = name
prompt = no
[name]
commonName = BrowseKit Test Authority
[authority]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[local]
basicConstraints = CA:false
subjectAltName = DNS:localhost, IP:127.0.0.1
extendedKeyUsage = serverAuth
[elsewhere]
basicConstraints = CA:false
subjectAltName = DNS:example.com
extendedKeyUsage = serverAuth
[ca]
default_ca = issuer
[issuer]
new_certs_dir = .
database = index.txt
serial = serial
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
END
touch index.txt
echo 01 >serial

key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:prime256v1 -out "$1.key" 2>/dev/null; }

# authority NAME
authority() {
    key "$1"
    openssl req -config openssl.cnf -x509 -new -key "$1.key" -subj "/CN=BrowseKit $1" -days 2 -extensions authority -out "$1.pem"
}

# leaf NAME AUTHORITY EXTENSIONS VALIDITY…; VALIDITY is options of `openssl ca`
leaf() {
    local name="$1" authority="$2" extensions="$3"
    shift 3
    key "$name"
    openssl req -config openssl.cnf -new -key "$name.key" -subj "/CN=$name" -out "$name.csr"
    openssl ca -batch -notext -config openssl.cnf -cert "$authority.pem" -keyfile "$authority.key" \
        -extensions "$extensions" "$@" -in "$name.csr" -out "$name.pem" 2>openssl.log || { cat openssl.log >&2; exit 1; }
}

authority ca
authority other-ca
leaf server ca local -days 2
leaf expired ca local -startdate 20190101000000Z -enddate 20200101000000Z
leaf not-yet-valid ca local -startdate 20900101000000Z -enddate 20910101000000Z
leaf wrong-host ca elsewhere -days 2
leaf unknown-ca other-ca local -days 2
key self-signed
openssl req -config openssl.cnf -x509 -new -key self-signed.key -subj "/CN=self-signed" -days 2 -extensions local -out self-signed.pem
