import BrowseDomain
import Foundation

/// The name of a server's file, and the files beside it that only that server's session uses.
struct SessionFile: Sendable {
    /// The server, as stored credentials name it.
    let server: String
    let file: StorageFile

    /// - Parameters:
    ///   - folder: Where the file is.
    ///   - url: The API that the credentials are for.
    init(folder: URL, server url: URL) {
        server = Self.text(for: url)
        file = StorageFile(folder: folder, name: "session-" + Self.name(for: url) + ".json")
    }

    /// Locked while the token is refreshed.
    var refreshLock: StorageFile { file.neighbor(file.name + "-refresh") }

    /// The server, as stored credentials name it.
    static func text(for url: URL) -> String { Origin(url)?.text ?? url.absoluteString }

    /// A file name that no other server has, also where file names don't distinguish uppercase from lowercase.
    ///
    /// Lowercase letters, digits, dots, and hyphens stand for themselves, and `_` with two hexadecimal digits for any other
    /// byte. A long name ends in `~` and a digest.
    private static func name(for url: URL) -> String {
        let name =
            if let origin = Origin(url) {
                origin.scheme + "-" + escape(origin.text.dropFirst(origin.scheme.count + 3))
            } else {
                "url-" + escape(url.absoluteString[...])
            }
        guard name.utf8.count > longestName else { return name }
        let digest = SHA256Digest.hash(name)
        return name.prefix(longestName / 2) + "~" + digest.map(hexadecimal).joined()
    }

    private static func escape(_ text: Substring) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                UInt8(ascii: "-"):
                String(UnicodeScalar(byte))
            default: "_" + hexadecimal(byte)
            }
        }
        .joined()
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }

    /// File systems allow 255 bytes, with what is added to the name.
    private static var longestName: Int { 160 }
}
