import Foundation

/// The checks of `make apple`.
struct Check {
    let builder: Builder
    let conversions: Conversions
    private let manifest: Manifest
    private let modules: Modules
    private let toolchain: Toolchain
    private let folder: URL

    init(repository: URL) throws {
        let scratch = repository.path + "/Tests/ApplePlatforms/.build/manifest"
        let example = "Docs/Examples/SwiftUI"
        manifest = try Manifest(of: repository, scratch: scratch)
        modules = Modules(
            of: manifest,
            example: try Manifest(of: repository.appending(path: example), scratch: scratch),
            in: example
        )
        toolchain = try Toolchain(repository: repository)
        folder = repository.appending(path: "Tests/ApplePlatforms/.build/check")
        conversions = Conversions(toolchain: toolchain, folder: folder.appending(path: "conversions"))
        builder = Builder(toolchain, folder: folder.appending(path: "modules"), sources: modules.sources)
    }

    func run() async throws {
        try ThirtyTwoBits(toolchain: toolchain, folder: folder.appending(path: "wasm32")).run()
        try await probeCompilation()
        try await compile()
        try await checkConversions()
        try await checkAvailability()
    }

    /// Compiles the views for macOS, and returns where their module and those that it imports are.
    ///
    /// `make api` and `make docs` read its interface there.
    func searchPathsOfViews() async throws -> [String] {
        let module = try await builder.build(Modules.viewModule, for: .macOS)
        return ([module.folder] + module.searched).map(\.path)
    }

    /// Compiles every target for every platform.
    private func compile() async throws {
        var failures: Set<String> = []
        await withTaskGroup { group in
            for platform in Platform.allCases {
                // The example is an app for iPhone, iPad, and Mac.
                for target in modules.targets + ([.iOS, .macOS].contains(platform) ? modules.views : []) {
                    group.addTask { await self.failure(of: target, for: platform) }
                }
            }
            for await case let failure? in group { failures.insert(failure) }
        }
        guard failures.isEmpty else { throw Failure(failures.sorted().joined(separator: "\n")) }
        print("Compiled Sources, Mocks, Testing, and Tests for \(Platform.allCases.map(\.rawValue).formatted()).")
        print("Compiled \(modules.views.formatted()) of Docs/Examples/SwiftUI for macOS and iOS.")
    }

    private func failure(of target: String, for platform: Platform) async -> String? {
        do {
            _ = try await builder.build(target, for: platform)
            return nil
        } catch {
            return (error as? Failure)?.text ?? "\(error)"
        }
    }

    /// Finds conversions that trap on 32-bit watches.
    private func checkConversions() async throws {
        let conversions = conversions
        let places = try await withThrowingTaskGroup { group in
            for product in modules.products {
                let module = try await builder.build(product, for: .watchOS)
                group.addTask { try conversions.places(in: module) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        guard places.isEmpty else {
            let hint =
                "A 32-bit Int may not hold these; use Int(clamping:), Int(truncatingIfNeeded:), or Int(exactly:):"
            throw Failure(([hint] + places.sorted()).joined(separator: "\n"))
        }
        print("Found no conversion that traps with a 32-bit Int.")
    }

    /// Finds symbols that are newer than the manifest's platforms.
    private func checkAvailability() async throws {
        let built = await builder.modules
        let availability = try Availability(
            toolchain,
            minimums: manifest.platforms,
            standIns: built.filter { $0.isStandIn },
            folder: folder.appending(path: "symbols")
        )
        try await probeSymbols(availability)
        var failures: Set<String> = []
        for module in built where (modules.targets + modules.views).contains(module.name) {
            failures.formUnion(try tooNew(in: module, availability))
        }
        guard failures.isEmpty else { throw Failure(failures.sorted().joined(separator: "\n")) }
        print("Found no symbol that is newer than the manifest's platforms, of \(availability.newer.count) that are.")
    }

    /// Returns a module's uses of symbols that are too new.
    func tooNew(in module: Module, _ availability: Availability) throws -> [String] {
        let uses = try IndexStore(path: module.index.path, toolchain: toolchain).uses()
        return uses.compactMap { use in
            availability.newer[use.symbol].map { "\(module.name), \(use.file):\(use.line): \($0)" }
        }
    }
}
