import Foundation

/// A compiled module.
struct Module: Sendable {
    let name: String
    /// The folder of its `.swiftmodule` and index.
    let folder: URL
    /// The import search paths that its clients need, too.
    let searched: [URL]
    /// Whether it's a stand-in for one of Apple's modules.
    let isStandIn: Bool
    /// The compiler flags.
    let flags: [String]
    /// A hash of its interface; empty if no module imports it.
    let interface: String

    var index: URL { folder.appending(path: "index") }
}

/// A module to compile.
struct ModuleSource: Sendable {
    let name: String
    /// The folder, relative to the repository.
    let path: String
    let dependencies: [Manifest.Dependency]
    let flags: [String]
    /// The files that SwiftPM would generate.
    var generated: [String: String] = [:]
    /// Whether it's a stand-in for one of Apple's modules.
    var isStandIn = false
    /// The package whose `package` declarations it can use.
    var package = "browsekit"
}

/// Compiles modules to SIL for Apple platforms, once for all platforms with the same sources.
actor Builder {
    private let toolchain: Toolchain
    private let folder: URL
    private let sources: [String: ModuleSource]
    /// The modules that others depend on. Only these need an interface; macros make that of tests expensive.
    private let imported: Set<String>
    private let limit = Limit(ProcessInfo.processInfo.activeProcessorCount)
    private var builds: [String: Task<Module, any Error>] = [:]
    private var compilations: [String: Task<Module, any Error>] = [:]

    init(_ toolchain: Toolchain, folder: URL, sources: [ModuleSource]) {
        self.toolchain = toolchain
        self.folder = folder
        self.sources = Dictionary(uniqueKeysWithValues: sources.map { ($0.name, $0) })
        imported = Set(sources.flatMap(\.dependencies).map(\.name))
    }

    /// The compiled modules, without duplicates.
    var modules: [Module] {
        get async {
            var modules: [Module] = []
            for task in compilations.values {
                if case .success(let module) = await task.result { modules.append(module) }
            }
            return modules.sorted { ($0.name, $0.folder.path) < ($1.name, $1.folder.path) }
        }
    }

    func build(_ name: String, for platform: Platform) async throws -> Module {
        let id = "\(name) \(platform)"
        if let build = builds[id] { return try await build.value }
        let task = Task {
            guard let source = sources[name] else { throw Failure("There is no module \(name).") }
            var imported: [Module] = []
            for dependency in source.dependencies
            where dependency.platforms?.contains(platform.rawValue.lowercased()) ?? true {
                imported.append(try await build(dependency.name, for: platform))
            }
            return try await compile(source, importing: imported, for: platform)
        }
        builds[id] = task
        return try await task.value
    }

    private func compile(_ source: ModuleSource, importing modules: [Module], for platform: Platform) async throws
        -> Module
    {
        var files: [(name: String, text: Data)] = source.generated.map { ($0.key, Data($0.value.utf8)) }
        for name in try FileManager.default.subpathsOfDirectory(atPath: toolchain.repository.path + "/" + source.path)
        where name.hasSuffix(".swift") {
            let path = "\(source.path)/\(name)"
            let text = try String(contentsOf: toolchain.repository.appending(path: path), encoding: .utf8)
            let evaluated = try platform.evaluatingConditions(in: text)
            files.append((path, Data((source.isStandIn ? evaluated : expandingMacros(in: evaluated)).utf8)))
        }
        files.sort { $0.name < $1.name }

        let key = fingerprint(
            [Data("\(toolchain) \(source)".utf8)] + modules.map { Data($0.interface.utf8) }
                + files.flatMap { [Data($0.name.utf8), $0.text] }
        )
        if let compilation = compilations[key] { return try await compilation.value }
        let folder = folder.appending(path: "\(source.name)-\(key)")
        let searched = Set(modules.flatMap { $0.searched + [$0.folder] }).sorted { $0.path < $1.path }
        let flags =
            ["-module-name", source.name, "-parse-as-library", "-swift-version", "6", "-package-name", source.package]
            + ["-enable-testing", "-enable-cross-import-overlays"] + source.flags
            + (source.isStandIn ? ["-suppress-warnings"] : ["-warnings-as-errors"])
            + searched.flatMap { ["-I", $0.path] } + ["-I", toolchain.repository.path + "/Sources/CBrowseSQLite"]
        let (limit, toolchain, contents) = (limit, toolchain, files)
        let isImported = imported.contains(source.name)
        let task = Task {
            try await limit {
                let done = folder.appending(path: "done")
                let module = folder.appending(path: "\(source.name).swiftmodule")
                if !FileManager.default.fileExists(atPath: done.path) {
                    try? FileManager.default.removeItem(at: folder)
                    for file in contents {
                        let url = folder.appending(path: "files").appending(path: file.name)
                        try FileManager.default.createDirectory(
                            at: url.deletingLastPathComponent(),
                            withIntermediateDirectories: true
                        )
                        try file.text.write(to: url)
                    }
                    do {
                        try Self.compile(source, contents.map(\.name), isImported, in: folder, flags, toolchain)
                    } catch let failure as Failure {
                        throw Failure("\(source.name) doesn't compile for \(platform):\n\(failure.text)")
                    }
                    try Data().write(to: done)
                }
                return Module(
                    name: source.name,
                    folder: folder,
                    searched: searched,
                    isStandIn: source.isStandIn,
                    flags: flags,
                    interface: isImported ? fingerprint([interface(of: try Data(contentsOf: module))]) : ""
                )
            }
        }
        compilations[key] = task
        return try await task.value
    }

    private static func compile(
        _ source: ModuleSource,
        _ files: [String],
        _ isImported: Bool,
        in folder: URL,
        _ flags: [String],
        _ toolchain: Toolchain
    ) throws {
        let root = folder.appending(path: "files").path
        let module = folder.appending(path: "\(source.name).swiftmodule").path
        // `make docs` reads the doc comments of the views.
        let comments = source.isStandIn ? [] : ["-emit-module-doc-path", "\(folder.path)/\(source.name).swiftdoc"]
        // The interface first, and then the bodies; separately, because the index must name each file's output.
        if isImported {
            try toolchain.compile(
                ["-emit-module", "-experimental-skip-non-inlinable-function-bodies-without-types", "-o", module]
                    + comments + flags + files.map { "\(root)/\($0)" },
                in: root
            )
        }
        guard !source.isStandIn else { return }
        let outputs = folder.appending(path: "sil")
        try FileManager.default.createDirectory(at: outputs, withIntermediateDirectories: true)
        try toolchain.compile(
            ["-emit-sil", "-index-store-path", folder.appending(path: "index").path] + flags
                + files.enumerated().flatMap { number, name in
                    ["-primary-file", "\(root)/\(name)", "-o", "\(outputs.path)/\(number).sil"]
                        + ["-index-unit-output-path", "\(root)/\(name).o"]
                },
            in: root
        )
        try FileManager.default.removeItem(at: outputs)
    }
}
