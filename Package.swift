// swift-tools-version: 6.2
import PackageDescription

// Targets form a grid: rows are the layers, columns are the core and each service. `make strict` rejects an import of a target
// that isn't a dependency, such as that of the HTTP client in a view model, or of a service in the core.
// Docs/Architecture.md draws the picture.
let layers = ["Domain", "Data", "Presentation"]
let services = ["GitHub", "RickAndMorty", "AppStore"]

/// The targets of the core, each after those that it depends on.
let core: [Target] = [
    .target(name: "BrowseDomain", path: "Sources/Domain/Core"),
    .target(
        name: "BrowseData",
        dependencies: [
            "BrowseDomain", "CBrowseSQLite",
            .target(name: "CBrowseCurl", condition: .when(platforms: [.linux])),
        ],
        path: "Sources/Data/Core",
        resources: [.copy("PrivacyInfo.xcprivacy")]
    ),
    .target(name: "BrowsePresentation", dependencies: ["BrowseDomain"], path: "Sources/Presentation/Core"),
    .target(
        name: "BrowseCore",
        dependencies: ["BrowseDomain", "BrowseData", "BrowsePresentation"],
        path: "Sources/BrowseKit/Core"
    ),
    // Views for macOS, iOS, and visionOS; empty on other platforms. No other target depends on it.
    .target(
        name: "BrowseSwiftUI",
        dependencies: ["BrowseDomain", "BrowsePresentation", "BrowseCore"],
        path: "Sources/BrowseKit/SwiftUI"
    ),
    .target(
        name: "BrowseCoreMocks",
        dependencies: ["BrowseDomain", "BrowseData", "BrowsePresentation", "BrowseCore"],
        path: "Mocks/Core"
    ),
    // Apart from the mocks, which apps and previews import: an executable can't link Testing statically.
    .target(
        name: "BrowseCoreTesting",
        dependencies: ["BrowseDomain", "BrowseData", "BrowsePresentation", "BrowseCore", "BrowseCoreMocks"],
        path: "Testing/Core"
    ),
]
let coreLayers: [Target.Dependency] = ["BrowseDomain", "BrowseData", "BrowsePresentation", "BrowseCore"]

/// The targets of a service. Each layer sees the same layer of the core, and both domains; the other targets see all layers.
func cells(of service: String) -> [Target] {
    let domain = Target.Dependency(stringLiteral: "Browse\(service)Domain")
    return [
        .target(
            name: "Browse\(service)Domain",
            dependencies: ["BrowseDomain"],
            path: "Sources/Domain/\(service)"
        ),
        .target(
            name: "Browse\(service)Data",
            dependencies: ["BrowseDomain", "BrowseData", domain],
            path: "Sources/Data/\(service)"
        ),
        .target(
            name: "Browse\(service)Presentation",
            dependencies: ["BrowseDomain", "BrowsePresentation", domain],
            path: "Sources/Presentation/\(service)"
        ),
        .target(
            name: "Browse\(service)",
            dependencies: coreLayers + layers(of: service),
            path: "Sources/BrowseKit/\(service)"
        ),
        .target(
            name: "Browse\(service)Mocks",
            dependencies: coreLayers + layers(of: service) + [
                "BrowseCoreMocks", .init(stringLiteral: "Browse\(service)"),
            ],
            path: "Mocks/\(service)",
            resources: [.copy("Fixtures")]
        ),
    ]
}

func layers(of service: String) -> [Target.Dependency] {
    layers.map { Target.Dependency(stringLiteral: "Browse\(service)\($0)") }
}

/// The given layers of the core and of all services.
func grid(_ rows: String...) -> [Target.Dependency] {
    rows.flatMap { row in (["Browse"] + services.map { "Browse\($0)" }).map { .init(stringLiteral: $0 + row) } }
}

/// Everything.
let all =
    grid("Domain", "Data", "Presentation") + ["BrowseCore", "BrowseKit"]
    + services.map { .init(stringLiteral: "Browse\($0)") }

let package = Package(
    name: "BrowseKit",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "BrowseDomain", targets: ["BrowseDomain"]),
        .library(name: "BrowseData", targets: ["BrowseData"]),
        .library(name: "BrowsePresentation", targets: ["BrowsePresentation"]),
        .library(name: "BrowseCore", targets: ["BrowseCore"]),
        .library(name: "BrowseSwiftUI", targets: ["BrowseSwiftUI"]),
        .library(name: "BrowseKit", targets: ["BrowseKit"]),
        .library(name: "BrowseCoreMocks", targets: ["BrowseCoreMocks"]),
        .library(name: "BrowseMocks", targets: ["BrowseMocks"]),
        .library(name: "BrowseCoreTesting", targets: ["BrowseCoreTesting"]),
        .library(name: "BrowseTesting", targets: ["BrowseTesting"]),
    ]
        + services.flatMap { service -> [Product] in
            [
                .library(
                    name: "Browse\(service)",
                    targets: ["Browse\(service)"] + layers.map { "Browse\(service)\($0)" }
                ),
                .library(name: "Browse\(service)Mocks", targets: ["Browse\(service)Mocks"]),
            ]
        },
    targets: core + services.flatMap(cells) + [
        // Targets share one namespace with every other package of an app, hence the prefix.
        // Without pkg-config: when building for a device it would add the Mac's own headers.
        .systemLibrary(
            name: "CBrowseSQLite",
            path: "Sources/CBrowseSQLite",
            providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"])]
        ),
        // Foundation's own library of HTTP on Linux, and zlib, which it needs; nothing of them is used elsewhere.
        .systemLibrary(
            name: "CBrowseCurl",
            path: "Sources/CBrowseCurl",
            providers: [.apt(["libcurl4-openssl-dev", "zlib1g-dev"]), .yum(["libcurl-devel", "zlib-devel"])]
        ),
        .target(
            name: "BrowseKit",
            dependencies: coreLayers + services.flatMap { layers(of: $0) + [.init(stringLiteral: "Browse\($0)")] },
            path: "Sources/BrowseKit/All"
        ),
        .target(
            name: "BrowseMocks",
            dependencies: all + ["BrowseCoreMocks"] + services.map { .init(stringLiteral: "Browse\($0)Mocks") },
            path: "Mocks/All"
        ),
        .target(
            name: "BrowseTesting",
            dependencies: all + ["BrowseCoreTesting", "BrowseCoreMocks"],
            path: "Testing/All"
        ),
        .target(name: "TestSupport", path: "Tests/Support/TestSupport"),
        // Apart from TestSupport, which child processes use: an executable can't link Testing.
        .target(name: "TestLimits", path: "Tests/Support/TestLimits"),
        .target(name: "SlowLookups", path: "Tests/Support/SlowLookups"),
        .executableTarget(
            name: "TestChild",
            dependencies: all + [
                "BrowseMocks", "TestSupport",
                .target(name: "SlowLookups", condition: .when(platforms: [.linux])),
            ],
            path: "Tests/Support/TestChild"
        ),
        .testTarget(
            name: "MocksTests",
            dependencies: all + ["BrowseMocks", "TestLimits", "TestSupport"],
            path: "Tests/Mocks",
            resources: [.copy("Fixtures")]
        ),
        .testTarget(
            name: "TestingTests",
            dependencies: all + ["BrowseMocks", "BrowseTesting", "TestLimits", "TestSupport"],
            path: "Tests/Testing",
            resources: [.copy("Core/Fixtures")]
        ),
        .testTarget(
            name: "DomainTests",
            dependencies: grid("Domain") + ["BrowseMocks", "TestLimits", "TestSupport"],
            path: "Tests/Domain"
        ),
        .testTarget(
            name: "DataTests",
            dependencies: grid("Domain", "Data") + [
                "BrowseMocks", "CBrowseSQLite", "TestLimits", "TestSupport",
                .target(name: "TestChild", condition: .when(platforms: [.macOS, .linux])),
            ],
            path: "Tests/Data",
            exclude: ["Core/Images/Files"]
        ),
        .testTarget(
            name: "PresentationTests",
            dependencies: grid("Domain", "Presentation") + ["BrowseMocks", "TestLimits", "TestSupport"],
            path: "Tests/Presentation"
        ),
        .testTarget(
            name: "KitTests",
            dependencies: all + ["BrowseMocks", "TestLimits", "TestSupport"],
            path: "Tests/BrowseKit"
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: all + ["BrowseMocks", "BrowseTesting", "TestLimits", "TestSupport"],
            path: "Tests/Documentation",
            resources: [.copy("Fixtures")]
        ),
        // What people reported about other clients, tried on this one.
        .testTarget(
            name: "ReportTests",
            dependencies: all + ["BrowseMocks", "BrowseTesting", "TestLimits", "TestSupport"],
            path: "Tests/Reports",
            exclude: ["README.md", "Tables"]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
    ]
}

// For `make strict`: optimizing the tests takes longer than optimizing what they test.
if Context.environment["BROWSEKIT_STRICT"] != nil {
    for target in package.targets where target.type == .test {
        target.swiftSettings?.append(.unsafeFlags(["-Onone"]))
    }
}
