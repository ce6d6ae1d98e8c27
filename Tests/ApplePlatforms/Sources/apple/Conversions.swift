import Foundation

/// Finds conversions to `Int` that can trap with 32 bits.
///
/// These are conversions of wider integers and floating-point numbers that neither clamp, truncate, nor return an optional. They're
/// searched in SIL, which has the types of all values.
struct Conversions {
    let toolchain: Toolchain
    let folder: URL

    private static let integers =
        #"apply %[0-9]+<U?Int, U?Int(64|128)>\(.*(Unsigned|Signed)Integer><τ_1_0 where τ_1_0 : BinaryInteger> "#
        + #"\(@in τ_1_0, @thick τ_0_0\.Type\) -> @out τ_0_0, loc "[^"]*":[0-9]+"#
    private static let unsigned =
        #"apply %[0-9]+<Int, UInt32>\(.*SignedInteger><τ_1_0 where τ_1_0 : BinaryInteger> "#
        + #"\(@in τ_1_0, @thick τ_0_0\.Type\) -> @out τ_0_0, loc "[^"]*":[0-9]+"#
    private static let floats =
        #"apply %[0-9]+\(.*: \$@convention\(method\) \((Double|Float), @thin U?Int\.Type\) -> U?Int, loc "[^"]*":[0-9]+"#

    /// Returns the locations of such conversions in a module's sources.
    func places(in module: Module) throws -> [String] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let root = module.folder.appending(path: "files").path
        let output = folder.appending(path: "\(module.name).sil").path
        let files = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
        try toolchain.compile(
            ["-emit-silgen", "-Xllvm", "-sil-print-debuginfo", "-o", output] + module.flags
                + files.sorted().map { "\(root)/\($0)" },
            in: root
        )
        defer { try? FileManager.default.removeItem(atPath: output) }
        let (_, text) = try apple.output(
            of: ["grep", "-oE", "-e", Self.integers, "-e", Self.unsigned, "-e", Self.floats, output]
        )
        let places = text.matches(of: /loc "([^"]*)":([0-9]+)/).map { "\($0.1):\($0.2)" }
        return Set(places).sorted().map { $0.replacing(root + "/", with: "") }
    }
}
