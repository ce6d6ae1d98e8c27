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

# The options for a module. On Linux, the views exist only as compiled against the stand-ins for Apple's modules.
options_for() {
    if [ "$1" != BrowseSwiftUI ] || [ "$(uname)" = Darwin ]; then printf '%s\n' "${options[@]}"; return; fi
    "$swift" run --quiet --package-path Tests/ApplePlatforms apple "$PWD" views | sed 's/^/-I\n/'
    printf '%s\n' "${options[@]:2}"
}
