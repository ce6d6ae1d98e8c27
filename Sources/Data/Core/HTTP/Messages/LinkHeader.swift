public import BrowseDomain
import Foundation

extension HTTPClient.Response {
    /// The next page in the `Link` header (RFC 8288); `nil` if there is none.
    ///
    /// ```swift
    /// Endpoint<Page<String>>(.path("/books")) { response in
    ///     Page(items: try response.json([String].self), next: response.nextPage)
    /// }
    /// ```
    ///
    /// To fetch it, send ``Endpoint/Location/page(_:of:)``, which accepts only URLs of the service.
    public var nextPage: PageCursor? {
        guard let target = headers["Link"].flatMap({ LinkHeader($0)["next"] }) else { return nil }
        // An absolute URL stays as the server wrote it.
        if target.contains("://") { return PageCursor(rawValue: target) }
        return URL(string: target, relativeTo: url).map { PageCursor(rawValue: $0.absoluteString) }
    }
}

/// The targets of a `Link` header by relation (RFC 8288).
///
/// Links can have any order, several relations, quoted or bare parameters, and commas inside `<…>` and quotes. A link that
/// can't be parsed is skipped.
struct LinkHeader: Hashable, Sendable {
    private(set) var targets: [String: String] = [:]

    /// The first target of a relation in lowercase, such as `next`.
    subscript(relation: String) -> String? { targets[relation] }

    init(_ header: String) {
        var scanner = Scanner(bytes: Array(header.utf8))
        while scanner.skip(to: UInt8(ascii: "<")), let target = scanner.text(until: UInt8(ascii: ">")) {
            for relation in scanner.relations() where targets[relation] == nil {
                targets[relation] = target
            }
        }
    }

    private struct Scanner {
        let bytes: [UInt8]
        var position = 0

        var current: UInt8? { position < bytes.count ? bytes[position] : nil }

        mutating func skip(to byte: UInt8) -> Bool {
            guard let found = bytes[position...].firstIndex(of: byte) else { return false }
            position = found + 1
            return true
        }

        mutating func text(until byte: UInt8) -> String? {
            guard let end = bytes[position...].firstIndex(of: byte) else { return nil }
            defer { position = end + 1 }
            return String(decoding: bytes[position..<end], as: UTF8.self)
        }

        /// Parses the parameters of a link, and returns the relations of the first `rel` (section 3.3).
        mutating func relations() -> [String] {
            var relations: [String]?
            while let byte = current, byte != UInt8(ascii: ",") {
                guard byte == UInt8(ascii: ";") else {
                    position += 1
                    continue
                }
                position += 1
                let name = token().lowercased()
                skipSpace()
                guard current == UInt8(ascii: "=") else { continue }
                position += 1
                skipSpace()
                let value = current == UInt8(ascii: "\"") ? quoted() : token()
                if name == "rel", relations == nil {
                    relations = value.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
                }
            }
            return relations ?? []
        }

        private mutating func skipSpace() {
            while let byte = current, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { position += 1 }
        }

        private mutating func token() -> String {
            skipSpace()
            let start = position
            while let byte = current, !" \t=;,\"".utf8.contains(byte) { position += 1 }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }

        private mutating func quoted() -> String {
            position += 1
            var text: [UInt8] = []
            while let byte = current {
                position += 1
                if byte == UInt8(ascii: "\"") { break }
                if byte == UInt8(ascii: "\\"), let escaped = current {
                    text.append(escaped)
                    position += 1
                } else {
                    text.append(byte)
                }
            }
            return String(decoding: text, as: UTF8.self)
        }
    }
}
