@_spi(Services) import BrowseDomain
import Foundation

/// The files of a server's session: the stored credentials and their lock files.
struct SessionFile: Sendable {
    /// The server's name in stored credentials.
    let server: String
    let file: StorageFile

    /// - Parameters:
    ///   - folder: The folder of the file.
    ///   - url: The base URL of the API that the credentials are for.
    init(folder: URL, server url: URL) {
        server = Self.text(for: url)
        file = StorageFile(folder: folder, name: "session-" + Self.name(for: url) + ".json")
    }

    var refreshLock: StorageFile { file.neighbor(file.name + "-refresh") }

    /// Returns the server's name in stored credentials.
    static func text(for url: URL) -> String { Origin(url)?.text ?? url.absoluteString }

    /// Returns a file name that is unique per server, even on case-insensitive file systems.
    ///
    /// All bytes but lowercase letters, digits, dots, and hyphens are escaped as `_` and two hexadecimal digits. Long names are
    /// truncated, with `~` and a digest appended.
    private static func name(for url: URL) -> String {
        let name =
            if let origin = Origin(url) {
                origin.scheme + "-" + escape(origin.text.dropFirst(origin.scheme.count + 3))
            } else {
                "url-" + escape(url.absoluteString[...])
            }
        guard name.utf8.count > maximumLength else { return name }
        let digest = SHA256Digest.hash(name)
        return name.prefix(maximumLength / 2) + "~" + digest.hexadecimal
    }

    private static func escape(_ text: Substring) -> String {
        text.utf8.map { byte in
            let isPlain = byte.isASCIILowercase || byte.isASCIIDigit || ".-".utf8.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "_" + CollectionOfOne(byte).hexadecimal
        }
        .joined()
    }

    /// The maximum length of an escaped name; with prefix and suffixes, file systems allow 255 bytes.
    private static var maximumLength: Int { 160 }
}
