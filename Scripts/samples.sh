#!/usr/bin/env bash
# Compiles the samples of the documentation as an app would: in another package, with an app's imports, and without what is `package`.
# Each is compiled twice: with the defaults of a package, and with those of an app target of Xcode 26.
set -euo pipefail
cd "$(dirname "$0")/.."

samples=.build/samples
mkdir -p "$samples"
rm -rf "$samples/Tests"
mkdir -p "$samples/Tests"
# Copies with names of their own: targets can't share files, and those of the SDK and the examples are in the same build folder.
for module in Limits Support; do cp -R "Tests/Support/Test$module" "$samples/Tests/Sample$module"; done
for prefix in Package App; do
    cp -R Tests/Documentation "$samples/Tests/${prefix}Samples"
    # These read the files of the repository, and contain no samples.
    rm "$samples/Tests/${prefix}Samples"/{FileName,Prose,ReportTable,Sample,ServiceName,SourceShape}Tests.swift
    # An app imports BrowseKit in place of these layers.
    sed -i.original -E -e 's/^import Browse[A-Za-z]*(Domain|Presentation)$/import BrowseKit/' \
        -e 's/^import Test(Limits|Support)$/import Sample\1/' \
        "$samples/Tests/${prefix}Samples"/*.swift
    for service in Books Letters; do
        cp -R "Docs/Examples/$service/Sources/$service" "$samples/Tests/$prefix$service"
        tests="$samples/Tests/$prefix${service}Tests"
        cp -R "Docs/Examples/$service/Tests"/* "$tests"
        sed -i.original -E "s/^(@testable )?import $service\$/\\1import $prefix$service/" "$tests"/*.swift
    done
    # These start processes of the example, and are in no guide.
    rm "$samples/Tests/${prefix}LettersTests"/{ChildProcess,LettersServer,LettersSessionTests}.swift
    rm "$samples/Tests/$prefix"*/*.original
done
cat >"$samples/Package.swift" <<'MANIFEST'
// swift-tools-version: 6.2
import PackageDescription

func products(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "BrowseKit") }
}

func targets(_ prefix: String, _ settings: [SwiftSetting]) -> [Target] {
    let services = ["Books", "Letters"].flatMap { service -> [Target] in
        let name = prefix + service
        let resources: [Resource] = service == "Books" ? [.copy("Fixtures")] : []
        return [
            .target(
                name: name,
                dependencies: products("BrowseCore", "BrowseData"),
                path: "Tests/\(name)",
                swiftSettings: settings
            ),
            .testTarget(
                name: "\(name)Tests",
                dependencies: [.init(stringLiteral: name)] + products("BrowseCoreMocks", "BrowseCoreTesting"),
                resources: resources,
                swiftSettings: settings
            ),
        ]
    }
    let names: [Target.Dependency] = ["SampleLimits", "SampleSupport"]
    return services + [
        .testTarget(
            name: "\(prefix)Samples",
            dependencies: names
                + products("BrowseKit", "BrowseData", "BrowseGitHub", "BrowseAppStore", "BrowseMocks", "BrowseTesting"),
            resources: [.copy("Fixtures")],
            swiftSettings: settings
        )
    ]
}

let package = Package(
    name: "Samples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "BrowseKit", path: "../..")],
    targets: [
        .target(name: "SampleLimits", path: "Tests/SampleLimits"),
        .target(name: "SampleSupport", path: "Tests/SampleSupport"),
    ]
        + targets("Package", [])
        // The default isolation, approachable concurrency, and member import visibility.
        + targets(
            "App",
            [
                .defaultIsolation(MainActor.self),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        )
)
MANIFEST
"${SWIFT:-swift}" build --build-tests --scratch-path .build --package-path "$samples"
