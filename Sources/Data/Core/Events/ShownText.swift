@_spi(Services) public import BrowseDomain
import Foundation

/// The parts of messages that events, descriptions, and errors show.
///
/// Only listed header fields and query items are shown, and of texts from servers only short words.
/// So there is nothing to search for: a secret of 20 or more characters is hidden wherever it is,
/// in any encoding. A shorter one that a server repeats in a sentence or an address is shown,
/// unless it's a credential of the request. Of standard fields, only what can be parsed is shown.
enum ShownText {
    static let mask = "***"

    /// The characters that join words of an identifier: those of encodings, and of some tokens.
    static let identifierJoiners = "/&#;!"

    /// The lowercase names of the header fields that are shown for every service.
    private static let fields: Set<String> = ["accept", "accept-encoding", "accept-language", "user-agent"]

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
                case _ where parsed.contains(name): parsed(value, of: name)
                case _ where fields.contains(name) || names.contains(name): words(value, limit: 300)
                default: mask
                }
        }
        return result
    }

    /// The lowercase names of the fields whose parsed value is shown.
    private static let parsed: Set<String> = [
        "age", "cache-control", "content-encoding", "content-language", "content-length", "content-type", "date",
        "expires", "last-modified", "retry-after", "server", "vary",
    ]

    /// Returns the parsed value of a standard field.
    ///
    /// Each part that isn't a number, a date, or a known name is `***`.
    private static func parsed(_ value: String, of name: String) -> String {
        let value = String(value[...].trimmingWhitespace)
        if isNumber(value[...]) || HTTPDate.date(value) != nil { return value }
        let parts = name == "content-type" ? Array(value.split(separator: ";").prefix(1)) : value.split(separator: ",")
        var numberCount = 0
        return parts.isEmpty
            ? mask
            : parts.map { part in
                let part = part.trimmingWhitespace
                // A version, such as `nginx/1.18.0`, or a duration, such as `max-age=60`.
                let pair = part.split(maxSplits: 1) { name == "server" ? $0 == "/" : $0 == "=" }
                let isKnown = pair.first.map { names.contains($0.lowercased()) } == true
                guard name != "content-type" else { return mediaType(part) }
                guard isKnown, pair.count == 2 else { return isKnown ? String(part) : mask }
                // Those of a sequence can be the characters of a secret.
                numberCount += 1
                let isShown = numberCount <= 3 && isNumber(pair[1].filter { $0 != "." }[...])
                return isShown ? String(part) : pair[0] + "…"
            }
            .joined(separator: ", ")
    }

    /// Returns a media type with a known subtype, or the suffix of another one.
    private static func mediaType(_ type: Substring) -> String {
        let pair = type.lowercased().split(separator: "/", omittingEmptySubsequences: false)
        guard pair.count == 2, kinds.contains(String(pair[0])) else { return mask }
        if names.contains(String(pair[1])) { return pair.joined(separator: "/") }
        return ["json", "xml"].first { pair[1].hasSuffix("+" + $0) }.map { "\(pair[0])/***+\($0)" } ?? "\(pair[0])/***"
    }

    private static func isNumber(_ text: Substring) -> Bool {
        (1...19).contains(text.utf8.count) && text.utf8.allSatisfy(\.isASCIIDigit)
    }

    private static let kinds: Set<String> = ["application", "audio", "font", "image", "multipart", "text", "video"]

    /// Servers, fields, directives, codings, languages, and media subtypes, in lowercase.
    private static let names: Set<String> = [
        "*", "accept", "accept-encoding", "accept-language", "authorization", "cookie", "origin", "user-agent",
        "x-github-otp",  // Source: `Vary` of recorded responses.
        "x-requested-with", "max-age", "s-maxage", "no-cache", "no-store", "private", "public",
        "must-revalidate", "proxy-revalidate", "no-transform", "immutable", "stale-while-revalidate",
        "stale-if-error", "br", "compress", "deflate", "gzip", "identity", "zstd", "en", "en-us", "ko", "ko-kr",
        "github.com",  // Source: `Server` of recorded responses.
        "apache", "caddy", "cloudflare", "envoy", "gunicorn", "nginx", "openresty", "varnish",
        "form-data", "gif", "heic", "html", "javascript", "jpeg", "json", "octet-stream", "plain", "png",
        "vnd.github+json", "vnd.github.star+json",  // Source: GitHub, "Media types".
        "problem+json", "svg+xml", "webp", "x-www-form-urlencoded",
        "xhtml+xml", "xml",
    ]

    /// Returns the URL of a request, with `***` in place of values that aren't listed, and of long
    /// words.
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

    /// Returns the host and port of a URL that a server chose.
    static func host(of url: URL) -> String {
        String(origin(of: url).drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" })
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
    /// Tokens, keys, codes, and cookies are longer (the shortest codes have 20 characters); words
    /// of natural languages aren't. Characters of encodings, such as percent signs, are parts of
    /// words.
    ///
    /// The same applies to the numbers of a sequence, such as `67:68:70` or `67 68 70`, which can
    /// be the characters of a secret: only the first seven are shown.
    ///
    /// - Parameter limit: The maximum number of scalars; in characters, one with many accents would
    ///   be unlimited.
    static func words(_ text: String, limit: Int, joinedBy joiners: String = "") -> String {
        var result = String.UnicodeScalarView()
        var word = String.UnicodeScalarView()
        var numberCount = 0
        func endWord(isCut: Bool = false) {
            guard !word.isEmpty else { return }
            // Also as `%67`, `U+0067`, or in binary.
            let isNumber =
                word.count == 1 || (word.count <= 4 && word.allSatisfy { $0.properties.isASCIIHexDigit || $0 == "x" })
                || (word.count <= 8 && word.contains { "0"..."9" ~= $0 })
            numberCount = isNumber ? numberCount + 1 : 0
            let isHidden = word.count >= 20 || isCut || numberCount > 7
            result.append(contentsOf: isHidden ? "…".unicodeScalars : word)
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
                // Invisible characters don't end a word: UTF-16 decoded as UTF-8 has a zero byte
                // after each letter of a secret.
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
        let limit = 200
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
        modified(self) { $0.serverMessage = message.map(ShownText.sentence) }
    }
}
