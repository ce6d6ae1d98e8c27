#!/usr/bin/env bash
# Measures builds and tests of an app with a view model of its own, and appends a table to a page: builds.sh Docs/Benchmarks.md.
#
# Beside the SDK: Foundation alone, Get, and Alamofire, which SwiftPM fetches. Figures of an idle machine only are comparable.
set -euo pipefail
cd "$(dirname "$0")/.."

page="$PWD/$1"
swift="${SWIFT:-swift}"
sdk=".package(path: \"$PWD\")"
package="$(basename "$PWD")"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# app NAME DEPENDENCY PRODUCT STATEMENT: a package with a view model that uses a product.
app() {
    local product=""
    if [ -n "$3" ]; then product=".product(name: \"$3\", package: \"${5:-$3}\")"; fi
    mkdir -p "$1/Sources/App"
    cat >"$1/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "$1",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "App", targets: ["App"])],
    dependencies: [${2:-}],
    targets: [.target(name: "App", dependencies: [$product])]
)
END
    cat >"$1/Sources/App/Screen.swift" <<END
import Foundation
${3:+import $3}

@MainActor
public final class Screen {
    public var title = "1"
    $4
}
END
}

# measure TITLE FOLDER COMMAND...: writes a line with wall time, and the processor time of all processes.
measure() {
    local title="$1" TIMEFORMAT='%R %U %S'
    cd "$folder/$2"
    shift 2
    { time "$@" >log 2>&1 || { tail -n 20 log >&3; exit 1; }; } 3>&2 2>time
    awk -v title="$title" '{ printf "| %s | %.0f s | %.0f s |\n", title, $1, $2 + $3 }' time | tee -a "$folder/rows"
}

app foundation-app "" "" 'public let formatter = ISO8601DateFormatter()'
app core-app "$sdk" BrowseCore 'public var error: BrowseError?' "$package"
app kit-app "$sdk" BrowseKit 'public let model = Container().followerListViewModel()' "$package"
app get-app '.package(url: "https://github.com/kean/Get", exact: "2.2.1")' Get 'public let client = APIClient(baseURL: nil)'
app alamofire-app '.package(url: "https://github.com/Alamofire/Alamofire", exact: "5.11.2")' Alamofire \
    'public let session = Session.default'

# The kit's app, with a test on the mocks.
cp -R kit-app tested-app
mkdir -p tested-app/Tests/AppTests
cat >>tested-app/Package.swift <<END

package.name = "tested-app"
package.targets.append(.testTarget(name: "AppTests", dependencies: ["App", .product(name: "BrowseMocks", package: "$package")]))
END
cat >tested-app/Tests/AppTests/ScreenTests.swift <<END
import BrowseKit
import BrowseMocks
import Testing

@MainActor
@Test func followersAreShown() async {
    let model = Container.offline(OfflineServices()).followerListViewModel()
    await model.show(.followers(of: GitHub.Login("octocat")))
    #expect(model.state.content.rows.count == 100)
}
END

for name in *-app; do
    (cd $name && "$swift" package resolve >log 2>&1) || { cat $name/log >&2; exit 1; }
done
measure "Debug, Foundation alone" foundation-app "$swift" build
measure "Debug, BrowseCore" core-app "$swift" build
measure "Debug, BrowseKit: all services" kit-app "$swift" build
measure "Debug, Get" get-app "$swift" build
measure "Debug, Alamofire" alamofire-app "$swift" build
sed -i.old 's/"1"/"2"/' "$folder/kit-app/Sources/App/Screen.swift"
measure "Debug, BrowseKit, after a change of the app's view model" kit-app "$swift" build
measure "Release, BrowseKit" kit-app "$swift" build -c release
measure "Release, Get" get-app "$swift" build -c release
measure "Release, Alamofire" alamofire-app "$swift" build -c release
measure "\`swift test\`, BrowseKit and the mocks" tested-app "$swift" test
sed -i.old 's/"1"/"2"/' "$folder/tested-app/Sources/App/Screen.swift"
measure "\`swift test\`, after a change of the app's view model" tested-app "$swift" test

cat >>"$page" <<END

## Builds

An app with one view model, and with one test for \`swift test\`; from empty folders, unless after a change. CPU is the time of all
processes. Figures are of an idle machine: beside other builds, a clean debug build of BrowseKit took 98 s of CPU. With BrowseData as a
product, nothing more is compiled. Get and Alamofire send and decode requests; a cache, retries, view models, and services are the app's own there.

| | wall | CPU |
|---|---|---|
$(cat "$folder/rows")
END
