#!/usr/bin/env bash
# Builds and runs the fuzz targets: fuzz.sh [TARGET…]. See README.md.
#
# FUZZ_SECONDS: the seconds per target, 60 by default; 0 runs the corpus once.
# FUZZ_SEEDS: a folder with more seeds, which is only read.
# FUZZ_KEEP: 1 writes a minimal set of inputs with the same coverage to Corpus/TARGET.tar.gz at the end.
set -euo pipefail
cd "$(dirname "$0")"

seconds="${FUZZ_SECONDS:-60}"
swift="${SWIFT:-swift}"
# Optimized, because ten times as many inputs find more; overflow and bounds checks stay. All modules are instrumented, and
# testable, so that targets can use internal declarations.
flags=(-c release -Xswiftc -sanitize=fuzzer -Xswiftc -enable-testing)
"$swift" build "${flags[@]}"
binary="$("$swift" build "${flags[@]}" --show-bin-path)/fuzz"

targets=("$@")
if [ ${#targets[@]} = 0 ]; then while read -r name; do targets+=("$name"); done < <(FUZZ_TARGET="" "$binary"); fi

failed=()
for target in "${targets[@]}"; do
    # New inputs are saved in .build for the next run. The other folders are only read.
    found=".build/fuzz/$target/corpus"
    findings=".build/fuzz/$target/findings/"
    mkdir -p "$found" "$findings"
    folders=("$found" "Corpus/$target")
    archive="Corpus/$target.tar.gz"
    if [ -f "$archive" ]; then
        rm -rf ".build/fuzz/$target/archive"
        mkdir -p ".build/fuzz/$target/archive"
        tar -xzf "$archive" -C ".build/fuzz/$target/archive"
        folders+=(".build/fuzz/$target/archive")
    fi
    case "$target" in
        github-lists | github-details) folders+=(../../Mocks/GitHub/Fixtures) ;;
        rick-and-morty) folders+=(../../Mocks/RickAndMorty/Fixtures) ;;
        app-store) folders+=(../../Mocks/AppStore/Fixtures) ;;
    esac
    if [ -n "${FUZZ_SEEDS:-}" ]; then folders+=("$FUZZ_SEEDS"); fi
    options=(-dict="Dictionaries/$target.dict" -artifact_prefix="$findings" -timeout=10 -rss_limit_mb=1024 -max_len=8192)
    if [ "$seconds" = 0 ]; then options+=(-runs=0); else options+=(-max_total_time="$seconds"); fi
    echo "== $target"
    log=".build/fuzz/$target/log"
    if FUZZ_TARGET="$target" "$binary" "${options[@]}" -print_final_stats=1 "${folders[@]}" >"$log" 2>&1; then
        grep -E "number_of_executed_units|peak_rss_mb" "$log"
    else
        tail -n 40 "$log"
        failed+=("$target")
    fi
    if [ -n "${FUZZ_KEEP:-}" ]; then
        minimal="$(mktemp -d)"
        FUZZ_TARGET="$target" "$binary" -merge=1 "$minimal" "${folders[@]}" >>"$log" 2>&1
        # Without owners and times, so that the same inputs make the same archive.
        tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - -C "$minimal" . | gzip -n9 >"$archive"
        rm -rf "$minimal"
    fi
done
if [ ${#failed[@]} != 0 ]; then echo "Findings: ${failed[*]}, in $PWD/.build/fuzz" >&2; exit 1; fi
