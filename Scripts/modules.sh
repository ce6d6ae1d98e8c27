# Sourced by scripts that read the compiled modules: builds "$@", and sets `swift` and the compiler's `options`.
swift="${SWIFT:-swift}"
for module in "$@"; do "$swift" build --quiet --target "$module"; done
options=(
    -I "$("$swift" build --show-bin-path)/Modules"
    -target "$("$swift" -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p' | head -n 1)"
    -Xcc -fmodule-map-file=Sources/CBrowseSQLite/module.modulemap
    -Xcc -fmodule-map-file=Sources/CBrowseCurl/module.modulemap
)
if [ "$(uname)" = Darwin ]; then options+=(-sdk "$(xcrun --show-sdk-path)"); fi
