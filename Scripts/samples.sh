#!/usr/bin/env bash
# Compiles the samples of the documentation as an app would: in another package, with an app's imports, and without what is `package`.
set -euo pipefail
cd "$(dirname "$0")/.."

samples=.build/samples
mkdir -p "$samples"
rm -rf "$samples/Tests"
mkdir -p "$samples/Tests"
cp -R Tests/Documentation "$samples/Tests/Samples"
cp -R Tests/Support/TestLimits Tests/Support/TestSupport "$samples/Tests"
# These compare the documentation with the repository, and contain no samples.
rm "$samples/Tests/Samples/ProseTests.swift" "$samples/Tests/Samples/SampleTests.swift"
# An app imports BrowseKit in place of these layers.
sed -i.original -E 's/^import Browse[A-Za-z]*(Domain|Presentation)$/import BrowseKit/' "$samples"/Tests/Samples/*.swift
rm "$samples"/Tests/Samples/*.original
cat >"$samples/Package.swift" <<'MANIFEST'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Samples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "BrowseKit", path: "../..")],
    targets: [
        .target(name: "TestLimits", path: "Tests/TestLimits"),
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .testTarget(
            name: "Samples",
            dependencies: ["TestLimits", "TestSupport"]
                + ["BrowseKit", "BrowseData", "BrowseGitHub", "BrowseAppStore", "BrowseMocks", "BrowseTesting"].map {
                    .product(name: $0, package: "BrowseKit")
                },
            resources: [.copy("Fixtures")]
        ),
    ]
)
MANIFEST
"${SWIFT:-swift}" build --build-tests --package-path "$samples"
