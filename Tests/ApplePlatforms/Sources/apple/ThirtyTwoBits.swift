import Foundation

/// Compiles and runs the SDK's number conversions with a 32-bit `Int`, as on some Apple Watches.
struct ThirtyTwoBits {
    /// The sources, which don't import Foundation, by module.
    private static let files: KeyValuePairs = [
        "BrowseDomain": ["Sources/Domain/Core/Images/ImageFormat.swift", "Sources/Domain/Core/Images/PixelSize.swift"],
        "Main": [
            "Sources/Data/Core/Images/ImageBytes.swift",
            "Sources/Data/Core/Images/ImageHeader.swift",
            "Sources/Data/Core/Storage/Int+Clamping.swift",
            "Tests/ApplePlatforms/ThirtyTwoBits/Main.swift",
        ],
    ]

    let toolchain: Toolchain
    let folder: URL

    func run() throws {
        let repository = toolchain.repository
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var objects = [folder.path + "/runtime.o"]
        try apple.run(
            ["clang", "--target=wasm32", "-O1", "-ffreestanding", "-fno-builtin", "-c", "-o", objects[0]]
                + [repository.path + "/Tests/ApplePlatforms/ThirtyTwoBits/runtime.c"]
        )
        for (module, files) in Self.files {
            objects.append("\(folder.path)/\(module).o")
            try apple.run(command(module, files))
        }
        let (status, text) = try apple.output(of: command("Probe", [Self.probe]))
        guard status != 0, text.contains("overflows when stored into 'Int'") else {
            throw Failure("\(Self.probe) has a literal that 32 bits don't hold, which must not compile.\n\(text)")
        }
        try apple.run(["wasm-ld", "-o", folder.path + "/main.wasm"] + objects)
        print(try apple.run(["wasmkit", "run", folder.path + "/main.wasm"]), terminator: "")
    }

    private static let probe = "Tests/ApplePlatforms/Probes/LiteralProbe/LiteralProbe.swift"

    private func command(_ module: String, _ files: [String]) -> [String] {
        ["swiftc", "-target", "wasm32-unknown-none-wasm", "-enable-experimental-feature", "Embedded"]
            + ["-whole-module-optimization", "-parse-as-library", "-swift-version", "6", "-module-name", module]
            + ["-package-name", "browsekit", "-c", "-o", "\(folder.path)/\(module).o"]
            + ["-emit-module", "-emit-module-path", "\(folder.path)/\(module).swiftmodule", "-I", folder.path]
            + files.map { toolchain.repository.appending(path: $0).path }
    }
}
