public import BrowseDomain
import Foundation

/// Creates short excerpts of server responses for errors, without possible secrets.
enum Excerpt {
    /// The maximum length of a body's excerpt in Unicode scalars.
    package static let longest = 120

    /// The maximum lengths of texts from servers in errors, in Unicode scalars.
    package static let (requestIDLimit, serverMessageLimit, contentTypeLimit, errorCodeLimit) = (64, 200, 100, 60)

    /// Returns the beginning of a body, with `…` in place of JSON strings, or of long words.
    package static func make(of body: Data, limit: Int = longest) -> String {
        // A value that is cut off is masked like any other, so reading a little more than the limit is enough.
        let head = String(decoding: body.prefix(4 * limit), as: UTF8.self)
        let isCut = body.count > 4 * limit
        let first = head.unicodeScalars.first { !$0.properties.isWhitespace && !isInvisible($0) }
        let isJSON = first.map { "[{\"".unicodeScalars.contains($0) } ?? false
        return cut(isJSON ? maskingValues(of: head, isCut: isCut) : maskingWords(of: head, isCut: isCut), to: limit)
    }

    /// Returns a text in one line, with `…` for each word of 20 or more characters.
    ///
    /// Tokens, keys, codes, and cookies are longer (the shortest tokens have 40 characters); words of natural languages
    /// aren't.
    ///
    /// - Parameter limit: The maximum number of scalars; in characters, one with many accents would be unlimited.
    static func masking(_ text: String, limit: Int) -> String {
        let head = String(text.unicodeScalars.prefix(4 * limit))
        return cut(maskingWords(of: head, isCut: head.utf8.count < text.utf8.count), to: limit)
    }

    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "+", "=": true
        case _ where scalar.isASCII: false
        default: scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
    }

    /// - Parameter isCut: Whether the text continues, so that its last word may be part of a longer one.
    private static func maskingWords(of text: String, isCut: Bool = false) -> String {
        var result = String.UnicodeScalarView()
        var word = String.UnicodeScalarView()
        func endWord(isCut: Bool = false) {
            result.append(contentsOf: word.count >= 20 || (isCut && !word.isEmpty) ? "…".unicodeScalars : word)
            word = String.UnicodeScalarView()
        }
        for scalar in text.unicodeScalars {
            if isWordPart(scalar) {
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
        endWord(isCut: isCut)
        return String(result)
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format: !scalar.properties.isWhitespace
        default: false
        }
    }

    private static func maskingValues(of json: String, isCut: Bool) -> String {
        var result = ""
        var rest = json.unicodeScalars[...]
        while let quote = rest.firstIndex(of: "\"") {
            // Between strings are punctuation and numbers, or any text if the JSON is invalid.
            result += maskingWords(of: String(rest[..<quote]))
            rest = rest[rest.index(after: quote)...]
            var text = String.UnicodeScalarView()
            var isClosed = false
            while let scalar = rest.popFirst() {
                if scalar == "\\" {
                    _ = rest.popFirst()
                    text.append("?")
                } else if scalar == "\"" {
                    isClosed = true
                    break
                } else {
                    text.append(scalar)
                }
            }
            let isKey = isClosed && rest.first { !$0.properties.isWhitespace } == ":"
            result += isKey ? "\"\(masking(String(text), limit: 40))\"" : "\"…\""
        }
        result += maskingWords(of: String(rest), isCut: isCut)
        return result
    }

    /// Shortens a text, such as one that masking has lengthened.
    package static func cut(_ text: String, to limit: Int = longest) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard trimmed.unicodeScalars.count > limit else { return trimmed }
        return String(trimmed.unicodeScalars.prefix(limit - 1)) + "…"
    }
}

extension BrowseError.RequestInfo {
    /// Returns the information with a message of the server, without secrets.
    public func reporting(_ message: String?) -> Self {
        var info = self
        info.serverMessage = message.map { Excerpt.masking($0, limit: Excerpt.serverMessageLimit) }
        return info
    }
}
