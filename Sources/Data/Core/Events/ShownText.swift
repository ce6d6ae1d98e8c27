public import BrowseDomain
import Foundation

/// The parts of messages that events, descriptions, and errors show.
///
/// Only listed header fields and query items are shown, and of texts from servers only short words. So there is nothing to search
/// for: a secret of 20 or more characters is hidden wherever it is, in any encoding. A shorter one that a server repeats in a sentence
/// or an address is shown, unless it's a credential of the request.
enum ShownText {
    static let mask = "***"

    /// The maximum lengths of texts from servers in errors, in Unicode scalars.
    static let (requestIDLimit, serverMessageLimit, contentTypeLimit) = (64, 200, 100)

    /// The characters that join words of an identifier: those of encodings, and of some tokens.
    static let identifierJoiners = "/&#;!"

    /// The lowercase names of the header fields that are shown for every service.
    private static let fields: Set<String> = [
        "accept", "accept-encoding", "accept-language", "age", "cache-control", "content-encoding", "content-language",
        "content-length", "content-type", "date", "expires", "last-modified", "retry-after", "server", "user-agent",
        "vary",
    ]

    /// The names of the query items that are shown for every service.
    private static let queryItems: Set<String> = ["limit", "offset", "order", "page", "per_page", "sort"]

    /// Returns header fields with `***` in place of values that aren't listed.
    ///
    /// - Parameter names: The lowercase names of further fields that are shown.
    static func headers(_ headers: HTTPHeaders, showing names: Set<String> = []) -> HTTPHeaders {
        var result = HTTPHeaders()
        for (name, value) in headers.fields {
            result[shown(name, separator: "-")] =
                switch name {
                case "location", "content-location": URL(string: value).map(origin(of:)) ?? mask
                case _ where fields.contains(name) || names.contains(name): words(value, limit: 300)
                default: mask
                }
        }
        return result
    }

    /// Returns the URL of a request, with `***` in place of values that aren't listed, and of long words.
    ///
    /// - Parameter names: The names of further query items that are shown.
    static func url(_ url: URL, showing names: Set<String> = []) -> String {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return mask }
        let query = parts.percentEncodedQuery?.split(separator: "&").map { item in
            let pair = item.split(separator: "=", maxSplits: 1).map(String.init)
            let isShown = pair.first.map { queryItems.contains($0) || names.contains($0) } ?? false
            return ([shown(pair.first ?? "")] + pair.dropFirst().map { isShown ? shown($0) : mask }).joined(
                separator: "="
            )
        }
        return address(of: parts) + shown(parts.percentEncodedPath, separator: "/")
            + (query.map { "?" + $0.joined(separator: "&") } ?? "")
    }

    /// Returns the origin of a URL that a server chose, which can repeat a secret anywhere else.
    static func origin(of url: URL) -> String {
        URLComponents(url: url, resolvingAgainstBaseURL: true).map { address(of: $0) + "/…" } ?? mask
    }

    private static func address(of parts: URLComponents) -> String {
        let host = shown(parts.encodedHost ?? "", separator: ".")
        return "\(parts.scheme ?? "")://\(host)\(parts.port.map { ":\($0)" } ?? "")"
    }

    /// Returns percent-encoded text with `***` in place of each part that has a long word.
    private static func shown(_ text: String, separator: Character = "+") -> String {
        text.split(separator: separator, omittingEmptySubsequences: false).map { part in
            let text = part.removingPercentEncoding ?? "%"
            return words(text, limit: 100) == text ? String(part) : mask
        }
        .joined(separator: String(separator))
    }

    /// Returns a text in one line, with `…` for each word of 20 or more characters.
    ///
    /// Tokens, keys, codes, and cookies are longer (the shortest codes have 20 characters); words of natural languages
    /// aren't. Characters of encodings, such as percent signs, are parts of words.
    ///
    /// - Parameter limit: The maximum number of scalars; in characters, one with many accents would be unlimited.
    static func words(_ text: String, limit: Int, joinedBy joiners: String = "") -> String {
        var result = String.UnicodeScalarView()
        var word = String.UnicodeScalarView()
        func endWord(isCut: Bool = false) {
            result.append(contentsOf: word.count >= 20 || (isCut && !word.isEmpty) ? "…".unicodeScalars : word)
            word = String.UnicodeScalarView()
        }
        let head = text.unicodeScalars.prefix(4 * limit)
        for scalar in head {
            if isWordPart(scalar) || joiners.unicodeScalars.contains(scalar) {
                word.append(scalar)
            } else if scalar.properties.isWhitespace {
                endWord()
                if result.last != " " { result.append(" ") }
            } else if !isInvisible(scalar) {
                // Invisible characters don't end a word: UTF-16 decoded as UTF-8 has a zero byte after each letter of a secret.
                endWord()
                result.append(scalar)
            }
        }
        endWord(isCut: head.endIndex < text.unicodeScalars.endIndex)
        let trimmed = String(result).trimmingCharacters(in: .whitespacesAndNewlines)
        guard trimmed.unicodeScalars.count > limit else { return trimmed }
        return String(trimmed.unicodeScalars.prefix(limit - 1)) + "…"
    }

    /// Returns a server's sentence without long words.
    ///
    /// Characters of tokens, such as slashes, join words, except in addresses.
    static func sentence(_ text: String) -> String {
        let limit = serverMessageLimit
        let head = String(text.unicodeScalars.prefix(4 * limit))
        var parts = head.split(whereSeparator: \.isWhitespace)
        // The last word may be a part of a longer one.
        if head.utf8.count < text.utf8.count { _ = parts.popLast() }
        let shown = parts.map {
            words(String($0), limit: limit, joinedBy: $0.contains("://") ? "" : ":" + identifierJoiners)
        }
        return words(shown.joined(separator: " "), limit: limit)
    }

    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "+", "=", "%", "\\", "~": true
        case _ where scalar.isASCII: false
        default: scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format: !scalar.properties.isWhitespace
        default: false
        }
    }
}

extension BrowseError.RequestInfo {
    /// Returns the information with a message of the server, without long words.
    ///
    /// Words of 20 or more characters may be secrets.
    public func reporting(_ message: String?) -> Self {
        var info = self
        info.serverMessage = message.map(ShownText.sentence)
        return info
    }
}
