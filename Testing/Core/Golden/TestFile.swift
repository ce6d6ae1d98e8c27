import Foundation

/// Finds a file that belongs to a test.
enum TestFile {
    /// The folder of the test's source file or the root of a bundle, and the `Fixtures` folder in
    /// it.
    static func places(of name: String, in bundle: Bundle?, filePath: String) -> [URL] {
        let folder = bundle.map(\.resourceURL) ?? URL(filePath: filePath).deletingLastPathComponent()
        return [folder, folder?.appending(path: "Fixtures", directoryHint: .isDirectory)].compactMap(\.self)
            .map { $0.appending(path: name) }
    }

    /// Returns the first place with a file, or the first place.
    static func url(of name: String, in bundle: Bundle?, filePath: String) -> URL {
        let places = places(of: name, in: bundle, filePath: filePath)
        return places.first(where: exists) ?? places.first ?? URL(filePath: name)
    }

    /// Returns the file next to the test's source file, or in the `Fixtures` folder there.
    static func writableURL(of name: String, filePath: String) -> URL {
        let places = places(of: name, in: nil, filePath: filePath)
        return places.first(where: exists) ?? places.last ?? URL(filePath: name)
    }

    static func exists(_ url: URL) -> Bool {
        FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
    }
}
