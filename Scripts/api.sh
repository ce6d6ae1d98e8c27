#!/usr/bin/env bash
# Compares the public API with the committed baseline, or replaces the baseline.
#
# Fails if a change would break source code that uses the SDK. Additions pass.
# Usage: api.sh check|update MODULE...
set -euo pipefail
cd "$(dirname "$0")/.."

mode="$1"
shift
source Scripts/modules.sh
baselines=Tests/API
new=.build/api
rm -rf "$new" && mkdir -p "$new" "$baselines"

# The digester also writes declarations with `package` access, and compares them.
public='sub public { my $n = shift; $n->{$_} = [map public($_), grep !$_->{isInternal}, @{$n->{$_}}]
    for grep $n->{$_}, "children", "accessors"; $n }
    my $dump = decode_json($_); public($dump->{ABIRoot});
    print JSON::PP->new->canonical->indent->indent_length(0)->encode($dump)'

status=0
for module in "$@"; do
    found=()
    while IFS= read -r option; do found+=("$option"); done < <(options_for "$module")
    digester=("$swift" api-digester "${found[@]}" -avoid-location -avoid-tool-args -swift-only)
    "${digester[@]}" -dump-sdk -module "$module" -o "$new/$module.all.json"
    perl -MJSON::PP -0777 -ne "$public" "$new/$module.all.json" >"$new/$module.json"
    if [ "$mode" = update ]; then
        gzip -9 -n -c "$new/$module.json" >"$baselines/$module.json.gz"
        continue
    fi
    gunzip -c "$baselines/$module.json.gz" >"$new/$module.old.json"
    "${digester[@]}" -diagnose-sdk -input-paths "$new/$module.old.json" -input-paths "$new/$module.json" -o "$new/$module.txt"
    # The report has a heading for each kind of change, even if there are none.
    if grep -v -e '^/\*' -e '^$' "$new/$module.txt" >"$new/$module.changes"; then
        echo "$module: these changes break code that uses it:" >&2
        cat "$new/$module.changes" >&2
        status=1
    fi
done
if [ "$status" != 0 ]; then
    echo "If the changes are intended, run \`make api-baseline\`, and describe them in CHANGELOG.md." >&2
fi
exit "$status"
