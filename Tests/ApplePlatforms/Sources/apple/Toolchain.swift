import Foundation

/// The toolchain and its paths.
struct Toolchain: Sendable {
    let repository: URL
    /// The output of `swiftc -print-target-info`.
    let target: String
    /// The folder of the standard library's modules, `…/usr/lib/swift`.
    let resources: String

    init(repository: URL) throws {
        struct Info: Decodable {
            struct Target: Decodable { let triple: String }
            struct Paths: Decodable { let runtimeResourcePath: String }
            let compilerVersion: String
            let target: Target
            let paths: Paths
        }
        let info = try JSONDecoder().decode(Info.self, from: Data(try run(["swiftc", "-print-target-info"]).utf8))
        self.repository = repository
        target = info.target.triple
        resources = info.paths.runtimeResourcePath
        version = info.compilerVersion
    }

    private let version: String

    /// Runs the compiler's frontend with the toolchain's macros.
    ///
    /// Diagnostics contain paths relative to the folder.
    func compile(_ flags: [String], in root: String) throws {
        let (status, text) = try output(
            of: ["swiftc", "-frontend"] + flags + ["-plugin-path", resources + "/host/plugins"]
                + ["-in-process-plugin-server-path", resources + "/host/libSwiftInProcPluginServer.so"]
        )
        guard status == 0 else { throw Failure(text.replacing(root + "/", with: "")) }
    }
}
